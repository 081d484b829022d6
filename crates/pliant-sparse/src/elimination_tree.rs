//! The elimination tree: the dependencies between columns of a factor.

use crate::ordering::Neighbours;

/// No parent: a root.
pub(crate) const ROOT: u32 = u32::MAX;

/// An elimination order with its tree.
///
/// The parent of a column is the row of the first block below its diagonal in the factor. Columns are in postorder,
/// so each subtree is a run of columns that ends with its root.
#[derive(Debug)]
pub(crate) struct EliminationTree {
    /// The unknown of every column.
    pub(crate) order: Vec<u32>,
    /// The column of every unknown.
    pub(crate) place: Vec<u32>,
    pub(crate) parent: Vec<u32>,
    /// Number of blocks in every column of the factor, including the diagonal.
    pub(crate) count: Vec<u32>,
}

impl EliminationTree {
    /// Builds the tree for an elimination order, which is changed into a postorder with the same fill.
    pub(crate) fn new(neighbours: &Neighbours, order: &[u32]) -> Self {
        let place = inverse(order);
        let parent = parents(neighbours, order, &place);
        let postorder = postorder(&parent);
        let order: Vec<u32> = postorder.iter().map(|column| order[*column as usize]).collect();
        let renamed = inverse(&postorder);
        let rename = |column: u32| if column == ROOT { ROOT } else { renamed[column as usize] };
        let parent = postorder.iter().map(|column| rename(parent[*column as usize])).collect();
        let place = inverse(&order);
        let mut tree = Self { order, place, parent, count: Vec::new() };
        tree.count = tree.counts(neighbours);
        tree
    }

    /// Returns the columns before `row` in which row `row` of the matrix has a block.
    pub(crate) fn before<'a>(
        &'a self,
        neighbours: &'a Neighbours,
        row: usize,
    ) -> impl Iterator<Item = usize> + 'a {
        earlier(neighbours, &self.order, &self.place, row)
    }

    /// Counts the blocks of every column. For every row it walks up the tree from the blocks of the matrix to the
    /// row: the columns on these paths have a block in that row.
    fn counts(&self, neighbours: &Neighbours) -> Vec<u32> {
        let size = self.order.len();
        let (mut count, mut seen) = (vec![1; size], vec![ROOT; size]);
        for row in 0..size {
            seen[row] = row as u32;
            for mut column in self.before(neighbours, row) {
                while seen[column] != row as u32 {
                    seen[column] = row as u32;
                    count[column] += 1;
                    column = self.parent[column] as usize;
                }
            }
        }
        count
    }
}

fn inverse(order: &[u32]) -> Vec<u32> {
    let mut place = vec![0; order.len()];
    order.iter().enumerate().for_each(|(k, unknown)| place[*unknown as usize] = k as u32);
    place
}

fn earlier<'a>(
    neighbours: &'a Neighbours,
    order: &[u32],
    place: &'a [u32],
    row: usize,
) -> impl Iterator<Item = usize> + 'a {
    let others = neighbours.of(order[row]).iter().map(|other| place[*other as usize] as usize);
    others.filter(move |column| *column < row)
}

/// The parent of every column (Liu 1986), with path compression of the paths to the current roots.
fn parents(neighbours: &Neighbours, order: &[u32], place: &[u32]) -> Vec<u32> {
    let size = order.len();
    let (mut parent, mut ancestor) = (vec![ROOT; size], vec![ROOT; size]);
    for row in 0..size {
        for mut column in earlier(neighbours, order, place, row) {
            while ancestor[column] != ROOT && ancestor[column] != row as u32 {
                column = std::mem::replace(&mut ancestor[column], row as u32) as usize;
            }
            if ancestor[column] == ROOT {
                ancestor[column] = row as u32;
                parent[column] = row as u32;
            }
        }
    }
    parent
}

/// Returns the columns in postorder: every column comes directly after its whole subtree.
fn postorder(parent: &[u32]) -> Vec<u32> {
    let size = parent.len();
    let (mut first_child, mut sibling) = (vec![ROOT; size], vec![ROOT; size]);
    let mut roots = Vec::new();
    for column in (0..size).rev() {
        match parent[column] {
            ROOT => roots.push(column as u32),
            above => {
                sibling[column] = std::mem::replace(&mut first_child[above as usize], column as u32)
            }
        }
    }
    let mut order = Vec::with_capacity(size);
    let mut path = roots;
    while let Some(column) = path.last().copied() {
        match std::mem::replace(&mut first_child[column as usize], ROOT) {
            ROOT => {
                order.push(column);
                path.pop();
            }
            child => {
                first_child[column as usize] = sibling[child as usize];
                path.push(child);
            }
        }
    }
    order
}

//! The structure of a factor: supernodes, groups of columns that are stored and processed as one dense panel.

use std::ops::Range;

use pliant_kernels::math::LANES;

use crate::BlockMatrix;
use crate::elimination_tree::{EliminationTree, ROOT};
use crate::ordering::Neighbours;

/// Adjacent columns with (almost) the same rows, processed as one.
#[derive(Debug, Clone)]
pub(crate) struct Supernode {
    /// Its columns.
    pub(crate) columns: Range<usize>,
    /// Its rows, in [`Supernodes::rows`]; the first are its columns.
    pub(crate) rows: Range<usize>,
    /// Its panel, in packs.
    pub(crate) panel: Range<usize>,
    /// Its updates from earlier supernodes, in [`Supernodes::updates`].
    pub(crate) updates: Range<usize>,
    /// Its blocks of the matrix, in [`Supernodes::entries`].
    pub(crate) entries: Range<usize>,
}

impl Supernode {
    /// Returns the number of scalar columns of the panel.
    pub(crate) fn width(&self) -> usize {
        3 * self.columns.len()
    }

    /// Returns the number of tiles of [`LANES`] rows; the last is padded with zeros.
    pub(crate) fn tiles(&self) -> usize {
        (3 * self.rows.len()).div_ceil(LANES)
    }
}

/// An update of a supernode: rows `rows` of supernode `source` are columns of it.
#[derive(Debug, Clone)]
pub(crate) struct Update {
    pub(crate) source: u32,
    pub(crate) rows: Range<u32>,
}

/// A block of the matrix and its place in a panel.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Entry {
    pub(crate) block: u32,
    pub(crate) row: u32,
    pub(crate) column: u32,
    pub(crate) is_transposed: bool,
}

/// The structure of a factor, which depends only on the structure of the matrix.
#[derive(Debug)]
pub(crate) struct Supernodes {
    /// The unknown of every column.
    pub(crate) order: Vec<u32>,
    pub(crate) all: Vec<Supernode>,
    pub(crate) rows: Vec<u32>,
    of_column: Vec<u32>,
    pub(crate) updates: Vec<Update>,
    pub(crate) entries: Vec<Entry>,
}

impl Supernodes {
    pub(crate) fn new(matrix: &BlockMatrix, neighbours: &Neighbours, order: &[u32]) -> Self {
        let tree = EliminationTree::new(neighbours, order);
        let columns = merged(&tree, fundamental(&tree));
        let mut of_column = vec![0; order.len()];
        for (k, columns) in columns.iter().enumerate() {
            of_column[columns.clone()].fill(k as u32);
        }
        let (row_start, rows) = row_lists(&tree, neighbours, &columns, &of_column);
        let (update_start, updates) = updates(&columns, &row_start, &rows, &of_column);
        let (entry_start, entries) =
            entries(matrix, &tree, &columns, &row_start, &rows, &of_column);
        let mut all: Vec<Supernode> = Vec::with_capacity(columns.len());
        for (k, columns) in columns.into_iter().enumerate() {
            let start = all.last().map_or(0, |last| last.panel.end);
            let mut supernode = Supernode {
                columns,
                rows: row_start[k]..row_start[k + 1],
                panel: start..start,
                updates: update_start[k]..update_start[k + 1],
                entries: entry_start[k]..entry_start[k + 1],
            };
            supernode.panel.end = start + supernode.tiles() * supernode.width();
            all.push(supernode);
        }
        Self { order: tree.order, all, rows, of_column, updates, entries }
    }

    /// Returns the rows below the triangle of a supernode: the position in its panel, and the column of that unknown.
    pub(crate) fn below(&self, own: &Supernode) -> impl Iterator<Item = (usize, usize)> + use<'_> {
        let rows = self.rows[own.rows.clone()].iter().enumerate();
        rows.skip(own.columns.len()).map(|(k, row)| (k, *row as usize))
    }

    /// Returns the supernode of the first row below the triangle; `None` for a root.
    pub(crate) fn parent(&self, k: usize) -> Option<usize> {
        let (_, row) = self.below(&self.all[k]).next()?;
        Some(self.of_column[row] as usize)
    }

    /// Returns the number of tiles of the tallest panel.
    pub(crate) fn max_tiles(&self) -> usize {
        self.all.iter().map(Supernode::tiles).max().unwrap_or(0)
    }

    /// Returns the number of packs of all panels.
    pub(crate) fn size(&self) -> usize {
        self.all.last().map_or(0, |last| last.panel.end)
    }
}

/// Largest number of columns of a supernode: the operands of a product then fit in the first two cache levels.
const MAX_COLUMNS: usize = 48;

/// Fundamental supernodes: runs of columns in which each is the parent of the one before and has the same rows.
fn fundamental(tree: &EliminationTree) -> Vec<Range<usize>> {
    let mut runs: Vec<Range<usize>> = Vec::new();
    for column in 0..tree.order.len() {
        match runs.last_mut() {
            Some(run)
                if run.len() < MAX_COLUMNS
                    && tree.parent[column - 1] as usize == column
                    && tree.count[column - 1] == tree.count[column] + 1 =>
            {
                run.end = column + 1;
            }
            _ => runs.push(column..column + 1),
        }
    }
    runs
}

/// Widths up to which a supernode may be merged with the next one, and the largest fraction of zeros that this may
/// store (Ashcraft & Grimes 1989): the overhead of narrow panels costs more than the work on zeros.
const MERGES: [(usize, f64); 3] = [(6, 0.8), (16, 0.15), (usize::MAX, 0.05)];

/// Merges supernodes with their parents where the parent follows directly and few zeros have to be stored.
fn merged(tree: &EliminationTree, runs: Vec<Range<usize>>) -> Vec<Range<usize>> {
    // A run and the number of zero blocks stored in it.
    let mut done: Vec<(Range<usize>, usize)> = Vec::new();
    for run in runs {
        let mut current = (run, 0);
        while let Some((child, child_zeros)) = done.last()
            && tree.parent[child.end - 1] as usize == current.0.start
        {
            let columns = child.start..current.0.end;
            let beyond = |run: &Range<usize>| tree.count[run.end - 1] as usize - 1;
            // Every column of the child gets all rows of its parent, and has none beyond these.
            let added = current.0.len() + beyond(&current.0) - beyond(child);
            let zeros = child_zeros + current.1 + child.len() * added;
            let width = columns.len();
            let size = width * (width + 1) / 2 + width * beyond(&columns);
            let share = zeros as f64 / size as f64;
            let is_narrow = width <= MAX_COLUMNS;
            let is_worth = MERGES.iter().any(|(most, zeros)| width <= *most && share <= *zeros);
            if !(is_narrow && is_worth) {
                break;
            }
            current = (columns, zeros);
            done.pop();
        }
        done.push(current);
    }
    done.into_iter().map(|(columns, _)| columns).collect()
}

/// The rows of every supernode, ascending: those of its columns in the matrix and those of its children.
fn row_lists(
    tree: &EliminationTree,
    neighbours: &Neighbours,
    columns: &[Range<usize>],
    of_column: &[u32],
) -> (Vec<usize>, Vec<u32>) {
    let (mut start, mut rows) = (vec![0], Vec::new());
    let mut children: Vec<Vec<usize>> = vec![Vec::new(); columns.len()];
    let mut seen = vec![usize::MAX; tree.order.len()];
    for (k, columns) in columns.iter().enumerate() {
        let mut below: Vec<u32> = Vec::new();
        let mut add = |row: u32| {
            if row as usize >= columns.end && std::mem::replace(&mut seen[row as usize], k) != k {
                below.push(row);
            }
        };
        for column in columns.clone() {
            let others = neighbours.of(tree.order[column]).iter();
            others.for_each(|other| add(tree.place[*other as usize]));
        }
        for child in &children[k] {
            rows[start[*child]..start[*child + 1]].iter().for_each(|row| add(*row));
        }
        below.sort_unstable();
        rows.extend(columns.clone().map(|column| column as u32));
        rows.extend(below);
        start.push(rows.len());
        let parent = tree.parent[columns.end - 1];
        if parent != ROOT {
            children[of_column[parent as usize] as usize].push(k);
        }
    }
    (start, rows)
}

/// For every supernode, the rows of earlier supernodes that lie among its columns, in the order of these supernodes.
fn updates(
    columns: &[Range<usize>],
    row_start: &[usize],
    rows: &[u32],
    of_column: &[u32],
) -> (Vec<usize>, Vec<Update>) {
    let mut lists: Vec<Vec<Update>> = vec![Vec::new(); columns.len()];
    for source in 0..columns.len() {
        let own = &rows[row_start[source]..row_start[source + 1]];
        let mut k = columns[source].len();
        while k < own.len() {
            let target = of_column[own[k] as usize] as usize;
            let end = k + own[k..]
                .iter()
                .take_while(|row| (**row as usize) < columns[target].end)
                .count();
            lists[target].push(Update { source: source as u32, rows: k as u32..end as u32 });
            k = end;
        }
    }
    flattened(lists)
}

/// The blocks of the matrix, grouped by supernode.
fn entries(
    matrix: &BlockMatrix,
    tree: &EliminationTree,
    columns: &[Range<usize>],
    row_start: &[usize],
    rows: &[u32],
    of_column: &[u32],
) -> (Vec<usize>, Vec<Entry>) {
    let mut lists: Vec<Vec<Entry>> = vec![Vec::new(); columns.len()];
    for unknown in 0..matrix.size() {
        for block in matrix.column_start[unknown]..matrix.column_start[unknown + 1] {
            let (a, b) = (tree.place[matrix.rows[block] as usize], tree.place[unknown]);
            let (row, column) = (a.max(b), a.min(b));
            let owner = of_column[column as usize] as usize;
            let own = &rows[row_start[owner]..row_start[owner + 1]];
            lists[owner].push(Entry {
                block: block as u32,
                row: own.partition_point(|other| *other < row) as u32,
                column: column - columns[owner].start as u32,
                is_transposed: a < b,
            });
        }
    }
    flattened(lists)
}

/// Concatenates lists, and returns where each begins.
fn flattened<T>(lists: Vec<Vec<T>>) -> (Vec<usize>, Vec<T>) {
    let mut start = vec![0];
    start.extend(lists.iter().scan(0, |end, list| {
        *end += list.len();
        Some(*end)
    }));
    (start, lists.into_iter().flatten().collect())
}

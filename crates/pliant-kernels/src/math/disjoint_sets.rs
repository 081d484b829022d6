//! Disjoint sets (union–find).

/// A partition of the indices 0..n into sets, which can be joined and then listed.
///
/// The representative of a set is its smallest index, whatever the order in which sets were joined.
///
/// ```
/// use pliant_kernels::math::DisjointSets;
///
/// let mut sets = DisjointSets::new(5);
/// sets.join(0, 3);
/// sets.join(4, 3);
/// assert_eq!((sets.find(4), sets.set_count()), (0, 3));
/// assert_eq!(sets.iter().collect::<Vec<_>>(), [&[0, 3, 4][..], &[1], &[2]]);
/// ```
#[derive(Debug, Clone, Default)]
pub struct DisjointSets {
    /// A smaller index of the same set; the index itself if it is the smallest.
    parent: Vec<u32>,
    /// Indices, set after set; valid only if `listed`.
    members: Vec<u32>,
    /// Set `i` is `members[start[i]..start[i + 1]]`; valid only if `listed`.
    start: Vec<u32>,
    listed: bool,
}

impl DisjointSets {
    /// Creates `count` sets of one index each.
    pub fn new(count: usize) -> Self {
        let mut sets = Self::default();
        sets.reset(count);
        sets
    }

    /// Resets to `count` sets of one index each, and keeps the memory.
    pub fn reset(&mut self, count: usize) {
        self.parent.clear();
        self.parent.extend(0..count as u32);
        self.listed = false;
    }

    /// Joins the sets of two indices.
    pub fn join(&mut self, a: u32, b: u32) {
        let (a, b) = (self.find(a), self.find(b));
        self.parent[a.max(b) as usize] = a.min(b);
        self.listed = false;
    }

    /// Returns the representative of the set of `index`: its smallest index.
    pub fn find(&mut self, index: u32) -> u32 {
        let mut index = index;
        while self.parent[index as usize] != index {
            // Path halving: every visited index is linked to its grandparent.
            let above = self.parent[self.parent[index as usize] as usize];
            self.parent[index as usize] = above;
            index = above;
        }
        index
    }

    /// Returns the number of sets.
    pub fn set_count(&self) -> usize {
        (0..).zip(&self.parent).filter(|(index, parent)| index == *parent).count()
    }

    /// Returns all sets ordered by their smallest indices, each in ascending order.
    pub fn iter(&mut self) -> impl Iterator<Item = &[u32]> {
        self.list();
        self.start.windows(2).map(|range| &self.members[range[0] as usize..range[1] as usize])
    }

    fn list(&mut self) {
        if std::mem::replace(&mut self.listed, true) {
            return;
        }
        let count = self.parent.len() as u32;
        self.members.clear();
        self.members.extend(0..count);
        (0..count).for_each(|index| self.parent[index as usize] = self.find(index));
        let parent = &self.parent;
        self.members.sort_unstable_by_key(|index| (parent[*index as usize], *index));
        self.start.clear();
        let first = |at: &usize| parent[self.members[*at] as usize] == self.members[*at];
        self.start.extend((0..self.members.len()).filter(first).map(|at| at as u32));
        self.start.push(count);
    }
}

//! Disjoint sets with union and find.

/// Disjoint sets of numbers.
///
/// The representative of a set is its smallest number, whatever the order in which sets were joined.
#[derive(Debug, Clone)]
pub(crate) struct UnionFind {
    parent: Vec<u32>,
}

impl UnionFind {
    /// Sets of one number each.
    pub(crate) fn new(count: usize) -> Self {
        Self { parent: (0..count as u32).collect() }
    }

    /// Returns the representative of a number's set, and halves the path to it.
    pub(crate) fn find(&mut self, mut item: u32) -> u32 {
        while self.parent[item as usize] != item {
            let above = self.parent[self.parent[item as usize] as usize];
            self.parent[item as usize] = above;
            item = above;
        }
        item
    }

    /// Joins the sets of two numbers.
    pub(crate) fn join(&mut self, a: u32, b: u32) {
        let (a, b) = (self.find(a), self.find(b));
        self.parent[a.max(b) as usize] = a.min(b);
    }

    /// Number of sets.
    pub(crate) fn set_count(&self) -> usize {
        self.parent.iter().enumerate().filter(|(item, parent)| *item as u32 == **parent).count()
    }
}

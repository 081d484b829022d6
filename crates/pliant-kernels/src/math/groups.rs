//! Disjoint sets (union–find).

/// A partition of the indices 0..n into groups, which can be joined and then listed.
///
/// ```
/// use pliant_kernels::math::Groups;
///
/// let mut groups = Groups::default();
/// groups.reset(5);
/// groups.join(0, 3);
/// groups.join(3, 4);
/// assert_eq!(groups.iter().collect::<Vec<_>>(), [&[0, 3, 4][..], &[1], &[2]]);
/// ```
#[derive(Debug, Clone, Default)]
pub struct Groups {
    /// An earlier member of the same group; the index itself if it is the first.
    parent: Vec<u32>,
    /// Members, group after group; valid only if `listed`.
    members: Vec<u32>,
    /// Groups are `start[i]..start[i + 1]`.
    start: Vec<u32>,
    listed: bool,
}

impl Groups {
    /// Resets to `count` groups of one member each.
    pub fn reset(&mut self, count: usize) {
        self.parent.clear();
        self.parent.extend(0..count as u32);
        self.listed = false;
    }

    /// Joins the groups of `a` and `b`.
    pub fn join(&mut self, a: u32, b: u32) {
        let (a, b) = (self.first(a), self.first(b));
        self.parent[a.max(b) as usize] = a.min(b);
        self.listed = false;
    }

    /// Returns the first member of the group of `member`.
    pub fn first(&mut self, member: u32) -> u32 {
        let mut member = member;
        while self.parent[member as usize] != member {
            let above = self.parent[self.parent[member as usize] as usize];
            self.parent[member as usize] = above;
            member = above;
        }
        member
    }

    /// Returns all groups ordered by their first members, each in ascending order.
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
        (0..count).for_each(|member| self.parent[member as usize] = self.first(member));
        let parent = &self.parent;
        self.members.sort_unstable_by_key(|member| (parent[*member as usize], *member));
        self.start.clear();
        let first = |at: &usize| parent[self.members[*at] as usize] == self.members[*at];
        self.start.extend((0..self.members.len()).filter(first).map(|at| at as u32));
        self.start.push(count);
    }
}

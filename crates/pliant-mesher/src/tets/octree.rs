//! An octree of cubes whose neighbours differ by one level at most.

use pliant_kernels::math::parallel_map;
use std::collections::HashSet;

/// A cube of the octree.
///
/// The finest cubes have level 0 and a side of 2 units; each level doubles the side.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Cube {
    pub(super) level: u8,
    /// Its index among the cubes of its level, along each axis.
    pub(super) index: [i32; 3],
}

impl Cube {
    /// The side, in units.
    pub(super) fn side(&self) -> i32 {
        2 << self.level
    }

    /// The corner with the smallest coordinates, in units.
    pub(super) fn low(&self) -> [i32; 3] {
        self.index.map(|index| index * self.side())
    }

    /// The centre, in units.
    pub(super) fn middle(&self) -> [i32; 3] {
        self.low().map(|low| low + self.side() / 2)
    }

    /// The squared distance of a point to the cube, in squared units.
    fn distance_squared(&self, point: [f64; 3]) -> f64 {
        let (low, side) = (self.low(), f64::from(self.side()));
        let off = |axis: usize| {
            let x = point[axis] - f64::from(low[axis]);
            (-x).max(x - side).max(0.0)
        };
        off(0).powi(2) + off(1).powi(2) + off(2).powi(2)
    }

    fn parent(&self) -> Self {
        Self { level: self.level + 1, index: self.index.map(|index| index >> 1) }
    }

    fn child(&self, number: i32) -> Self {
        let bit = |axis: usize| 2 * self.index[axis] + ((number >> axis) & 1);
        Self { level: self.level - 1, index: [bit(0), bit(1), bit(2)] }
    }

    /// The cube of the same level at this offset, in cubes.
    pub(super) fn shifted(&self, by: [i32; 3]) -> Self {
        let index = std::array::from_fn(|axis| self.index[axis] + by[axis]);
        Self { level: self.level, index }
    }
}

/// The neighbour across a face of a leaf.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Neighbour {
    /// No neighbour: the face lies on the boundary of the octree.
    None,
    /// Four leaves of the next finer level.
    Finer,
    /// A leaf of the same level.
    Same(Cube),
    /// A leaf of the next coarser level.
    Coarser(Cube),
}

/// An octree balanced across faces and edges: leaves that share one differ by at most one level.
#[derive(Debug, Clone)]
pub(super) struct Octree {
    root: Cube,
    /// The cubes that are cut. Only looked up, never iterated: its order does not matter.
    cut: HashSet<Cube>,
}

impl Octree {
    /// A single cube of this level with its corner at the origin.
    pub(super) fn new(level: u8) -> Self {
        Self { root: Cube { level, index: [0; 3] }, cut: HashSet::new() }
    }

    /// Cuts leaves above the finest level while `wanted` returns true for them; at most `most` leaves.
    ///
    /// The error is the number of leaves reached.
    pub(super) fn refine(
        &mut self,
        most: usize,
        wanted: impl Fn(&Cube) -> bool + Sync,
    ) -> Result<(), usize> {
        let mut asked = HashSet::new();
        loop {
            let leaves = self.leaves();
            if leaves.len() > most {
                return Err(leaves.len());
            }
            let open: Vec<Cube> =
                leaves.into_iter().filter(|leaf| leaf.level > 0 && asked.insert(*leaf)).collect();
            let cuts: Vec<bool> = parallel_map(&open, &wanted);
            if !cuts.contains(&true) {
                return Ok(());
            }
            open.iter().zip(cuts).filter(|(_, cut)| *cut).for_each(|(leaf, _)| self.cut(*leaf));
        }
    }

    /// Cuts a cube, and all cubes that must be cut for it to exist and for balance.
    pub(super) fn cut(&mut self, cube: Cube) {
        if cube.level == 0 || !self.holds(&cube) || self.cut.contains(&cube) {
            return;
        }
        if cube.level < self.root.level {
            self.cut(cube.parent());
        }
        self.cut.insert(cube);
        if cube.level < self.root.level {
            for by in face_and_edge_steps() {
                let neighbour = cube.shifted(by);
                if self.holds(&neighbour) {
                    self.cut(neighbour.parent());
                }
            }
        }
    }

    /// The level of the leaf that contains a point, in units.
    pub(super) fn level_at(&self, point: [f64; 3]) -> u8 {
        let mut cube = self.root;
        while self.is_cut(&cube) {
            let middle = cube.middle();
            let bit = |axis: usize| i32::from(point[axis] >= f64::from(middle[axis])) << axis;
            cube = cube.child(bit(0) | bit(1) | bit(2));
        }
        cube.level
    }

    /// Cuts leaves above a level that come nearer than `reach` to a point, all in units.
    pub(super) fn cut_near(&mut self, point: [f64; 3], reach: f64, level: u8) {
        let mut stack = vec![self.root];
        while let Some(cube) = stack.pop() {
            if cube.level > level && cube.distance_squared(point) < reach * reach {
                self.cut(cube);
                stack.extend((0..8).map(|number| cube.child(number)));
            }
        }
    }

    /// True if a cube lies within the root.
    fn holds(&self, cube: &Cube) -> bool {
        let count = 1 << (self.root.level - cube.level);
        cube.index.iter().all(|index| (0..count).contains(index))
    }

    /// Returns true if a cube is cut.
    pub(super) fn is_cut(&self, cube: &Cube) -> bool {
        self.cut.contains(cube)
    }

    /// Returns the neighbour across the face of a leaf in the direction `by`.
    pub(super) fn neighbour(&self, leaf: &Cube, by: [i32; 3]) -> Neighbour {
        let there = leaf.shifted(by);
        if !self.holds(&there) {
            Neighbour::None
        } else if self.is_cut(&there) {
            Neighbour::Finer
        } else if self.is_cut(&there.parent()) {
            Neighbour::Same(there)
        } else {
            Neighbour::Coarser(there.parent())
        }
    }

    /// All leaves, with the eight children of each cube together.
    pub(super) fn leaves(&self) -> Vec<Cube> {
        let (mut leaves, mut stack) = (Vec::new(), vec![self.root]);
        while let Some(cube) = stack.pop() {
            if self.is_cut(&cube) {
                stack.extend((0..8).rev().map(|number| cube.child(number)));
            } else {
                leaves.push(cube);
            }
        }
        leaves
    }
}

/// The steps to the 18 neighbours across faces and edges.
fn face_and_edge_steps() -> impl Iterator<Item = [i32; 3]> {
    let steps = (0..27).map(|n| [n % 3 - 1, n / 3 % 3 - 1, n / 9 - 1]);
    steps.filter(|step| matches!(step.iter().filter(|x| **x != 0).count(), 1 | 2))
}

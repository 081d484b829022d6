//! Keys that identify the nodes shared by neighbouring cells.

use crate::element::{CellShape, barycentric_weights};

/// Largest number of corners that a node can depend on: the middle of a hexahedron.
const MAX_CORNERS: usize = 8;

/// The location of a node, as weights on the mesh corners it depends on.
///
/// A node inside an edge depends on two corners, one inside a face on three or four. Two cells that share the edge or
/// face give the same key, whatever the order of their corners. Keys sort the same way on every machine.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NodeKey([(u32, u32); MAX_CORNERS]);

impl NodeKey {
    /// Padding of unused entries.
    const NONE: (u32, u32) = (u32::MAX, 0);

    /// Key of the lattice point `point`/`d` of a cell with these corners.
    ///
    /// Weights are reduced to lowest terms, so that cells of different shapes and degrees agree on a common edge or
    /// face.
    pub fn new(shape: CellShape, corners: &[u32], d: usize, point: [usize; 3]) -> Self {
        let weights = barycentric_weights(shape, d, point);
        let divisor = weights.iter().fold(0, |a, b| gcd(a, *b)).max(1);
        let mut entries = [Self::NONE; MAX_CORNERS];
        let present = corners.iter().zip(&weights).filter(|(_, weight)| **weight > 0);
        for (entry, (corner, weight)) in entries.iter_mut().zip(present) {
            *entry = (*corner, (weight / divisor) as u32);
        }
        entries.sort_unstable();
        Self(entries)
    }

    /// Key of a corner.
    pub fn of_corner(corner: u32) -> Self {
        let mut entries = [Self::NONE; MAX_CORNERS];
        entries[0] = (corner, 1);
        Self(entries)
    }

    /// Returns the corners it depends on, ascending.
    pub fn corners(&self) -> impl Iterator<Item = u32> {
        self.0.into_iter().filter(|(_, weight)| *weight > 0).map(|(corner, _)| corner)
    }
}

fn gcd(a: usize, b: usize) -> usize {
    if b == 0 { a } else { gcd(b, a % b) }
}

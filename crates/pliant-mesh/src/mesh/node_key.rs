//! Recognising the nodes that neighbouring cells share.

use crate::element::{CellShape, barycentric_weights};

/// Most corners a node can depend on: the middle of a hexahedron.
const MOST: usize = 8;

/// Where a node lies, as weights on the corners of the mesh it depends on.
///
/// A node inside an edge depends on two corners, inside a face on three or four; two cells that
/// share the edge or face give the same key, whichever way round they list it. Keys order the
/// same way on every machine.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NodeKey([(u32, u32); MOST]);

impl NodeKey {
    /// Fills the places that no corner takes.
    const NONE: (u32, u32) = (u32::MAX, 0);

    /// Key of the lattice point `point`/`d` of a cell with these corners.
    ///
    /// Weights are reduced to lowest terms, so lattices of cells of other shapes agree on a
    /// common edge or face.
    pub fn new(shape: CellShape, corners: &[u32], d: usize, point: [usize; 3]) -> Self {
        let weights = barycentric_weights(shape, d, point);
        let divisor = weights.iter().fold(0, |a, b| gcd(a, *b)).max(1);
        let mut entries = [Self::NONE; MOST];
        let present = corners.iter().zip(&weights).filter(|(_, weight)| **weight > 0);
        for (entry, (corner, weight)) in entries.iter_mut().zip(present) {
            *entry = (*corner, (weight / divisor) as u32);
        }
        entries.sort_unstable();
        Self(entries)
    }

    /// Key of a corner.
    pub fn of_corner(corner: u32) -> Self {
        let mut entries = [Self::NONE; MOST];
        entries[0] = (corner, 1);
        Self(entries)
    }

    /// The corners it depends on, rising.
    pub fn corners(&self) -> impl Iterator<Item = u32> {
        self.0.into_iter().filter(|(_, weight)| *weight > 0).map(|(corner, _)| corner)
    }
}

fn gcd(a: usize, b: usize) -> usize {
    if b == 0 { a } else { gcd(b, a % b) }
}

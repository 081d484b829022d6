//! Connected components of a mesh.

use std::collections::BTreeMap;

use glam::DVec3;
use pliant::geometry::Surface;
use pliant_kernels::math::DisjointSets;

use crate::SurfaceTree;
use crate::open_edges::welded_vertices;

use super::dihedral::determinant;
use super::stuffing::Stuffed;

/// The result of dropping crumbs.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Kept {
    /// The number of components kept.
    pub(super) pieces: usize,
    /// The number of cells dropped.
    pub(super) dropped: usize,
}

/// Drops crumbs: small components separated from the body because a neck is too thin for the lattice.
///
/// Of the components that belong to one connected part of the surface, those with less than a twentieth of the volume
/// of the largest are dropped.
pub(super) fn drop_crumbs(stuffed: &mut Stuffed, surface: &Surface, tree: &SurfaceTree) -> Kept {
    const MAX_CRUMB_SHARE: f64 = 0.05;
    let piece_of = cell_pieces(&stuffed.cells);
    let corners = |cell: &[u32; 4]| cell.map(|node| stuffed.nodes[node as usize]);
    let mut volumes: BTreeMap<u32, f64> = BTreeMap::new();
    for (cell, piece) in stuffed.cells.iter().zip(&piece_of) {
        *volumes.entry(*piece).or_default() += determinant(&corners(cell)) / 6.0;
    }
    if volumes.len() == 1 {
        return Kept { pieces: 1, dropped: 0 };
    }
    let shells = triangle_shells(surface);
    let shell = |piece: u32| {
        let middle = corners(&stuffed.cells[piece as usize]).iter().sum::<DVec3>() / 4.0;
        shells[tree.nearest(middle).triangle as usize]
    };
    let mut largest: BTreeMap<u32, f64> = BTreeMap::new();
    for (piece, volume) in &volumes {
        let most = largest.entry(shell(*piece)).or_default();
        *most = most.max(*volume);
    }
    volumes.retain(|piece, volume| *volume >= MAX_CRUMB_SHARE * largest[&shell(*piece)]);
    let before = stuffed.cells.len();
    let kept = stuffed.cells.iter().zip(&piece_of).filter(|(_, piece)| volumes.contains_key(piece));
    stuffed.cells = kept.map(|(cell, _)| *cell).collect();
    renumber(stuffed);
    Kept { pieces: volumes.len(), dropped: before - stuffed.cells.len() }
}

/// For every cell, the first cell that is connected to it by faces.
fn cell_pieces(cells: &[[u32; 4]]) -> Vec<u32> {
    let mut faces: Vec<([u32; 3], u32)> = Vec::with_capacity(4 * cells.len());
    for (number, cell) in (0u32..).zip(cells) {
        for off in 0..4 {
            let mut face = [cell[(off + 1) % 4], cell[(off + 2) % 4], cell[(off + 3) % 4]];
            face.sort_unstable();
            faces.push((face, number));
        }
    }
    faces.sort_unstable();
    let mut parts = DisjointSets::new(cells.len());
    for pair in faces.windows(2).filter(|pair| pair[0].0 == pair[1].0) {
        parts.join(pair[0].1, pair[1].1);
    }
    (0..cells.len() as u32).map(|cell| parts.find(cell)).collect()
}

/// For every triangle, the first vertex of its connected part of the surface.
fn triangle_shells(surface: &Surface) -> Vec<u32> {
    let welded = welded_vertices(surface);
    let mut parts = DisjointSets::new(surface.vertices.len());
    for corners in &surface.triangles {
        let [a, b, c] = corners.map(|vertex| welded[vertex as usize]);
        parts.join(a, b);
        parts.join(b, c);
    }
    surface.triangles.iter().map(|corners| parts.find(welded[corners[0] as usize])).collect()
}

/// Drops nodes that no cell uses.
fn renumber(stuffed: &mut Stuffed) {
    let mut numbers = vec![u32::MAX; stuffed.nodes.len()];
    let mut nodes = Vec::new();
    for node in stuffed.cells.iter_mut().flatten() {
        let number = &mut numbers[*node as usize];
        if *number == u32::MAX {
            *number = nodes.len() as u32;
            nodes.push(stuffed.nodes[*node as usize]);
        }
        *node = *number;
    }
    stuffed.nodes = nodes;
}

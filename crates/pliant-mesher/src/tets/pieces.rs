//! Connected components of a mesh.

use std::collections::BTreeMap;

use glam::DVec3;
use pliant::geometry::Surface;
use pliant_kernels::math::{DisjointSets, parallel_map};

use crate::SurfaceTree;

use super::dihedral::determinant;
use super::shells::Shells;
use super::stuffing::Stuffed;

/// The result of dropping crumbs.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Kept {
    /// The number of components kept.
    pub(super) pieces: usize,
    /// The number of cells dropped.
    pub(super) dropped: usize,
}

/// The surface that the cells were made for, and its connected parts.
#[derive(Debug)]
pub(super) struct Parts<'a> {
    pub(super) surface: &'a Surface,
    pub(super) tree: &'a SurfaceTree,
    pub(super) shells: &'a Shells,
    /// Components no longer than this may be dropped as crumbs; infinite if nothing limits them.
    pub(super) longest_crumb: f64,
}

/// A component of the cells.
#[derive(Debug)]
struct Piece {
    /// The connected part of the surface that it belongs to.
    shell: u32,
    volume: f64,
    low: DVec3,
    high: DVec3,
}

/// A gap between two components that belong to one part of the surface: a neck too thin for the lattice.
#[derive(Debug, Clone, Copy)]
pub(super) struct Neck {
    pub(super) middle: DVec3,
    pub(super) gap: f64,
}

impl Parts<'_> {
    /// Drops crumbs: small components separated from the body because a neck is too thin for the lattice.
    ///
    /// Of the components that belong to one connected part of the surface, those with less than a twentieth of the
    /// volume of the largest are dropped, unless they are long.
    pub(super) fn drop_crumbs(&self, stuffed: &mut Stuffed) -> Kept {
        const MAX_CRUMB_SHARE: f64 = 0.05;
        let piece_of = cell_pieces(&stuffed.cells);
        let mut pieces = self.pieces(stuffed, &piece_of);
        let largest = largest(&pieces);
        pieces.retain(|_, piece| {
            piece.volume >= MAX_CRUMB_SHARE * pieces_volume(&largest, piece)
                || (piece.high - piece.low).length() > self.longest_crumb
        });
        let before = stuffed.cells.len();
        let kept = stuffed.cells.iter().zip(&piece_of);
        let kept = kept.filter(|(_, piece)| pieces.contains_key(piece));
        stuffed.cells = kept.map(|(cell, _)| *cell).collect();
        let dropped = before - stuffed.cells.len();
        if dropped > 0 {
            renumber(stuffed);
        }
        Kept { pieces: pieces.len(), dropped }
    }

    /// The necks between the largest component of each part of the surface and the others.
    pub(super) fn necks(&self, stuffed: &Stuffed) -> Vec<Neck> {
        /// The largest number of components whose necks are searched at a time: each takes a tree of all corners.
        const MAX_SEARCHED: usize = 4;
        let piece_of = cell_pieces(&stuffed.cells);
        let pieces = self.pieces(stuffed, &piece_of);
        let largest = largest(&pieces);
        let is_part = |piece: &Piece| piece.volume < pieces_volume(&largest, piece);
        let mut parts: Vec<(u32, f64)> =
            pieces.iter().filter(|(_, p)| is_part(p)).map(|(k, p)| (*k, p.volume)).collect();
        parts.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        parts.truncate(MAX_SEARCHED);
        let corners_of = |wanted: &dyn Fn(u32) -> bool| -> Vec<DVec3> {
            let cells = stuffed.cells.iter().zip(&piece_of).filter(|(_, piece)| wanted(**piece));
            cells.flat_map(|(cell, _)| cell.map(|node| stuffed.nodes[node as usize])).collect()
        };
        let neck = |(part, _): &(u32, f64)| {
            let shell = pieces[part].shell;
            let own = corners_of(&|piece| piece == *part);
            let others = corners_of(&|piece| piece != *part && pieces[&piece].shell == shell);
            let tree = SurfaceTree::of_corners(others.iter().map(|x| [*x; 3]).collect());
            let gaps = own.iter().map(|x| (*x, tree.nearest(*x)));
            let nearest = gaps.min_by(|a, b| a.1.distance.total_cmp(&b.1.distance))?;
            let (from, to) = nearest;
            Some(Neck { middle: from.midpoint(to.point), gap: to.distance })
        };
        parallel_map(&parts, neck).into_iter().flatten().collect()
    }

    fn pieces(&self, stuffed: &Stuffed, piece_of: &[u32]) -> BTreeMap<u32, Piece> {
        let corners = |cell: &[u32; 4]| cell.map(|node| stuffed.nodes[node as usize]);
        let mut pieces: BTreeMap<u32, Piece> = BTreeMap::new();
        for (cell, number) in stuffed.cells.iter().zip(piece_of) {
            let corners = corners(cell);
            let piece = pieces.entry(*number).or_insert(Piece {
                shell: 0,
                volume: 0.0,
                low: DVec3::INFINITY,
                high: DVec3::NEG_INFINITY,
            });
            piece.volume += determinant(&corners) / 6.0;
            piece.low = corners.iter().fold(piece.low, |low, x| low.min(*x));
            piece.high = corners.iter().fold(piece.high, |high, x| high.max(*x));
        }
        if pieces.len() > 1 {
            for (number, piece) in &mut pieces {
                let middle = corners(&stuffed.cells[*number as usize]).iter().sum::<DVec3>() / 4.0;
                piece.shell =
                    self.shells.of_triangle(self.surface, self.tree.nearest(middle).triangle);
            }
        }
        pieces
    }
}

/// The volume of the largest component of each part of the surface.
fn largest(pieces: &BTreeMap<u32, Piece>) -> BTreeMap<u32, f64> {
    let mut largest: BTreeMap<u32, f64> = BTreeMap::new();
    for piece in pieces.values() {
        let most = largest.entry(piece.shell).or_default();
        *most = most.max(piece.volume);
    }
    largest
}

fn pieces_volume(largest: &BTreeMap<u32, f64>, piece: &Piece) -> f64 {
    largest.get(&piece.shell).copied().unwrap_or(0.0)
}

/// For every cell, the first cell that is connected to it by faces.
fn cell_pieces(cells: &[[u32; 4]]) -> Vec<u32> {
    let mut parts = DisjointSets::new(cells.len());
    for pair in cell_faces(cells).windows(2).filter(|pair| pair[0].key == pair[1].key) {
        parts.join(pair[0].cell, pair[1].cell);
    }
    (0..cells.len() as u32).map(|cell| parts.find(cell)).collect()
}

/// The faces that belong to one cell only, seen from outside anticlockwise.
pub(super) fn boundary_triangles(cells: &[[u32; 4]]) -> Vec<[u32; 3]> {
    let faces = cell_faces(cells);
    let single = faces.chunk_by(|a, b| a.key == b.key).filter(|run| run.len() == 1);
    single.map(|run| run[0].corners).collect()
}

/// A face of a cell.
struct CellFace {
    /// Its corners, ascending.
    key: [u32; 3],
    /// Its corners, seen from outside anticlockwise.
    corners: [u32; 3],
    cell: u32,
}

/// All faces of all cells; those between the same corners follow each other.
fn cell_faces(cells: &[[u32; 4]]) -> Vec<CellFace> {
    let mut faces: Vec<CellFace> = Vec::with_capacity(4 * cells.len());
    for (number, [a, b, c, d]) in (0u32..).zip(cells.iter().copied()) {
        for corners in [[b, c, d], [a, d, c], [a, b, d], [a, c, b]] {
            let mut key = corners;
            key.sort_unstable();
            faces.push(CellFace { key, corners, cell: number });
        }
    }
    faces.sort_unstable_by_key(|face| (face.key, face.cell));
    faces
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

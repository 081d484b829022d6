//! Edges and faces of the reference cells, by corner.

use super::kind::{CellShape, Kind};
use super::lattice::{lattice, reference_corners};

/// The polygonal shape of a face.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum FaceShape {
    /// Three corners.
    Triangle,
    /// Four corners.
    Quadrilateral,
}

impl FaceShape {
    /// Returns the shape with this many corners (3 or 4).
    pub const fn of_corners(count: usize) -> Self {
        if count == 3 { Self::Triangle } else { Self::Quadrilateral }
    }
}

/// Returns the edges as pairs of corners. Their order and direction define the order of edge nodes.
pub const fn edges(shape: CellShape) -> &'static [[usize; 2]] {
    match shape {
        CellShape::Tetrahedron => &[[0, 1], [1, 2], [2, 0], [0, 3], [1, 3], [2, 3]],
        CellShape::Hexahedron => &[
            [0, 1],
            [1, 2],
            [3, 2],
            [0, 3],
            [4, 5],
            [5, 6],
            [7, 6],
            [4, 7],
            [0, 4],
            [1, 5],
            [2, 6],
            [3, 7],
        ],
        CellShape::Prism => {
            &[[0, 1], [1, 2], [2, 0], [3, 4], [4, 5], [5, 3], [0, 3], [1, 4], [2, 5]]
        }
        CellShape::Pyramid => &[[0, 1], [1, 2], [3, 2], [0, 3], [0, 4], [1, 4], [2, 4], [3, 4]],
    }
}

/// Returns the faces as rings of corners, anticlockwise seen from outside a cell of positive volume.
pub const fn faces(shape: CellShape) -> &'static [&'static [usize]] {
    match shape {
        CellShape::Tetrahedron => &[&[0, 2, 1], &[0, 1, 3], &[1, 2, 3], &[0, 3, 2]],
        CellShape::Hexahedron => &[
            &[0, 4, 7, 3],
            &[1, 2, 6, 5],
            &[0, 1, 5, 4],
            &[3, 7, 6, 2],
            &[0, 3, 2, 1],
            &[4, 5, 6, 7],
        ],
        CellShape::Prism => &[&[0, 2, 1], &[3, 4, 5], &[0, 1, 4, 3], &[1, 2, 5, 4], &[0, 3, 5, 2]],
        CellShape::Pyramid => &[&[0, 3, 2, 1], &[0, 1, 4], &[1, 2, 4], &[2, 3, 4], &[0, 4, 3]],
    }
}

/// Returns the local nodes on edge `edge`, from its first corner to its second.
pub fn edge_nodes(kind: Kind, edge: usize) -> Vec<usize> {
    let p = kind.degree();
    let [a, b] = edges(kind.shape())[edge];
    (0..=p).map(|k| node_at(kind, &[(a, p - k), (b, k)])).collect()
}

/// Returns the local nodes of face `face`, row by row.
///
/// A triangle (a, b, c) lists its control points by rows parallel to ab, starting at a; a
/// quadrilateral (a, b, c, d) by rows parallel to ab, from ab to dc.
pub fn face_nodes(kind: Kind, face: usize) -> Vec<usize> {
    let p = kind.degree();
    let corners = faces(kind.shape())[face];
    let mut nodes = Vec::new();
    for j in 0..=p {
        match *corners {
            [a, b, c] => {
                for i in 0..=p - j {
                    nodes.push(node_at(kind, &[(a, p - i - j), (b, i), (c, j)]));
                }
            }
            [a, b, c, d] => {
                for i in 0..=p {
                    let (i1, j1) = (p - i, p - j);
                    nodes
                        .push(node_at(kind, &[(a, i1 * j1), (b, i * j1), (c, i * j), (d, i1 * j)]));
                }
            }
            _ => unreachable!("faces have three or four corners"),
        }
    }
    nodes
}

/// The local node at the weighted mean of corners, which exists for every edge and face lattice.
fn node_at(kind: Kind, weights: &[(usize, usize)]) -> usize {
    let corners = reference_corners(kind.shape());
    let total: usize = weights.iter().map(|(_, weight)| weight).sum();
    let point: [usize; 3] = std::array::from_fn(|axis| {
        let sum: usize =
            weights.iter().map(|&(corner, weight)| weight * corners[corner][axis]).sum();
        sum * kind.degree() / total
    });
    lattice(kind).iter().position(|node| *node == point).expect("a face's lattice is its cell's")
}

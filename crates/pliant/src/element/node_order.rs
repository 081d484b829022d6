//! The node orders of Gmsh and VTK.
//!
//! `order[k]` is our local node at place k of a file's cell. Corners agree everywhere; what
//! differs is the order and direction of edges and the order of faces, so those are what is
//! written down here, and the tables follow from the lattice.

use super::kind::{CellShape, Kind};
use super::lattice::{lattice, reference_corners};

type Edges = &'static [[usize; 2]];
type Faces = &'static [&'static [usize]];

/// Gmsh's order (its reference manual, "Node ordering").
pub fn gmsh_order(kind: Kind) -> Vec<usize> {
    let (edges, faces): (Edges, Faces) = match kind.shape() {
        CellShape::Tetrahedron => (
            &[[0, 1], [1, 2], [2, 0], [3, 0], [3, 2], [3, 1]],
            &[&[0, 2, 1], &[0, 1, 3], &[0, 3, 2], &[3, 1, 2]],
        ),
        CellShape::Hexahedron => (
            &[
                [0, 1],
                [0, 3],
                [0, 4],
                [1, 2],
                [1, 5],
                [2, 3],
                [2, 6],
                [3, 7],
                [4, 5],
                [4, 7],
                [5, 6],
                [6, 7],
            ],
            &[
                &[0, 3, 2, 1],
                &[0, 1, 5, 4],
                &[0, 4, 7, 3],
                &[1, 2, 6, 5],
                &[2, 3, 7, 6],
                &[4, 5, 6, 7],
            ],
        ),
        CellShape::Prism | CellShape::Pyramid => (&[], &[]),
    };
    order(kind, edges, faces)
}

/// VTK's order for `VTK_QUADRATIC_TETRA`, `VTK_TRIQUADRATIC_HEXAHEDRON` and, for cubic
/// tetrahedra, `VTK_LAGRANGE_TETRAHEDRON` and `VTK_BEZIER_TETRAHEDRON`.
pub fn vtk_order(kind: Kind) -> Vec<usize> {
    let (edges, faces): (Edges, Faces) = match kind.shape() {
        CellShape::Tetrahedron => (
            &[[0, 1], [1, 2], [2, 0], [0, 3], [1, 3], [2, 3]],
            &[&[0, 1, 3], &[1, 2, 3], &[0, 3, 2], &[0, 2, 1]],
        ),
        CellShape::Hexahedron => (
            &[
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
            &[
                &[0, 4, 7, 3],
                &[1, 2, 6, 5],
                &[0, 1, 5, 4],
                &[3, 7, 6, 2],
                &[0, 3, 2, 1],
                &[4, 5, 6, 7],
            ],
        ),
        CellShape::Prism | CellShape::Pyramid => (&[], &[]),
    };
    order(kind, edges, faces)
}

/// Corners, then edges, faces (one inner node each up to degree 3) and the middle.
fn order(kind: Kind, edges: Edges, faces: Faces) -> Vec<usize> {
    let (p, corners, nodes) = (kind.degree(), reference_corners(kind.shape()), lattice(kind));
    let find = |point: [usize; 3]| nodes.iter().position(|node| *node == point);
    let mut order: Vec<usize> = (0..corners.len()).collect();
    for [a, b] in edges {
        for k in 1..p {
            let point = std::array::from_fn(|x| (p - k) * corners[*a][x] + k * corners[*b][x]);
            order.extend(find(point));
        }
    }
    for face in faces {
        let centre = std::array::from_fn(|x| {
            face.iter().map(|corner| corners[*corner][x]).sum::<usize>() * p / face.len()
        });
        // Quadratic triangles have no inner node: there the centre is not a lattice point.
        let exact = face.len() == 4 || p.is_multiple_of(3);
        order.extend(find(centre).filter(|_| p > 1 && exact));
    }
    let rest: Vec<usize> = (0..nodes.len()).filter(|node| !order.contains(node)).collect();
    order.extend(rest);
    order
}

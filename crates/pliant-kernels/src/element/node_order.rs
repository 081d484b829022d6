//! The node orders of Gmsh and VTK.
//!
//! `order[k]` is our local node at position k of a cell in a file. Corners agree, except those of VTK's wedge. Edges
//! differ in order and direction, and faces in order; only these are listed here, and the tables follow from the
//! lattice.

use super::kind::{CellShape, Kind};
use super::lattice::{lattice, reference_corners};
use super::topology::{edges, faces};

type Edges = &'static [[usize; 2]];
type Faces = &'static [&'static [usize]];

/// Returns the node order of Gmsh (its reference manual, "Node ordering").
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

/// Returns the node order of VTK for its linear cells, `VTK_QUADRATIC_TETRA`, `VTK_TRIQUADRATIC_HEXAHEDRON`
/// and, for cubic tetrahedra, `VTK_LAGRANGE_TETRAHEDRON` and `VTK_BEZIER_TETRAHEDRON`.
///
/// VTK's wedge is the mirror image of our prism: its faces have outward normals only if the triangle
/// (0, 1, 2) is clockwise seen from (3, 4, 5) (the documentation of `vtkWedge`; its surface filters
/// agree).
pub fn vtk_order(kind: Kind) -> Vec<usize> {
    let shape = kind.shape();
    match shape {
        CellShape::Tetrahedron => {
            order(kind, edges(shape), &[&[0, 1, 3], &[1, 2, 3], &[0, 3, 2], &[0, 2, 1]])
        }
        CellShape::Hexahedron => order(kind, edges(shape), faces(shape)),
        CellShape::Prism => vec![0, 2, 1, 3, 5, 4],
        CellShape::Pyramid => order(kind, &[], &[]),
    }
}

/// Builds the order: corners, edges, faces (one inner node each up to degree 3), then the cell interior.
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

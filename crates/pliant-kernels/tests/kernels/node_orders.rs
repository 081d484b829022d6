//! Node orders of Gmsh and VTK, compared with the output of those programs.

use pliant_kernels::element::{Kind, gmsh_order, lattice, vtk_order};

/// Gmsh 4.15, `getElementProperties`: node coordinates in its order, in units of 1/degree.
const GMSH_TET10: [[usize; 3]; 10] = [
    [0, 0, 0],
    [2, 0, 0],
    [0, 2, 0],
    [0, 0, 2],
    [1, 0, 0],
    [1, 1, 0],
    [0, 1, 0],
    [0, 0, 1],
    [0, 1, 1],
    [1, 0, 1],
];
const GMSH_TET20: [[usize; 3]; 20] = [
    [0, 0, 0],
    [3, 0, 0],
    [0, 3, 0],
    [0, 0, 3],
    [1, 0, 0],
    [2, 0, 0],
    [2, 1, 0],
    [1, 2, 0],
    [0, 2, 0],
    [0, 1, 0],
    [0, 0, 2],
    [0, 0, 1],
    [0, 1, 2],
    [0, 2, 1],
    [1, 0, 2],
    [2, 0, 1],
    [1, 1, 0],
    [1, 0, 1],
    [0, 1, 1],
    [1, 1, 1],
];
const GMSH_HEX27: [[usize; 3]; 27] = [
    [0, 0, 0],
    [2, 0, 0],
    [2, 2, 0],
    [0, 2, 0],
    [0, 0, 2],
    [2, 0, 2],
    [2, 2, 2],
    [0, 2, 2],
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
    [2, 1, 0],
    [2, 0, 1],
    [1, 2, 0],
    [2, 2, 1],
    [0, 2, 1],
    [1, 0, 2],
    [0, 1, 2],
    [2, 1, 2],
    [1, 2, 2],
    [1, 1, 0],
    [1, 0, 1],
    [0, 1, 1],
    [2, 1, 1],
    [1, 2, 1],
    [1, 1, 2],
    [1, 1, 1],
];

/// VTK 9.7, `GetParametricCoords` of vtkQuadraticTetra, vtkLagrangeTetra (vtkBezierTetra alike) and
/// vtkTriQuadraticHexahedron, in units of 1/degree.
const VTK_TET10: [[usize; 3]; 10] = [
    [0, 0, 0],
    [2, 0, 0],
    [0, 2, 0],
    [0, 0, 2],
    [1, 0, 0],
    [1, 1, 0],
    [0, 1, 0],
    [0, 0, 1],
    [1, 0, 1],
    [0, 1, 1],
];
const VTK_TET20: [[usize; 3]; 20] = [
    [0, 0, 0],
    [3, 0, 0],
    [0, 3, 0],
    [0, 0, 3],
    [1, 0, 0],
    [2, 0, 0],
    [2, 1, 0],
    [1, 2, 0],
    [0, 2, 0],
    [0, 1, 0],
    [0, 0, 1],
    [0, 0, 2],
    [2, 0, 1],
    [1, 0, 2],
    [0, 2, 1],
    [0, 1, 2],
    [1, 0, 1],
    [1, 1, 1],
    [0, 1, 1],
    [1, 1, 0],
];
const VTK_HEX27: [[usize; 3]; 27] = [
    [0, 0, 0],
    [2, 0, 0],
    [2, 2, 0],
    [0, 2, 0],
    [0, 0, 2],
    [2, 0, 2],
    [2, 2, 2],
    [0, 2, 2],
    [1, 0, 0],
    [2, 1, 0],
    [1, 2, 0],
    [0, 1, 0],
    [1, 0, 2],
    [2, 1, 2],
    [1, 2, 2],
    [0, 1, 2],
    [0, 0, 1],
    [2, 0, 1],
    [2, 2, 1],
    [0, 2, 1],
    [0, 1, 1],
    [2, 1, 1],
    [1, 0, 1],
    [1, 2, 1],
    [1, 1, 0],
    [1, 1, 2],
    [1, 1, 1],
];

/// The node orders of files are those that Gmsh and VTK report.
#[test]
fn file_orders_are_those_of_gmsh_and_vtk() {
    let points = |kind: Kind, order: Vec<usize>| -> Vec<[usize; 3]> {
        order.into_iter().map(|node| lattice(kind)[node]).collect()
    };
    assert_eq!(points(Kind::Tet10, gmsh_order(Kind::Tet10)), GMSH_TET10);
    assert_eq!(points(Kind::Tet20, gmsh_order(Kind::Tet20)), GMSH_TET20);
    assert_eq!(points(Kind::Hex27, gmsh_order(Kind::Hex27)), GMSH_HEX27);
    assert_eq!(points(Kind::Tet10, vtk_order(Kind::Tet10)), VTK_TET10);
    assert_eq!(points(Kind::Tet20, vtk_order(Kind::Tet20)), VTK_TET20);
    assert_eq!(points(Kind::Hex27, vtk_order(Kind::Hex27)), VTK_HEX27);
    // A well-known difference: the last two edges of the quadratic tetrahedron are swapped.
    let (gmsh, vtk) = (gmsh_order(Kind::Tet10), vtk_order(Kind::Tet10));
    assert_eq!([gmsh[8], gmsh[9]], [vtk[9], vtk[8]]);
}

/// The node orders are permutations, and corners come first in their own order.
#[test]
fn file_orders_are_permutations_that_keep_corners() {
    for kind in Kind::ALL {
        // VTK's wedge is the mirror image of the prism.
        let vtk_corners = match kind {
            Kind::Prism6 => vec![0, 2, 1, 3, 5, 4],
            _ => (0..kind.corner_count()).collect(),
        };
        let corners = (0..kind.corner_count()).collect();
        for (order, corners) in [(gmsh_order(kind), corners), (vtk_order(kind), vtk_corners)] {
            assert_eq!(order[..kind.corner_count()], corners);
            let mut sorted = order.clone();
            sorted.sort_unstable();
            assert_eq!(sorted, (0..kind.node_count()).collect::<Vec<_>>());
        }
    }
}

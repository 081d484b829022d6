//! Subdivision of reference cells into cells of half the size.

use crate::element::{CellShape, reference_corners};

/// A smaller cell inside a reference cell.
#[derive(Debug, Clone)]
pub(super) struct SubCell {
    /// Its shape.
    pub(super) shape: CellShape,
    /// Its corners in the parent, in units of 1/2, wound like the parent.
    pub(super) corners: Vec<[usize; 3]>,
}

impl SubCell {
    /// The indices of its corners that are one step from corner 0 along each axis.
    pub(super) fn axis_corners(&self) -> [usize; 3] {
        let corners = reference_corners(self.shape);
        let find = |xi: [usize; 3]| corners.iter().position(|corner| *corner == xi);
        [[1, 0, 0], [0, 1, 0], [0, 0, 1]].map(|xi| find(xi).expect("cells have unit axes"))
    }
}

/// The cells of half the size that fill a reference cell.
pub(super) fn halved(shape: CellShape) -> Vec<SubCell> {
    match shape {
        CellShape::Tetrahedron => tets(&TET_CHILDREN),
        CellShape::Hexahedron => octants(shape, &[[0, 0, 0], [1, 0, 0], [0, 1, 0], [1, 1, 0]]),
        CellShape::Prism => prisms(),
        CellShape::Pyramid => pyramids(),
    }
}

/// Four tetrahedra at the corners; the octahedron between them is cut along one diagonal (Bey 1995).
const TET_CHILDREN: [[[usize; 3]; 4]; 8] = [
    [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]],
    [[1, 0, 0], [2, 0, 0], [1, 1, 0], [1, 0, 1]],
    [[0, 1, 0], [1, 1, 0], [0, 2, 0], [0, 1, 1]],
    [[0, 0, 1], [1, 0, 1], [0, 1, 1], [0, 0, 2]],
    [[1, 0, 0], [0, 1, 0], [0, 0, 1], [1, 0, 1]],
    [[1, 0, 0], [1, 1, 0], [0, 1, 0], [1, 0, 1]],
    [[0, 1, 0], [0, 0, 1], [1, 0, 1], [0, 1, 1]],
    [[0, 1, 0], [1, 0, 1], [1, 1, 0], [0, 1, 1]],
];

/// The tetrahedra of a pyramid's subdivision, one on each edge of its base.
const PYRAMID_TETS: [[[usize; 3]; 4]; 4] = [
    [[1, 0, 0], [1, 1, 0], [0, 0, 1], [1, 0, 1]],
    [[2, 1, 0], [1, 1, 0], [1, 0, 1], [1, 1, 1]],
    [[1, 2, 0], [1, 1, 0], [1, 1, 1], [0, 1, 1]],
    [[0, 1, 0], [1, 1, 0], [0, 1, 1], [0, 0, 1]],
];

/// The four triangles of a triangle, by their corners in units of 1/2.
pub(super) const TRIANGLE_CHILDREN: [[[usize; 2]; 3]; 4] = [
    [[0, 0], [1, 0], [0, 1]],
    [[1, 0], [2, 0], [1, 1]],
    [[0, 1], [1, 1], [0, 2]],
    [[1, 1], [0, 1], [1, 0]],
];

fn tets(corners: &[[[usize; 3]; 4]]) -> Vec<SubCell> {
    let shape = CellShape::Tetrahedron;
    corners.iter().map(|tet| SubCell { shape, corners: tet.to_vec() }).collect()
}

/// Copies of the parent's corners at half the size, starting at `origins` on both levels of z.
fn octants(shape: CellShape, origins: &[[usize; 3]]) -> Vec<SubCell> {
    let both = [0, 1].into_iter().flat_map(|z| origins.iter().map(move |[x, y, _]| [*x, *y, z]));
    both.map(|origin| shifted(shape, origin)).collect()
}

fn shifted(shape: CellShape, origin: [usize; 3]) -> SubCell {
    let corner = |corner: &[usize; 3]| std::array::from_fn(|axis| corner[axis] + origin[axis]);
    SubCell { shape, corners: reference_corners(shape).iter().map(corner).collect() }
}

fn prisms() -> Vec<SubCell> {
    let level = |triangle: &[[usize; 2]; 3], z: usize| triangle.map(|[x, y]| [x, y, z]);
    let prism = |triangle: &[[usize; 2]; 3], z: usize| SubCell {
        shape: CellShape::Prism,
        corners: [level(triangle, z), level(triangle, z + 1)].concat(),
    };
    [0, 1].into_iter().flat_map(|z| TRIANGLE_CHILDREN.iter().map(move |t| prism(t, z))).collect()
}

/// Four pyramids on the base, one on top, one upside down between them, and four tetrahedra.
fn pyramids() -> Vec<SubCell> {
    let shape = CellShape::Pyramid;
    let origins = [[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0], [0, 0, 1]];
    let mut cells: Vec<_> = origins.into_iter().map(|origin| shifted(shape, origin)).collect();
    let corners = vec![[0, 0, 1], [0, 1, 1], [1, 1, 1], [1, 0, 1], [1, 1, 0]];
    cells.push(SubCell { shape, corners });
    cells.extend(tets(&PYRAMID_TETS));
    cells
}

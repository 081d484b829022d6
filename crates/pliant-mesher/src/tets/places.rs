//! Places of the detailed surface's vertices in the cells (Mezger et al. 2007, section 6.2).

use glam::DVec3;
use pliant::body::MeshPoint;
use pliant::mesh::{Face, Mesh};
use pliant_kernels::element::{faces, reference_corners};
use pliant_kernels::math::parallel_map;

use crate::SurfaceTree;

use super::bernstein_cell::{BernsteinCell, CellPoint, least_coordinate};
use super::cell_grid::CellGrid;
use super::face_samples::face_weights;

/// The smallest barycentric coordinate of a point that still counts as inside a cell.
const MIN_INSIDE_COORDINATE: f64 = -1e-9;
/// The smallest barycentric coordinate at which an outside point stays with the cell at the nearest boundary point.
const MIN_NEAR_COORDINATE: f64 = -0.25;
/// The smallest barycentric coordinate allowed for an outside point: farther out, polynomials extrapolate badly.
const MIN_COORDINATE: f64 = -2.0;

/// The places of points.
#[derive(Debug)]
pub(super) struct Places {
    pub(super) places: Vec<MeshPoint>,
    /// The number of points outside the mesh.
    pub(super) outside: usize,
    /// The number of those that lie so far outside that they were moved to the boundary.
    pub(super) drawn_in: usize,
    /// The largest distance of an outside point to the boundary.
    pub(super) farthest: f64,
}

/// Returns the place of every point: in the cell that contains it, else extrapolated from the nearest cell.
pub(super) fn places(mesh: &Mesh, points: &[DVec3]) -> Places {
    let finder = Finder::new(mesh);
    let found: Vec<PlacedPoint> = parallel_map(points, |point| finder.find(*point));
    let count =
        |wanted: fn(&PlacedPoint) -> bool| found.iter().filter(|found| wanted(found)).count();
    Places {
        outside: count(|found| found.placement != Placement::Inside),
        drawn_in: count(|found| found.placement == Placement::DrawnIn),
        farthest: found.iter().map(|found| found.distance).fold(0.0, f64::max),
        places: found.into_iter().map(|found| found.place).collect(),
    }
}

/// The same for any mesh of tetrahedra of one degree, with the distance of each point outside it, in m.
pub(crate) fn tetrahedral_places(mesh: &Mesh, points: &[DVec3]) -> Vec<(MeshPoint, f64)> {
    let finder = Finder::new(mesh);
    let find = |point: &DVec3| {
        let found = finder.find(*point);
        (found.place, found.distance)
    };
    parallel_map(points, find)
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Placement {
    Inside,
    Outside,
    DrawnIn,
}

#[derive(Debug, Clone, Copy)]
struct PlacedPoint {
    place: MeshPoint,
    placement: Placement,
    /// The distance to the mesh.
    distance: f64,
}

struct Finder<'a> {
    mesh: &'a Mesh,
    basis: BernsteinCell,
    grid: CellGrid,
    boundary: Boundary,
}

impl<'a> Finder<'a> {
    fn new(mesh: &'a Mesh) -> Self {
        let basis = BernsteinCell::new(mesh.blocks[0].kind);
        Self { mesh, basis, grid: CellGrid::new(mesh), boundary: Boundary::new(mesh) }
    }

    fn find(&self, point: DVec3) -> PlacedPoint {
        let holds = |cell: &u32| {
            let xi = self.inverse(*cell, point, DVec3::splat(0.25))?;
            let place = MeshPoint { cell: *cell, xi: pulled_in(xi) };
            (least_coordinate(xi) >= MIN_INSIDE_COORDINATE).then_some(PlacedPoint {
                place,
                placement: Placement::Inside,
                distance: 0.0,
            })
        };
        let inside = self.grid.candidates(point).find_map(holds);
        inside.unwrap_or_else(|| self.find_outside(point))
    }

    /// Places a point outside by extrapolation.
    ///
    /// The cell is the one at the nearest boundary point or, if the point lies far outside that one, the cell nearby
    /// with the largest minimum barycentric coordinate.
    fn find_outside(&self, point: DVec3) -> PlacedPoint {
        let (nearest, distance) = self.boundary.nearest(self.mesh, point);
        let own = self.beyond(nearest, point);
        let found = match own {
            Some(place) if least_coordinate(place.xi) >= MIN_NEAR_COORDINATE => own,
            _ => {
                let at_boundary = self.point(nearest.cell, nearest.xi).position;
                let around = self.grid.around(at_boundary).iter();
                let places = around.map(|cell| MeshPoint { cell: *cell, xi: DVec3::splat(0.25) });
                let beyond = places.filter_map(|start| self.beyond(start, point)).chain(own);
                let least = |place: &MeshPoint| least_coordinate(place.xi);
                beyond.max_by(|a, b| least(a).total_cmp(&least(b)))
            }
        };
        match found {
            Some(place) => PlacedPoint { place, placement: Placement::Outside, distance },
            None => PlacedPoint { place: nearest, placement: Placement::DrawnIn, distance },
        }
    }

    /// The extrapolated place of a point in a cell; `None` if it is too far out or the cell is inverted there.
    fn beyond(&self, start: MeshPoint, point: DVec3) -> Option<MeshPoint> {
        let xi = self.inverse(start.cell, point, start.xi)?;
        let place = MeshPoint { cell: start.cell, xi };
        (least_coordinate(xi) >= MIN_COORDINATE && self.is_upright(&place)).then_some(place)
    }

    /// True if the extrapolated cell is not inverted at a place.
    fn is_upright(&self, place: &MeshPoint) -> bool {
        self.point(place.cell, place.xi).jacobian.determinant() > 0.0
    }

    fn point(&self, cell: u32, xi: DVec3) -> CellPoint {
        let (_, nodes) = self.mesh.cell(cell as usize);
        self.basis.point(&self.mesh.cell_points(nodes), xi)
    }

    fn inverse(&self, cell: u32, point: DVec3, start: DVec3) -> Option<DVec3> {
        let (_, nodes) = self.mesh.cell(cell as usize);
        let mut points = [DVec3::ZERO; 20];
        for (slot, node) in points.iter_mut().zip(nodes) {
            *slot = self.mesh.nodes[*node as usize];
        }
        self.basis.inverse(&points[..nodes.len()], point, start)
    }
}

/// Clamps reference coordinates that rounding put slightly outside.
fn pulled_in(xi: DVec3) -> DVec3 {
    let xi = xi.max(DVec3::ZERO);
    xi / xi.element_sum().max(1.0)
}

/// The boundary of the mesh, approximated by small triangles.
struct Boundary {
    faces: Vec<Face>,
    tree: SurfaceTree,
    /// The corners of the small triangles, in barycentric coordinates of their face.
    pieces: Vec<[[f64; 3]; 3]>,
    corners: Vec<[DVec3; 3]>,
}

impl Boundary {
    fn new(mesh: &Mesh) -> Self {
        let degree = mesh.blocks[0].kind.degree();
        let (faces, pieces) = (mesh.boundary_faces(), pieces(2 * degree - 1));
        let point = |face: &Face, place: [f64; 3]| -> DVec3 {
            let terms = face_weights(degree, place).into_iter().zip(&face.nodes);
            terms.map(|(weight, node)| weight * mesh.nodes[*node as usize]).sum()
        };
        let corners: Vec<[DVec3; 3]> = faces
            .iter()
            .flat_map(|face| pieces.iter().map(move |piece| piece.map(|place| point(face, place))))
            .collect();
        Self { tree: SurfaceTree::of_corners(corners.clone()), faces, pieces, corners }
    }

    /// The approximate nearest point of the boundary, and its distance.
    fn nearest(&self, mesh: &Mesh, point: DVec3) -> (MeshPoint, f64) {
        let nearest = self.tree.nearest(point);
        let number = nearest.triangle as usize;
        let face = &self.faces[number / self.pieces.len()];
        let piece = &self.pieces[number % self.pieces.len()];
        let weights = barycentric(&self.corners[number], nearest.point);
        let (kind, _) = mesh.cell(face.cell as usize);
        let reference = reference_corners(kind.shape());
        let mut xi = DVec3::ZERO;
        for (k, corner) in faces(kind.shape())[face.face as usize].iter().enumerate() {
            let share: f64 = (0..3).map(|j| weights[j] * piece[j][k]).sum();
            xi += share * DVec3::from(reference[*corner].map(|x| x as f64));
        }
        (MeshPoint { cell: face.cell, xi }, nearest.distance)
    }
}

/// The n² small triangles of a face.
fn pieces(n: usize) -> Vec<[[f64; 3]; 3]> {
    let at = |i: usize, j: usize| {
        let (x, y) = (i as f64 / n as f64, j as f64 / n as f64);
        [1.0 - x - y, x, y]
    };
    let mut pieces = Vec::new();
    for j in 0..n {
        for i in 0..n - j {
            pieces.push([at(i, j), at(i + 1, j), at(i, j + 1)]);
            if i + j + 1 < n {
                pieces.push([at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)]);
            }
        }
    }
    pieces
}

/// The barycentric coordinates of a point of a triangle; those of the centroid if it has no area.
fn barycentric([a, b, c]: &[DVec3; 3], point: DVec3) -> [f64; 3] {
    let normal = (b - a).cross(c - a);
    let squared = normal.length_squared();
    if squared <= 0.0 {
        return [1.0 / 3.0; 3];
    }
    let v = (point - a).cross(c - a).dot(normal) / squared;
    let w = (b - a).cross(point - a).dot(normal) / squared;
    [1.0 - v - w, v, w]
}

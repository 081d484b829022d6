//! Places of the detailed surface's vertices in the cells (Mezger et al. 2007, section 6.2).
//!
//! A vertex in a cell has a reference coordinate there. A vertex outside the mesh has one at its foot on the boundary,
//! and an offset from there, so that at rest it is where the surface has it, however far outside.

use glam::DVec3;
use pliant::body::MeshPoint;
use pliant::geometry::Surface;
use pliant::mesh::Mesh;
use pliant_kernels::math::parallel_map;

use crate::open_edges::welded_vertices;

use super::bernstein_cell::{BernsteinCell, least_coordinate};
use super::boundary_faces::{BoundaryFaces, Foot};
use super::cell_grid::CellGrid;
use super::own_part::SurfaceNet;

/// The smallest barycentric coordinate of a point that still counts as inside a cell: Newton's method is that accurate.
const MIN_INSIDE_COORDINATE: f64 = -1e-12;
/// The largest distance of a vertex from its foot beyond doubt, in sides of the face.
const MAX_SURE_DISTANCE: f64 = 0.5;

/// The places of the vertices of a surface.
#[derive(Debug)]
pub(super) struct Places {
    pub(super) places: Vec<MeshPoint>,
    /// The number of vertices outside the mesh.
    pub(super) outside: usize,
    /// The largest distance of a vertex outside to the boundary.
    pub(super) farthest: f64,
}

/// Returns the place of every vertex of a surface: in the cell that contains it, else in a cell of its own part.
pub(super) fn places(mesh: &Mesh, surface: &Surface) -> Places {
    let finder = Finder::new(mesh);
    let welded = welded_vertices(surface);
    let net = SurfaceNet::new(surface, &welded);
    // Found once for all vertices at one position.
    let first: Vec<u32> = (0..welded.len() as u32).filter(|v| welded[*v as usize] == *v).collect();
    let position = |vertex: u32| surface.vertices[vertex as usize];
    let found = parallel_map(&first, |vertex| finder.find(position(*vertex)));
    let mut all = vec![Found::default(); welded.len()];
    first.iter().zip(found).for_each(|(vertex, found)| all[*vertex as usize] = found);
    let doubtful = |(found, normal): (&Found, &DVec3)| finder.is_doubtful(found, *normal);
    let open: Vec<bool> = all.iter().zip(&net.normals).map(doubtful).collect();
    let known = |vertex: u32| {
        all[vertex as usize].foot.unwrap_or_else(|| finder.boundary.nearest(position(vertex)))
    };
    let own = net.carried(&finder.boundary, known, &open);
    let place = |vertex: &u32| {
        let (found, own) = (&all[*vertex as usize], &own[*vertex as usize]);
        finder.place(found, own.as_ref(), position(*vertex))
    };
    let placed = parallel_map(&first, place);
    let mut places = vec![MeshPoint::default(); welded.len()];
    first.iter().zip(placed).for_each(|(vertex, place)| places[*vertex as usize] = place);
    let outside = |vertex: &&u32| all[**vertex as usize].inside.is_none();
    Places {
        outside: welded.iter().filter(outside).count(),
        farthest: all.iter().map(Found::distance).fold(0.0, f64::max),
        places: welded.iter().map(|vertex| places[*vertex as usize]).collect(),
    }
}

/// The same for loose points, in any mesh of tetrahedra of one degree: a point outside hangs on the nearest cell. With
/// the distance of each point outside the mesh, in m.
pub(crate) fn tetrahedral_places(mesh: &Mesh, points: &[DVec3]) -> Vec<(MeshPoint, f64)> {
    let finder = Finder::new(mesh);
    let find = |point: &DVec3| {
        let found = finder.find(*point);
        (finder.place(&found, None, *point), found.distance())
    };
    parallel_map(points, find)
}

/// What the position of a point says about its place.
#[derive(Debug, Clone, Copy, Default)]
struct Found {
    /// Its place in a cell that contains it.
    inside: Option<MeshPoint>,
    /// The nearest point of the boundary, if no cell contains it.
    foot: Option<Foot>,
}

impl Found {
    /// The distance to the mesh.
    fn distance(&self) -> f64 {
        self.foot.map_or(0.0, |foot| foot.distance)
    }
}

struct Finder<'a> {
    mesh: &'a Mesh,
    basis: BernsteinCell,
    grid: CellGrid,
    boundary: BoundaryFaces<'a>,
}

impl<'a> Finder<'a> {
    fn new(mesh: &'a Mesh) -> Self {
        let basis = BernsteinCell::new(mesh.blocks[0].kind);
        Self { mesh, basis, grid: CellGrid::new(mesh), boundary: BoundaryFaces::new(mesh) }
    }

    fn find(&self, point: DVec3) -> Found {
        let holds = |cell: &u32| {
            let xi = self.inverse(*cell, point)?;
            (least_coordinate(xi) >= MIN_INSIDE_COORDINATE)
                .then(|| MeshPoint::within(*cell, pulled_in(xi)))
        };
        match self.grid.candidates(point).find_map(holds) {
            Some(place) => Found { inside: Some(place), foot: None },
            None => Found { inside: None, foot: Some(self.boundary.nearest(point)) },
        }
    }

    /// True if the cell found may belong to another part than the vertex, which has this normal: if its boundary faces
    /// the other way, or is far.
    fn is_doubtful(&self, found: &Found, normal: DVec3) -> bool {
        match (found.inside, found.foot) {
            (Some(place), _) => !self.boundary.may_face(place.cell, normal),
            (None, Some(foot)) => {
                let size = self.boundary.size(foot.face);
                foot.normal.dot(normal) < 0.0 || foot.distance > MAX_SURE_DISTANCE * size
            }
            (None, None) => false,
        }
    }

    /// The place of a point: that found from its position alone, unless its neighbours on the surface have led to a foot
    /// on another part.
    fn place(&self, found: &Found, own: Option<&Foot>, point: DVec3) -> MeshPoint {
        let alone = found.inside.or(found.foot.map(|foot| foot.place)).unwrap_or_default();
        // Deep inside a part that grew together with another one, the own boundary is no longer there.
        let is_lost =
            |own: &Foot| found.inside.is_some() && own.distance > self.boundary.size(own.face);
        let elsewhere =
            |own: &&Foot| !self.are_neighbours(own.place.cell, alone.cell) && !is_lost(own);
        match (own.filter(elsewhere), found.inside) {
            (Some(own), _) => self.hung(own.place, point),
            (None, Some(inside)) => inside,
            (None, None) => self.hung(alone, point),
        }
    }

    /// True if two cells share a corner.
    fn are_neighbours(&self, a: u32, b: u32) -> bool {
        let corners = |cell: u32| &self.mesh.cell(cell as usize).1[..4];
        corners(a).iter().any(|corner| corners(b).contains(corner))
    }

    /// The place of a point that hangs on a point of a cell: δ = (∂x/∂ξ)⁻¹ (x − x(ξ)).
    fn hung(&self, on: MeshPoint, point: DVec3) -> MeshPoint {
        let (_, nodes) = self.mesh.cell(on.cell as usize);
        let at = self.basis.point(&self.mesh.cell_points(nodes), on.xi);
        MeshPoint { offset: at.jacobian.inverse() * (point - at.position), ..on }
    }

    fn inverse(&self, cell: u32, point: DVec3) -> Option<DVec3> {
        let (_, nodes) = self.mesh.cell(cell as usize);
        let mut points = [DVec3::ZERO; 20];
        for (slot, node) in points.iter_mut().zip(nodes) {
            *slot = self.mesh.nodes[*node as usize];
        }
        self.basis.inverse(&points[..nodes.len()], point, DVec3::splat(0.25))
    }
}

/// Clamps reference coordinates that rounding put slightly outside.
fn pulled_in(xi: DVec3) -> DVec3 {
    let xi = xi.max(DVec3::ZERO);
    xi / xi.element_sum().max(1.0)
}

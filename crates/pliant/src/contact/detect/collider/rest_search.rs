//! The search for triangles near each vertex at rest.

use glam::DVec3;

use pliant_kernels::math::made_once;
use pliant_mesh::geometry::{Aabb, Tree, point_triangle};

use super::facets::Facets;
use super::rest_neighbours::RestNeighbours;

/// Distance within which a triangle is near a vertex, in spacings of the vertex.
const NEIGHBOUR_REACH: f64 = 2.0;

impl Facets {
    /// Cosine between normals below which two parts of a surface face each other.
    pub(crate) const FACING_COSINE: f64 = -0.2;

    /// The triangles excluded from self-contact, by vertex.
    pub(crate) fn neighbours(&self) -> &RestNeighbours {
        made_once(&self.neighbours, || RestNeighbours::new(self))
    }
}

impl RestNeighbours {
    fn new(facets: &Facets) -> Self {
        let corners = |t: &[u32; 3]| t.map(|k| facets.rest[k as usize]);
        let boxes: Vec<Aabb> = facets.triangles.iter().map(|t| Aabb::of(corners(t))).collect();
        let tree = Tree::new(&boxes);
        let mut neighbours = Self::default();
        let mut found = Vec::new();
        for vertex in 0..facets.rest.len() as u32 {
            neighbours.add_vertex(facets, &tree, vertex, &mut found);
        }
        neighbours
    }

    /// Adds the triangles of the next vertex; `found` is a buffer.
    fn add_vertex(&mut self, facets: &Facets, tree: &Tree, vertex: u32, found: &mut Vec<u32>) {
        let (p, reach) =
            (facets.rest[vertex as usize], NEIGHBOUR_REACH * facets.spacings[vertex as usize]);
        let normal = facets.around(vertex).iter().map(|t| facets.rest_area(*t)).sum::<DVec3>();
        let ring = |corner: u32| {
            facets.around(vertex).iter().any(|t| facets.triangles[*t as usize].contains(&corner))
        };
        tree.overlapping(&Aabb::of([p]).inflated(reach), |triangle| {
            let corners = facets.triangles[triangle as usize];
            let adjacent = corners.into_iter().any(ring);
            if adjacent || is_behind(facets, p, normal.normalize_or_zero(), triangle, reach) {
                found.push(triangle);
            }
        });
        found.sort_unstable();
        self.triangles.push(found.drain(..));
    }
}

/// True if a triangle is within reach of a point of the surface and does not face it across empty space.
fn is_behind(facets: &Facets, p: DVec3, normal: DVec3, triangle: u32, reach: f64) -> bool {
    let corners = facets.triangles[triangle as usize].map(|k| facets.rest[k as usize]);
    let (_, squared) = point_triangle(p, corners);
    let across = facets.rest_area(triangle).normalize_or_zero();
    let faces = across.dot(normal) < Facets::FACING_COSINE && across.dot(p - corners[0]) > 0.0;
    squared < reach * reach && !faces
}

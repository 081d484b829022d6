//! The triangles of a skin and their connectivity.

use std::sync::OnceLock;

use glam::DVec3;

use pliant_kernels::math::Rows;
use pliant_mesh::geometry::Aabb;

use super::facet_edge::FacetEdge;
use super::rest_neighbours::RestNeighbours;

/// The constant part of a surface: triangles, edges and their adjacency.
///
/// Degenerate triangles that use a vertex twice, and repeated triangles, are left out: they add nothing to the surface.
/// Triangles without area stay, so that the surface has no holes, but have no contacts.
#[derive(Debug, Clone, Default)]
pub struct Facets {
    pub(super) rest: Vec<DVec3>,
    pub(super) triangles: Vec<[u32; 3]>,
    /// Index of each triangle in the input.
    pub(super) numbers: Vec<u32>,
    /// True for triangles with an area.
    pub(super) solid: Vec<bool>,
    pub(super) edges: Vec<FacetEdge>,
    /// Edge `k` of a triangle leads from its corner `k` to the next.
    pub(super) triangle_edges: Vec<[u32; 3]>,
    /// The corners (the first three bits) and edges (the next three) that each triangle owns.
    pub(super) owned: Vec<u8>,
    /// Sharp convex edges.
    pub(super) sharp: Vec<u32>,
    /// True for vertices on no sharp edge and no border: inside a flat or gently curved part of the surface.
    pub(super) smooth: Vec<bool>,
    /// Triangles around each vertex, in ascending order.
    pub(super) around: Rows,
    /// Mean distance of the vertices around each vertex, in m.
    pub(super) spacings: Vec<f64>,
    pub(super) spacing: f64,
    pub(super) thicknesses: OnceLock<Vec<f64>>,
    /// Filled at first use: only self-contact needs them.
    pub(super) neighbours: OnceLock<RestNeighbours>,
}

impl Facets {
    /// Number of vertices.
    pub fn vertex_count(&self) -> usize {
        self.rest.len()
    }

    /// The triangles, without those that were left out.
    pub fn triangles(&self) -> &[[u32; 3]] {
        &self.triangles
    }

    /// Index of a triangle in the input.
    pub fn number(&self, triangle: u32) -> u32 {
        self.numbers[triangle as usize]
    }

    /// Mean distance of the vertices around a vertex at rest, in m; zero for a vertex of no triangle.
    pub fn spacing_at(&self, vertex: usize) -> f64 {
        self.spacings[vertex]
    }

    /// The mean of that over all vertices, in m.
    pub fn spacing(&self) -> f64 {
        self.spacing
    }

    /// A box around every triangle at rest.
    pub(crate) fn rest_boxes(&self) -> Vec<Aabb> {
        let corners = |t: &[u32; 3]| t.map(|k| self.rest[k as usize]);
        self.triangles.iter().map(|t| Aabb::of(corners(t))).collect()
    }

    /// True if a triangle has an area at rest.
    pub(crate) fn is_solid(&self, triangle: u32) -> bool {
        self.solid[triangle as usize]
    }

    /// One of the sharp edges.
    pub(crate) fn sharp_edge(&self, number: u32) -> &FacetEdge {
        &self.edges[self.sharp[number as usize] as usize]
    }

    /// True if a vertex is on no sharp edge and no border.
    pub(crate) fn is_smooth(&self, vertex: u32) -> bool {
        self.smooth[vertex as usize]
    }

    /// Triangles around a vertex.
    pub(crate) fn around(&self, vertex: u32) -> &[u32] {
        self.around.row(vertex as usize)
    }

    /// The triangles that share this point of a triangle: the triangle itself, those on both sides of an edge, or those around a
    /// corner.
    pub(crate) fn sharing(&self, triangle: u32, weights: [f64; 3]) -> impl Iterator<Item = u32> {
        let corners = self.triangles[triangle as usize];
        let edges = self.triangle_edges[triangle as usize];
        let beyond = |edge: u32| self.edges[edge as usize].triangles;
        let (pair, around) = match weights.map(|w| w > 0.0) {
            [true, true, true] => ([Some(triangle), None], &[][..]),
            [true, true, false] => (beyond(edges[0]), &[][..]),
            [false, true, true] => (beyond(edges[1]), &[][..]),
            [true, false, true] => (beyond(edges[2]), &[][..]),
            [true, false, false] => ([None; 2], self.around(corners[0])),
            [false, true, false] => ([None; 2], self.around(corners[1])),
            [false, false, _] => ([None; 2], self.around(corners[2])),
        };
        pair.into_iter().flatten().chain(around.iter().copied())
    }

    /// True if no edge is a border.
    pub fn is_closed(&self) -> bool {
        self.edges.iter().all(|edge| edge.triangles[1].is_some())
    }

    /// The corners that a triangle owns.
    pub(crate) fn owned_corners(&self, triangle: u32) -> impl Iterator<Item = u32> {
        let (owned, corners) = (self.owned[triangle as usize], self.triangles[triangle as usize]);
        (0..3).filter(move |k| owned >> k & 1 == 1).map(move |k| corners[k])
    }

    /// The edges that a triangle owns, by their ends.
    pub(crate) fn owned_edges(&self, triangle: u32) -> impl Iterator<Item = [u32; 2]> {
        let (owned, corners) = (self.owned[triangle as usize], self.triangles[triangle as usize]);
        let owned = (0..3).filter(move |k| owned >> (k + 3) & 1 == 1);
        owned.map(move |k: usize| [corners[k], corners[(k + 1) % 3]])
    }

    /// An edge of a triangle: edge `side` leads from its corner `side` to the next.
    pub(crate) fn edge_of(&self, triangle: u32, side: usize) -> &FacetEdge {
        &self.edges[self.triangle_edges[triangle as usize][side] as usize]
    }

    /// The edges that a triangle owns, with the triangles beside them.
    pub(crate) fn owned_facet_edges(&self, triangle: u32) -> impl Iterator<Item = &FacetEdge> {
        let owned = self.owned[triangle as usize];
        (0..3).filter(move |k| owned >> (k + 3) & 1 == 1).map(move |k| self.edge_of(triangle, k))
    }

    /// The corner of a triangle opposite to one of its edges.
    pub(crate) fn opposite(&self, triangle: u32, edge: [u32; 2]) -> u32 {
        let [a, b, c] = self.triangles[triangle as usize];
        if !edge.contains(&a) {
            a
        } else if !edge.contains(&b) {
            b
        } else {
            c
        }
    }

    /// The normal of a triangle at rest times twice its area, in m².
    pub(super) fn rest_area(&self, triangle: u32) -> DVec3 {
        let [a, b, c] = self.triangles[triangle as usize].map(|k| self.rest[k as usize]);
        (b - a).cross(c - a)
    }
}

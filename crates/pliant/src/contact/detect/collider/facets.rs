//! The triangles of a skin and how they hang together.

use std::sync::OnceLock;

use glam::DVec3;

use crate::geometry::Aabb;

use super::facet_edge::FacetEdge;
use super::rest_neighbours::RestNeighbours;

/// What of a surface that touches never changes: triangles, edges, and who lies next to whom.
///
/// Triangles that name a vertex twice, and those that another one repeats, are left out: they add nothing to the surface.
/// Triangles without area stay, so that the surface is not torn, and are never touched.
#[derive(Debug, Clone, Default)]
pub struct Facets {
    pub(super) rest: Vec<DVec3>,
    pub(super) triangles: Vec<[u32; 3]>,
    /// Number of each triangle among those given.
    pub(super) numbers: Vec<u32>,
    /// Whether each has an area.
    pub(super) solid: Vec<bool>,
    pub(super) edges: Vec<FacetEdge>,
    /// FacetEdge `k` of a triangle leads from its corner `k` to the next.
    pub(super) triangle_edges: Vec<[u32; 3]>,
    /// Which corners (the first three bits) and edges (the next three) each triangle looks after.
    pub(super) owned: Vec<u8>,
    /// Edges that stick out.
    pub(super) sharp: Vec<u32>,
    /// Whether each vertex lies on none of them and on no border: inside of a side, flat or gently curved.
    pub(super) smooth: Vec<bool>,
    /// Triangles around vertex `v` are `around[starts[v]..starts[v + 1]]`.
    pub(super) starts: Vec<u32>,
    pub(super) around: Vec<u32>,
    /// How far vertices around each one are apart, in m.
    pub(super) spacings: Vec<f64>,
    pub(super) spacing: f64,
    /// Found when they are first asked for: only what touches itself needs them.
    pub(super) neighbours: OnceLock<RestNeighbours>,
}

impl Facets {
    /// Number of vertices.
    pub fn vertex_count(&self) -> usize {
        self.rest.len()
    }

    /// The triangles that were not left out.
    pub fn triangles(&self) -> &[[u32; 3]] {
        &self.triangles
    }

    /// Number of a triangle among those given.
    pub fn number(&self, triangle: u32) -> u32 {
        self.numbers[triangle as usize]
    }

    /// How far the vertices around a vertex are apart at rest, in m; zero where no triangle is.
    pub fn spacing_at(&self, vertex: usize) -> f64 {
        self.spacings[vertex]
    }

    /// The mean of that, in m.
    pub fn spacing(&self) -> f64 {
        self.spacing
    }

    /// A box around every triangle at rest.
    pub(crate) fn rest_boxes(&self) -> Vec<Aabb> {
        let corners = |t: &[u32; 3]| t.map(|k| self.rest[k as usize]);
        self.triangles.iter().map(|t| Aabb::of(corners(t))).collect()
    }

    /// Whether a triangle has an area at rest.
    pub(crate) fn is_solid(&self, triangle: u32) -> bool {
        self.solid[triangle as usize]
    }

    /// One of the edges that stick out.
    pub(crate) fn sharp_edge(&self, number: u32) -> &FacetEdge {
        &self.edges[self.sharp[number as usize] as usize]
    }

    /// Whether a vertex lies inside of a side, on no edge that sticks out and on no border.
    pub(crate) fn is_smooth(&self, vertex: u32) -> bool {
        self.smooth[vertex as usize]
    }

    /// Triangles around a vertex.
    pub(crate) fn around(&self, vertex: u32) -> &[u32] {
        let vertex = vertex as usize;
        &self.around[self.starts[vertex] as usize..self.starts[vertex + 1] as usize]
    }

    /// The triangles that have a point of this triangle in common with it: itself, and those beyond the edge or around the
    /// corner that holds the point.
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

    /// Whether no edge is a border.
    pub fn is_closed(&self) -> bool {
        self.edges.iter().all(|edge| edge.triangles[1].is_some())
    }

    /// Corners of a triangle that it looks after.
    pub(crate) fn owned_corners(&self, triangle: u32) -> impl Iterator<Item = u32> {
        let (owned, corners) = (self.owned[triangle as usize], self.triangles[triangle as usize]);
        (0..3).filter(move |k| owned >> k & 1 == 1).map(move |k| corners[k])
    }

    /// Edges of a triangle that it looks after, by their ends.
    pub(crate) fn owned_edges(&self, triangle: u32) -> impl Iterator<Item = [u32; 2]> {
        let (owned, corners) = (self.owned[triangle as usize], self.triangles[triangle as usize]);
        let owned = (0..3).filter(move |k| owned >> (k + 3) & 1 == 1);
        owned.map(move |k: usize| [corners[k], corners[(k + 1) % 3]])
    }

    /// The corner of a triangle that is not on its edge.
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

    /// Twice the area of a triangle at rest along its normal.
    pub(super) fn rest_area(&self, triangle: u32) -> DVec3 {
        let [a, b, c] = self.triangles[triangle as usize].map(|k| self.rest[k as usize]);
        (b - a).cross(c - a)
    }
}

//! Keeps the vertices of a surface with the part of the mesh that is theirs.
//!
//! The nearest cell of a vertex outside the mesh may belong to another limb, across a gap. So the places of such
//! vertices are carried from vertices whose cell is beyond doubt, along the edges of the surface: the foot of each on
//! the boundary is looked for from that of its neighbour.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use glam::DVec3;
use pliant::geometry::Surface;
use pliant_kernels::math::Rows;

use super::boundary_faces::{BoundaryFaces, Foot};

/// The edges and normals of a surface, with vertices at one position counted as one.
pub(super) struct SurfaceNet<'a> {
    vertices: &'a [DVec3],
    neighbours: Rows,
    /// The sum of the normals of the triangles at each vertex, weighted by area.
    pub(super) normals: Vec<DVec3>,
}

impl<'a> SurfaceNet<'a> {
    /// The net of a surface; `welded` is the first vertex at each vertex's position.
    pub(super) fn new(surface: &'a Surface, welded: &[u32]) -> Self {
        let same = |vertex: u32| welded[vertex as usize];
        let sides = |[a, b, c]: &[u32; 3]| [[*a, *b], [*b, *c], [*c, *a]];
        let neighbours = Rows::from_pairs(welded.len(), || {
            let all = surface.triangles.iter().flat_map(sides).chain(surface.lines.iter().copied());
            all.flat_map(move |[a, b]| [(same(a) as usize, same(b)), (same(b) as usize, same(a))])
        });
        let mut normals = vec![DVec3::ZERO; welded.len()];
        for (corners, [a, b, c]) in surface.triangles.iter().zip(surface.corners()) {
            let normal = (b - a).cross(c - a);
            corners.iter().for_each(|corner| normals[same(*corner) as usize] += normal);
        }
        Self { vertices: &surface.vertices, neighbours, normals }
    }

    /// Carries feet along the edges, the shortest way first, from the vertices for which `known` has a foot to the ones
    /// that `open` wants; returns the feet of these, if an edge leads there.
    pub(super) fn carried(
        &self,
        boundary: &BoundaryFaces<'_>,
        known: impl Fn(u32) -> Foot,
        open: &[bool],
    ) -> Vec<Option<Foot>> {
        let mut feet: Vec<Option<Foot>> = vec![None; open.len()];
        let mut heap = BinaryHeap::new();
        let wanted = (0..open.len() as u32).filter(|vertex| open[*vertex as usize]);
        for vertex in wanted {
            for near in self.neighbours.row(vertex as usize) {
                if !open[*near as usize] {
                    heap.push(Reverse((Length(self.length(*near, vertex)), vertex, *near)));
                }
            }
        }
        while let Some(Reverse((Length(way), vertex, from))) = heap.pop() {
            if feet[vertex as usize].is_some() {
                continue;
            }
            let start = feet[from as usize].unwrap_or_else(|| known(from));
            let position = self.vertices[vertex as usize];
            feet[vertex as usize] = Some(boundary.nearest_from(start.face, position));
            for near in self.neighbours.row(vertex as usize) {
                if open[*near as usize] && feet[*near as usize].is_none() {
                    let way = way + self.length(vertex, *near);
                    heap.push(Reverse((Length(way), *near, vertex)));
                }
            }
        }
        feet
    }

    fn length(&self, a: u32, b: u32) -> f64 {
        self.vertices[a as usize].distance(self.vertices[b as usize])
    }
}

/// The length of a way along edges, ordered as numbers are.
#[derive(Debug, Clone, Copy)]
struct Length(f64);

impl Ord for Length {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.0.total_cmp(&other.0)
    }
}

impl PartialOrd for Length {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Length {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Length {}

//! A skin that moves on straight paths in the frame of an obstacle.

use glam::DVec3;

use crate::contact::detect::collider::facet_edge::FacetEdge;
use crate::contact::detect::collider::facets::Facets;
use crate::contact::detect::feature::Feature;
use pliant_mesh::geometry::Aabb;

/// A skin during a step, in the frame of an obstacle, which is then fixed.
#[derive(Debug, Clone, Copy)]
pub(super) struct MovingSkin<'a> {
    pub(super) facets: &'a Facets,
    /// Positions of the vertices at the start of the step, in m.
    pub(super) start: &'a [DVec3],
    /// At the end, as far as the step is looked ahead.
    pub(super) end: &'a [DVec3],
}

impl MovingSkin<'_> {
    /// Positions of some vertices after a part of the step, from 0 to 1.
    pub(super) fn at<const N: usize>(&self, vertices: [u32; N], time: f64) -> [DVec3; N] {
        vertices.map(|k| self.start[k as usize].lerp(self.end[k as usize], time))
    }

    /// The position of a point of the skin at that time.
    pub(super) fn point(&self, point: &Feature, time: f64) -> DVec3 {
        let corners = point.vertices().iter().zip(point.weights());
        corners.map(|(k, weight)| *weight * self.at([*k], time)[0]).sum()
    }

    /// A box around the paths of some vertices.
    pub(super) fn bounds(&self, vertices: &[u32]) -> Aabb {
        Aabb::of(vertices.iter().flat_map(|k| [self.start[*k as usize], self.end[*k as usize]]))
    }

    /// The length of the longest path of some vertices, in m.
    pub(super) fn longest_path(&self, vertices: &[u32]) -> f64 {
        let path = |k: &u32| self.start[*k as usize].distance(self.end[*k as usize]);
        vertices.iter().map(path).fold(0.0, f64::max)
    }

    /// Unit vectors from an edge into the triangles beside it, across it; zero beyond a border.
    pub(super) fn beside(&self, edge: &FacetEdge, time: f64) -> [DVec3; 2] {
        let [start, end] = self.at(edge.vertices, time);
        let along = (end - start).normalize_or_zero();
        edge.triangles.map(|triangle| {
            let Some(triangle) = triangle else { return DVec3::ZERO };
            let [corner] = self.at([self.facets.opposite(triangle, edge.vertices)], time);
            let way = corner - start;
            (way - way.dot(along) * along).normalize_or_zero()
        })
    }

    /// The sum of the normals of the triangles beside an edge.
    pub(super) fn outward(&self, edge: &FacetEdge, time: f64) -> DVec3 {
        let normal = |triangle: u32| {
            let [a, b, c] = self.at(self.facets.triangles()[triangle as usize], time);
            (b - a).cross(c - a).normalize_or_zero()
        };
        edge.triangles.into_iter().flatten().map(normal).sum()
    }

    /// True if both triangles beside an edge lie along a direction, up to a sine of `rise`.
    pub(super) fn is_above(
        &self,
        edge: &FacetEdge,
        time: f64,
        direction: DVec3,
        rise: f64,
    ) -> bool {
        self.beside(edge, time).into_iter().all(|way| way.dot(direction) >= -rise)
    }
}

//! Closed triangle surfaces of splinters.

use glam::{DVec2, DVec3};
use pliant_kernels::math::DisjointSets;
use pliant_mesh::geometry::Aabb;

use super::chunk::{Cap, Chunk};
use super::flat::triangulated;
use super::loops::loops;

/// A closed surface.
#[derive(Debug, Clone, Default)]
pub(super) struct Shell {
    /// Positions, in m.
    pub(super) points: Vec<DVec3>,
    pub(super) facets: Vec<Facet>,
}

/// A triangle of a shell.
#[derive(Debug, Clone, Copy)]
pub(super) struct Facet {
    /// The vertices, anticlockwise seen from outside.
    pub(super) corners: [u32; 3],
    pub(super) origin: Origin,
}

/// The origin of a triangle.
#[derive(Debug, Clone, Copy)]
pub(super) enum Origin {
    /// Part of a triangle of the surface, with the weights of that triangle's second and third corner.
    Given {
        triangle: u32,
        weights: [[f64; 2]; 3],
        /// True if it was inside the solid before it broke.
        inside: bool,
    },
    /// Part of a cut.
    Cut {
        /// The outward normal.
        normal: DVec3,
    },
}

impl Facet {
    /// True if it was inside the solid before it broke.
    pub(super) fn is_inside(&self) -> bool {
        matches!(self.origin, Origin::Cut { .. } | Origin::Given { inside: true, .. })
    }
}

impl Shell {
    /// The positions of a triangle's corners.
    pub(super) fn at(&self, facet: &Facet) -> [DVec3; 3] {
        facet.corners.map(|vertex| self.points[vertex as usize])
    }

    /// The enclosed volume, in m³; negative for the wall of a hollow.
    pub(super) fn volume(&self) -> f64 {
        let Some(origin) = self.points.first() else { return 0.0 };
        let tetrahedron = |facet: &Facet| {
            let [a, b, c] = self.at(facet).map(|x| x - origin);
            a.dot(b.cross(c)) / 6.0
        };
        self.facets.iter().map(tetrahedron).sum()
    }

    /// The bounding box.
    pub(super) fn bounds(&self) -> Aabb {
        Aabb::of(self.points.iter().copied())
    }

    /// The connected parts: triangles are connected by edges, not by single vertices.
    pub(super) fn parts(&self) -> Vec<Self> {
        let mut sets = DisjointSets::new(self.facets.len());
        let mut edges: Vec<([u32; 2], u32)> = Vec::with_capacity(3 * self.facets.len());
        for (number, facet) in self.facets.iter().enumerate() {
            let [a, b, c] = facet.corners;
            let ends = [[a, b], [b, c], [c, a]].map(|[a, b]| [a.min(b), a.max(b)]);
            edges.extend(ends.map(|edge| (edge, number as u32)));
        }
        edges.sort_unstable();
        for run in edges.chunk_by(|a, b| a.0 == b.0) {
            run.iter().for_each(|(_, facet)| sets.join(run[0].1, *facet));
        }
        sets.iter().map(|facets| self.part(facets)).collect()
    }

    /// The part with these facets.
    fn part(&self, facets: &[u32]) -> Self {
        let mut part = Self::default();
        let mut new = std::collections::BTreeMap::new();
        for facet in facets {
            let Facet { corners, origin } = self.facets[*facet as usize];
            let corners = corners.map(|vertex| {
                *new.entry(vertex).or_insert_with(|| {
                    part.points.push(self.points[vertex as usize]);
                    part.points.len() as u32 - 1
                })
            });
            part.facets.push(Facet { corners, origin });
        }
        part
    }

    /// The closed surface of a chunk, not yet split into connected parts.
    pub(super) fn of_chunk(chunk: Chunk) -> Self {
        let mut facets = Vec::new();
        for polygon in &chunk.polygons {
            let corners = chunk.corners_of(polygon);
            for k in 2..corners.len() {
                let fan = [corners[0], corners[k - 1], corners[k]];
                let weights = fan.map(|corner| corner.weights);
                let origin = Origin::Given { triangle: polygon.triangle, weights, inside: false };
                facets.push(Facet { corners: fan.map(|corner| corner.vertex), origin });
            }
        }
        chunk.caps.iter().for_each(|cap| fill(cap, &chunk.points, &mut facets));
        Self { points: chunk.points, facets }
    }
}

/// Triangulates a cap.
fn fill(cap: &Cap, points: &[DVec3], facets: &mut Vec<Facet>) {
    let (right, up) = cap.normal.any_orthonormal_pair();
    let flip = right.cross(up).dot(cap.normal).signum();
    let rings = loops(&cap.edges);
    let used: Vec<u32> = rings.iter().flatten().copied().collect();
    let mut vertices = used;
    vertices.sort_unstable();
    vertices.dedup();
    let flat: Vec<DVec2> = vertices
        .iter()
        .map(|vertex| points[*vertex as usize])
        .map(|x| DVec2::new(flip * x.dot(right), x.dot(up)))
        .collect();
    let local = |vertex: u32| vertices.partition_point(|other| *other < vertex) as u32;
    let rings = rings.into_iter().map(|ring| ring.into_iter().map(local).collect()).collect();
    let origin = Origin::Cut { normal: cap.normal };
    let facet =
        |corners: [u32; 3]| Facet { corners: corners.map(|k| vertices[k as usize]), origin };
    facets.extend(triangulated(&flat, rings).into_iter().map(facet));
}

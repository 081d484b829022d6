//! Continuous detection between two surfaces.

use glam::DVec3;

use crate::contact::continuous::swept_surface::SweptSurface;
use crate::contact::detect::feature::Feature;
use pliant_mesh::geometry::{Aabb, edge_edge_time, vertex_triangle_time};

use super::swept_hit::SweptHit;
use super::trajectories::{Approach, Trajectories, approach, edge_nearest, vertex_nearest};

/// Adds all hits between two surfaces, or within one, of features of which at least one moved since the last search.
pub(in crate::contact::continuous) fn find(
    swept_surfaces: [&SweptSurface; 2],
    surfaces: [u32; 2],
    separation: f64,
    hits: &mut Vec<SweptHit>,
) {
    let [first, second] = swept_surfaces;
    let same = surfaces[0] == surfaces[1];
    let mut finder = Detector { swept_surfaces, surfaces, separation, hits };
    let mut look = |a: u32, b: u32| {
        if same && first.clearance.is_ample_for(a, b) {
            return;
        }
        if triangles_are_clear(swept_surfaces, [a, b], separation) {
            return;
        }
        finder.vertices(a, b, false);
        finder.vertices(b, a, true);
        finder.edges(a, b);
    };
    if same {
        first.paths().self_pairs(&mut look);
    } else {
        first.paths().pairs(&second.paths(), &mut look);
    }
}

/// True if the boxes of the paths of two triangles do not overlap, in the frame of the second: then none of their features come near each other. Boxes of the tree are
/// those of the paths in space, which overlap for all triangles of bodies that fly side by side.
fn triangles_are_clear(
    swept_surfaces: [&SweptSurface; 2],
    triangles: [u32; 2],
    separation: f64,
) -> bool {
    let [first, second] = [0, 1].map(|side| {
        let swept = swept_surfaces[side];
        let corners = swept.facets.triangles()[triangles[side] as usize];
        corners.map(|k| (swept.begin[k as usize], swept.end[k as usize]))
    });
    let travel = second.iter().map(|(begin, end)| *end - *begin).sum::<DVec3>() / 3.0;
    let of = |paths: [(DVec3, DVec3); 3]| {
        Aabb::of(paths.into_iter().flat_map(|(begin, end)| [begin, end - travel]))
    };
    !of(first).inflated(separation).overlaps(&of(second))
}

struct Detector<'a> {
    swept_surfaces: [&'a SweptSurface; 2],
    surfaces: [u32; 2],
    separation: f64,
    hits: &'a mut Vec<SweptHit>,
}

impl Detector<'_> {
    /// Vertices owned by triangle `a` against triangle `b`; `turned` if `a` belongs to the second surface.
    fn vertices(&mut self, a: u32, b: u32, turned: bool) {
        let (side, other) = if turned { (1, 0) } else { (0, 1) };
        let swept_surfaces = self.swept_surfaces;
        let corners = swept_surfaces[other].facets.triangles()[b as usize];
        for vertex in swept_surfaces[side].facets.owned_corners(a) {
            if self.surfaces[0] == self.surfaces[1] && corners.contains(&vertex) {
                continue;
            }
            let [moved, others] = [side, other].map(|side| &swept_surfaces[side].moved);
            if !(moved.any(&[vertex]) || others.any(&corners)) {
                continue;
            }
            let [p, q, r] = corners.map(|k| (other, k));
            let paths = Trajectories::new(swept_surfaces, [(side, vertex), p, q, r], 1);
            if paths.are_clear(self.separation) {
                continue;
            }
            let outward = |w: &[f64; 4]| {
                let own =
                    swept_surfaces[side].facets.vertex_normal(&swept_surfaces[side].begin, vertex);
                [own, swept_surfaces[other].outward(b, [-w[1], -w[2], -w[3]])]
            };
            let Some(mut found) =
                approach(&paths, self.separation, outward, vertex_triangle_time, vertex_nearest)
            else {
                continue;
            };
            let [_, p, q, r] = found.weights;
            let mut features = [Feature::vertex(vertex), Feature::triangle(corners, [-p, -q, -r])];
            if turned {
                features.swap(0, 1);
                found.normal = -found.normal;
            }
            let [u, v, w] = corners;
            self.push(u32::from(turned), [vertex, u, v, w], features, &found);
        }
    }

    /// Edges owned by triangle `a` of the first surface against those of `b` of the second.
    fn edges(&mut self, a: u32, b: u32) {
        let swept_surfaces = self.swept_surfaces;
        for p in swept_surfaces[0].facets.owned_edges(a) {
            for q in swept_surfaces[1].facets.owned_edges(b) {
                if self.surfaces[0] == self.surfaces[1] && q.iter().any(|k| p.contains(k)) {
                    continue;
                }
                if !(swept_surfaces[0].moved.any(&p) || swept_surfaces[1].moved.any(&q)) {
                    continue;
                }
                let paths = Trajectories::new(
                    swept_surfaces,
                    [(0, p[0]), (0, p[1]), (1, q[0]), (1, q[1])],
                    2,
                );
                if paths.are_clear(self.separation) {
                    continue;
                }
                let outward = |w: &[f64; 4]| {
                    let first = swept_surfaces[0]
                        .outward(a, on_edge(swept_surfaces[0], a, p, [w[0], w[1]]));
                    let second = on_edge(swept_surfaces[1], b, q, [-w[2], -w[3]]);
                    [first, swept_surfaces[1].outward(b, second)]
                };
                let Some(found) =
                    approach(&paths, self.separation, outward, edge_edge_time, edge_nearest)
                else {
                    continue;
                };
                let weights = found.weights;
                let features = [Feature::edge(p, weights[1]), Feature::edge(q, -weights[3])];
                self.push(2, [p[0], p[1], q[0], q[1]], features, &found);
            }
        }
    }

    /// Adds a hit between features with these vertices. The kind is that of [`SweptHit::key`].
    fn push(&mut self, kind: u32, vertices: [u32; 4], features: [Feature; 2], found: &Approach) {
        let ([a, b], [p, q, r, s]) = (self.surfaces, vertices);
        let Approach { normal, from_outside, distance, time, .. } = *found;
        let (key, surfaces) = ([a, b, kind, p, q, r, s], self.surfaces);
        self.hits.push(SweptHit { key, surfaces, features, normal, from_outside, distance, time });
    }
}

/// Barycentric coordinates of a point of an edge of a triangle.
fn on_edge(swept: &SweptSurface, triangle: u32, edge: [u32; 2], weights: [f64; 2]) -> [f64; 3] {
    swept.facets.triangles()[triangle as usize].map(|corner| {
        if corner == edge[0] {
            weights[0]
        } else if corner == edge[1] {
            weights[1]
        } else {
            0.0
        }
    })
}

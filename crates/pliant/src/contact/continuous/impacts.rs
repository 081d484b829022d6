//! Continuous detection between two surfaces.

use glam::DVec3;

use crate::contact::detect::feature::Feature;
use crate::geometry::{
    Aabb, edge_edge_time, point_triangle, segment_segment, vertex_triangle_time,
};

use super::swept_surface::SweptSurface;

/// Two features that come too near to each other within a step.
#[derive(Debug, Clone, Copy)]
pub(super) struct SweptHit {
    /// Surfaces, kind (vertex of the first, vertex of the second, edges) and vertices: the identity of the hit from round to round.
    pub(super) key: [u32; 7],
    pub(super) surfaces: [u32; 2],
    pub(super) features: [Feature; 2],
    /// Unit vector from the second to the first at the time of the hit.
    pub(super) normal: DVec3,
    /// Distance at the start, in m.
    pub(super) distance: f64,
    /// The time of the hit, as a part of the step.
    pub(super) time: f64,
}

/// The approach of two features: direction from the second to the first, weights of their nearest points, distance at the start,
/// and time.
struct Approach {
    normal: DVec3,
    weights: [f64; 4],
    distance: f64,
    time: f64,
}

/// Distance at the start, over the separation, below which features touch.
const TOUCHING_DISTANCE: f64 = 1e-6;

/// Distance at the end, over the separation, above which touching features have parted.
const PARTED_DISTANCE: f64 = 0.02;

impl SweptHit {
    /// Its vertex or its edges, by surface and vertices.
    pub(super) fn stoppable(&self) -> impl Iterator<Item = [u32; 3]> {
        let sides = self.surfaces.iter().zip(&self.features);
        sides.filter_map(|(surface, feature)| match *feature.vertices() {
            [vertex] => Some([*surface, vertex, vertex]),
            [from, to] => Some([*surface, from, to]),
            _ => None,
        })
    }
}

/// Adds all hits between two surfaces, or within one.
pub(super) fn find(
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
        finder.vertices(a, b, false);
        finder.vertices(b, a, true);
        finder.edges(a, b);
    };
    if same {
        first.tree().self_pairs(&mut look);
    } else {
        first.tree().pairs(second.tree(), &mut look);
    }
}

struct Detector<'a> {
    swept_surfaces: [&'a SweptSurface; 2],
    surfaces: [u32; 2],
    separation: f64,
    hits: &'a mut Vec<SweptHit>,
}

/// The straight paths of four points of two features over a step.
struct Trajectories {
    begin: [DVec3; 4],
    end: [DVec3; 4],
    /// The first so many points belong to the first feature.
    first: usize,
}

impl Trajectories {
    /// `points` gives the surface, 0 or 1, and the vertex of each point.
    fn new(swept_surfaces: [&SweptSurface; 2], points: [(usize, u32); 4], first: usize) -> Self {
        let begin = points.map(|(side, k)| swept_surfaces[side].begin[k as usize]);
        let end = points.map(|(side, k)| swept_surfaces[side].end[k as usize]);
        Self { begin, end, first }
    }

    /// True if the boxes of the paths do not overlap, relative to the last point: in that frame, bodies that fly side by side
    /// hardly move.
    fn are_clear(&self, separation: f64) -> bool {
        let travel = self.end[3] - self.begin[3];
        let mut boxes = [Aabb::EMPTY; 2];
        for k in 0..4 {
            let of = &mut boxes[usize::from(k >= self.first)];
            let (begin, end) = (self.begin[k], self.end[k] - travel);
            of.low = of.low.min(begin).min(end);
            of.high = of.high.max(begin).max(end);
        }
        !boxes[0].inflated(separation).overlaps(&boxes[1])
    }

    /// True if a plane across `line`, from the second feature to the first, keeps them farther apart than `separation` at start and
    /// end, and so at all times between.
    fn separated_by(&self, line: DVec3, separation: f64) -> bool {
        let apart = |x: &[DVec3; 4]| {
            let (mut above, mut below) = (f64::INFINITY, f64::NEG_INFINITY);
            for (k, x) in x.iter().enumerate() {
                let height = line.dot(*x);
                if k < self.first {
                    above = above.min(height);
                } else {
                    below = below.max(height);
                }
            }
            above - below
        };
        let least = separation * line.length();
        apart(&self.begin) > least && apart(&self.end) > least
    }

    fn at(&self, time: f64) -> [DVec3; 4] {
        std::array::from_fn(|k| self.begin[k].lerp(self.end[k], time))
    }
}

/// Weights of the nearest points, negative for the second feature, and their squared distance in m².
struct NearestPoints {
    weights: [f64; 4],
    squared: f64,
}

fn vertex_nearest(x: &[DVec3; 4]) -> NearestPoints {
    let (w, squared) = point_triangle(x[0], [x[1], x[2], x[3]]);
    NearestPoints { weights: [1.0, -w[0], -w[1], -w[2]], squared }
}

fn edge_nearest(x: &[DVec3; 4]) -> NearestPoints {
    let (s, t, squared) = segment_segment([x[0], x[1]], [x[2], x[3]]);
    NearestPoints { weights: [1.0 - s, s, t - 1.0, -t], squared }
}

fn line(x: &[DVec3; 4], weights: &[f64; 4]) -> DVec3 {
    (0..4).map(|k| weights[k] * x[k]).sum()
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
            let [p, q, r] = corners.map(|k| (other, k));
            let paths = Trajectories::new(swept_surfaces, [(side, vertex), p, q, r], 1);
            if paths.are_clear(self.separation) {
                continue;
            }
            let outward = |w: &[f64; 4]| {
                let own =
                    swept_surfaces[side].facets.vertex_normal(&swept_surfaces[side].begin, vertex);
                swept_surfaces[other].outward(b, [-w[1], -w[2], -w[3]]) - own
            };
            let Some(Approach { normal: n, weights, distance, time }) =
                approach(&paths, self.separation, outward, vertex_triangle_time, vertex_nearest)
            else {
                continue;
            };
            let triangle = Feature::triangle(corners, [-weights[1], -weights[2], -weights[3]]);
            let mut features = [Feature::vertex(vertex), triangle];
            let mut normal = n;
            if turned {
                features.swap(0, 1);
                normal = -n;
            }
            let [u, v, w] = corners;
            let key = [self.surfaces[0], self.surfaces[1], u32::from(turned), vertex, u, v, w];
            self.hits.push(SweptHit {
                key,
                surfaces: self.surfaces,
                features,
                normal,
                distance,
                time,
            });
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
                    swept_surfaces[1].outward(b, on_edge(swept_surfaces[1], b, q, [-w[2], -w[3]]))
                        - first
                };
                let Some(Approach { normal, weights: w, distance, time }) =
                    approach(&paths, self.separation, outward, edge_edge_time, edge_nearest)
                else {
                    continue;
                };
                let features = [Feature::edge(p, w[1]), Feature::edge(q, -w[3])];
                let key = [self.surfaces[0], self.surfaces[1], 2, p[0], p[1], q[0], q[1]];
                self.hits.push(SweptHit {
                    key,
                    surfaces: self.surfaces,
                    features,
                    normal,
                    distance,
                    time,
                });
            }
        }
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

/// The approach of two features, if they come too near; `outward` is the direction in which touching points
/// have to part.
fn approach(
    paths: &Trajectories,
    separation: f64,
    outward: impl Fn(&[f64; 4]) -> DVec3,
    time: fn([DVec3; 4], [DVec3; 4], f64) -> Option<f64>,
    nearest: fn(&[DVec3; 4]) -> NearestPoints,
) -> Option<Approach> {
    let start = nearest(&paths.begin);
    let distance = start.squared.sqrt();
    if distance < TOUCHING_DISTANCE * separation {
        let normal = outward(&start.weights).try_normalize()?;
        let parted = normal.dot(line(&paths.end, &start.weights)) > PARTED_DISTANCE * separation;
        let weights = start.weights;
        return (!parted).then_some(Approach { normal, weights, distance, time: 0.0 });
    }
    if paths.separated_by(line(&paths.begin, &start.weights), separation) {
        return None;
    }
    let time = time(paths.begin, paths.end, separation)?;
    let now = paths.at(time);
    let NearestPoints { weights, .. } = nearest(&now);
    let normal =
        line(&now, &weights).try_normalize().or_else(|| outward(&weights).try_normalize())?;
    Some(Approach { normal, weights, distance, time })
}

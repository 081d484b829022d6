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
    /// Surfaces, which kind (vertex of the first, of the second, edges), and vertices: the same if they meet again.
    pub(super) key: [u32; 7],
    pub(super) surfaces: [u32; 2],
    pub(super) features: [Feature; 2],
    /// Unit vector from the second to the first when they meet.
    pub(super) normal: DVec3,
    /// How far they are apart at the begin, in m.
    pub(super) distance: f64,
    /// The part of the step after which they meet.
    pub(super) time: f64,
}

/// How two features meet: the direction from the second to the first, the weights of their points, how far apart they
/// begin, and when.
struct Approach {
    normal: DVec3,
    weights: [f64; 4],
    distance: f64,
    time: f64,
}

/// At the begin nearer than this part of the separation is touching.
const TOUCHING_DISTANCE: f64 = 1e-6;

/// What touches at the begin has to be apart by this part of the separation at the end.
const PARTED_DISTANCE: f64 = 0.02;

impl SweptHit {
    /// Vertices and edges that are in it, by surface and vertices: what can be stopped where it meets something first.
    pub(super) fn stoppable(&self) -> impl Iterator<Item = [u32; 3]> {
        let sides = self.surfaces.iter().zip(&self.features);
        sides.filter_map(|(surface, feature)| match *feature.vertices() {
            [vertex] => Some([*surface, vertex, vertex]),
            [from, to] => Some([*surface, from, to]),
            _ => None,
        })
    }
}

/// Adds all that meets between two surfaces, or within one.
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

/// Two features: places of their points at begin and end.
struct Trajectories {
    begin: [DVec3; 4],
    end: [DVec3; 4],
    /// So many points are those of the first.
    first: usize,
}

impl Trajectories {
    /// `points` tells for each the surface, as one of two, and the vertex.
    fn new(swept_surfaces: [&SweptSurface; 2], points: [(usize, u32); 4], first: usize) -> Self {
        let begin = points.map(|(side, k)| swept_surfaces[side].begin[k as usize]);
        let end = points.map(|(side, k)| swept_surfaces[side].end[k as usize]);
        Self { begin, end, first }
    }

    /// Whether the two stay clear of each other by their boxes, seen from what moves with the last point: things that
    /// fly side by side hardly move there.
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

    /// Whether a plane across `line`, from the second to the first, keeps them farther apart than that all the way: if it
    /// does at begin and end, it does between.
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

/// Weights of four points, the second thing negative, and how far they are apart.
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
    /// Vertices that triangle `a` looks after against triangle `b`; `turned` if `a` is of the second surface.
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

    /// Edges that triangle `a` of the first surface looks after against those of `b` of the second.
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

/// How two features come too near to each other, if they do; `outward` is the direction in which points that
/// touch are to part.
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

//! Paths of two features over a step, and their approach.

use glam::DVec3;

use crate::contact::continuous::swept_surface::SweptSurface;
use pliant_mesh::geometry::{Aabb, point_triangle, segment_segment};

/// Distance at the start, over the separation, below which features touch.
const TOUCHING_DISTANCE: f64 = 1e-6;

/// Distance at the end, over the separation, above which touching features have parted.
const PARTED_DISTANCE: f64 = 0.02;

/// Cosine between the line from one feature to the other and the direction out of each above which they face each other. What slides over a side does not
/// face the vertices of that side.
const FACING_COSINE: f64 = 0.3;

/// The distance over the separation that features keep which pass each other without facing each other. What slides over a side at a smaller distance
/// than the separation would run into every edge of that side.
const SLIDING_DISTANCE: f64 = 0.02;

/// The straight paths of four points of two features over a step.
pub(super) struct Trajectories {
    begin: [DVec3; 4],
    end: [DVec3; 4],
    /// The first so many points belong to the first feature.
    first: usize,
}

impl Trajectories {
    /// `points` gives the surface, 0 or 1, and the vertex of each point.
    pub(super) fn new(
        swept_surfaces: [&SweptSurface; 2],
        points: [(usize, u32); 4],
        first: usize,
    ) -> Self {
        let begin = points.map(|(side, k)| swept_surfaces[side].begin[k as usize]);
        let end = points.map(|(side, k)| swept_surfaces[side].end[k as usize]);
        Self { begin, end, first }
    }

    /// True if the boxes of the paths do not overlap, relative to the last point: in that frame, bodies that fly side by side
    /// hardly move.
    pub(super) fn are_clear(&self, separation: f64) -> bool {
        // In the frame of the last point a common motion drops out.
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
pub(super) struct NearestPoints {
    weights: [f64; 4],
    squared: f64,
}

pub(super) fn vertex_nearest(x: &[DVec3; 4]) -> NearestPoints {
    let (w, squared) = point_triangle(x[0], [x[1], x[2], x[3]]);
    NearestPoints { weights: [1.0, -w[0], -w[1], -w[2]], squared }
}

pub(super) fn edge_nearest(x: &[DVec3; 4]) -> NearestPoints {
    let (s, t, squared) = segment_segment([x[0], x[1]], [x[2], x[3]]);
    NearestPoints { weights: [1.0 - s, s, t - 1.0, -t], squared }
}

fn line(x: &[DVec3; 4], weights: &[f64; 4]) -> DVec3 {
    (0..4).map(|k| weights[k] * x[k]).sum()
}

/// The approach of two features: direction from the second to the first, weights of their nearest points, distance at the start,
/// and time.
pub(super) struct Approach {
    pub(super) normal: DVec3,
    /// True if the surfaces face each other there, and did not touch at the start.
    pub(super) from_outside: bool,
    pub(super) weights: [f64; 4],
    pub(super) distance: f64,
    pub(super) time: f64,
}

/// The approach of two features, if they come too near; `outward` returns the directions out of both surfaces at
/// these points.
pub(super) fn approach(
    paths: &Trajectories,
    separation: f64,
    outward: impl Fn(&[f64; 4]) -> [DVec3; 2],
    time: fn([DVec3; 4], [DVec3; 4], f64) -> Option<f64>,
    nearest: fn(&[DVec3; 4]) -> NearestPoints,
) -> Option<Approach> {
    let start = nearest(&paths.begin);
    let distance = start.squared.sqrt();
    // Points that touch at the start have no direction between them: the surfaces give it, and they have to part along it.
    if distance < TOUCHING_DISTANCE * separation {
        let [own, other] = outward(&start.weights);
        let normal = (other - own).try_normalize()?;
        let parted = normal.dot(line(&paths.end, &start.weights)) > PARTED_DISTANCE * separation;
        let weights = start.weights;
        let from_outside = false;
        return (!parted).then_some(Approach {
            normal,
            from_outside,
            weights,
            distance,
            time: 0.0,
        });
    }
    // Cheap rejection before the time of contact is computed.
    if paths.separated_by(line(&paths.begin, &start.weights), separation) {
        return None;
    }
    let found = |separation: f64| {
        let time = time(paths.begin, paths.end, separation)?;
        let now = paths.at(time);
        let NearestPoints { weights, .. } = nearest(&now);
        let [own, other] = outward(&weights);
        let line = line(&now, &weights).try_normalize();
        let normal = line.or_else(|| (other - own).try_normalize())?;
        let [facing, faced] = [-own, other].map(|way| normal.dot(way.normalize_or_zero()));
        let from_outside = facing.min(faced) > FACING_COSINE;
        Some(Approach { normal, from_outside, weights, distance, time })
    };
    let near = found(separation)?;
    // What is as near as that already has to stay there.
    let passes = !near.from_outside && distance > separation;
    if passes { found(SLIDING_DISTANCE * separation) } else { Some(near) }
}

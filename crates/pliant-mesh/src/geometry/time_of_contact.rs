//! When things that move along straight lines come near each other: continuous detection.
//!
//! Additive continuous collision detection (Li et al. 2021, section 5) walks through time in steps that cannot pass over
//! a contact. It needs no roots of polynomials, so nothing is lost to rounding where they are ill conditioned. The
//! published step is the distance over a bound of all speeds. The step here looks along the line n between the nearest
//! points instead. Both things are convex and move by their corners, so they stay on their sides of a plane across n as
//! long as every corner a of one stays above every corner b of the other:
//!
//! ```text
//! n · (a + t ȧ − b − t ḃ) ≥ g      for all a, b
//! ```
//!
//! The largest t for which that holds is a step during which the distance does not fall below g. It is
//! never shorter than the published one, and sliding past each other costs one step, however near.

use glam::DVec3;

use super::distance::{point_triangle, segment_segment};

/// Steps after which what still creeps is taken to touch.
const MOST_STEPS: usize = 512;

/// When a vertex and a triangle, the last three corners, come nearer to each other than `separation` (in m) on their way
/// from `start` to `end`, as a share of the way from 0 to 1; `None` if they do not.
///
/// Things that begin nearer than twice that may come half as near as they begin. What is told is no later than the true
/// time, and until then they stay farther apart than half that limit. What touches at the begin touches at time 0.
///
/// ```
/// use glam::DVec3;
/// use pliant_mesh::geometry::vertex_triangle_time;
///
/// let start = [DVec3::new(0.2, 0.2, 1.0), DVec3::ZERO, DVec3::X, DVec3::Y];
/// let mut end = start;
/// end[0].z = -1.0;
/// let time = vertex_triangle_time(start, end, 1e-3).expect("it goes through");
/// assert!(time > 0.499 && time < 0.5);
/// ```
pub fn vertex_triangle_time(start: [DVec3; 4], end: [DVec3; 4], separation: f64) -> Option<f64> {
    let between = |x: &[DVec3; 4]| {
        let (w, squared) = point_triangle(x[0], [x[1], x[2], x[3]]);
        let line = x[0] - (w[0] * x[1] + w[1] * x[2] + w[2] * x[3]);
        Nearest { squared, line, across: (x[2] - x[1]).cross(x[3] - x[1]) }
    };
    Walk::<1>::new(start, end).time(separation, between)
}

/// When two edges, the first and the last two points, come nearer to each other than `separation`; as
/// [`vertex_triangle_time`].
pub fn edge_edge_time(start: [DVec3; 4], end: [DVec3; 4], separation: f64) -> Option<f64> {
    let between = |x: &[DVec3; 4]| {
        let (s, t, squared) = segment_segment([x[0], x[1]], [x[2], x[3]]);
        let line = x[0].lerp(x[1], s) - x[2].lerp(x[3], t);
        Nearest { squared, line, across: (x[1] - x[0]).cross(x[3] - x[2]) }
    };
    Walk::<2>::new(start, end).time(separation, between)
}

/// How two things lie to each other.
struct Nearest {
    /// Square of their distance.
    squared: f64,
    /// From the nearest point of the second to that of the first.
    line: DVec3,
    /// Along that line too if both points are inside of triangle and edges, and more exact the shorter it is.
    across: DVec3,
}

/// Four points on their way, of which the first `FIRST` are one thing and the others the other.
struct Walk<const FIRST: usize> {
    x: [DVec3; 4],
    way: [DVec3; 4],
}

impl<const FIRST: usize> Walk<FIRST> {
    /// Seen from the last point, so that everything is small and nothing is lost to rounding far from the origin.
    fn new(start: [DVec3; 4], end: [DVec3; 4]) -> Self {
        let travel = end[3] - start[3];
        let x = std::array::from_fn(|k| start[k] - start[3]);
        Self { x, way: std::array::from_fn(|k| end[k] - start[k] - travel) }
    }

    fn time(&self, separation: f64, between: impl Fn(&[DVec3; 4]) -> Nearest) -> Option<f64> {
        let (mut time, mut now) = (0.0, self.x);
        let mut nearest = between(&now);
        let near = separation.max(0.0).min(0.5 * nearest.squared.sqrt());
        for _ in 0..MOST_STEPS {
            let Nearest { squared, line, across } = nearest;
            // What is no number is not apart.
            let apart = squared > near * near;
            if !apart {
                return Some(time);
            }
            let across = across * across.dot(line).signum();
            let step = |n: DVec3| self.safe_step(&now, n.normalize_or_zero(), 0.5 * near);
            time += step(line).max(step(across));
            if time >= 1.0 {
                return None;
            }
            now = std::array::from_fn(|k| self.x[k] + time * self.way[k]);
            nearest = between(&now);
        }
        Some(time)
    }

    /// How long all corners of the first thing stay at least `gap` above all of the second, along `n`.
    fn safe_step(&self, x: &[DVec3; 4], n: DVec3, gap: f64) -> f64 {
        let mut step = f64::INFINITY;
        for a in 0..FIRST {
            for b in FIRST..4 {
                let spare = n.dot(x[a] - x[b]) - gap;
                let approach = n.dot(self.way[b] - self.way[a]);
                // What is no number is not safe.
                let safe = spare > 0.0;
                if !safe {
                    return 0.0;
                }
                if approach > 0.0 {
                    step = step.min(spare / approach);
                }
            }
        }
        step
    }
}

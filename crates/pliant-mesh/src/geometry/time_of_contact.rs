//! Continuous collision detection: the time when primitives on straight paths come close to each other.
//!
//! Additive continuous collision detection (Li et al. 2021, section 5) advances through time in steps that cannot
//! pass over a contact. It solves no polynomial equations, so it does not suffer from ill-conditioned roots. The
//! published step is the distance divided by a bound of all speeds. The step here uses the direction n between the
//! nearest points instead. Both primitives are convex and move by their corners, so they stay on their sides of a
//! plane perpendicular to n as long as every corner a of one stays above every corner b of the other:
//!
//! ```text
//! n · (a + t ȧ − b − t ḃ) ≥ g      for all a, b
//! ```
//!
//! (Derived here.)
//!
//! The largest such t is a step during which the distance does not fall below g. It is never shorter than the
//! published step, and primitives that slide past each other need one step, however close they are.

use glam::DVec3;

use super::distance::{point_triangle, segment_segment};

/// Number of steps after which primitives that still approach count as touching.
const MAX_STEPS: usize = 512;

/// Returns the time when a vertex (the first point) and a triangle (the last three) come closer than `separation` (in
/// m) on their way from `start` to `end`, as a fraction of the way from 0 to 1; `None` if they do not.
///
/// If they start closer than twice `separation`, the limit is half of their initial distance. The time returned is
/// never later than the true time, and until then they stay farther apart than half that limit. Primitives that touch
/// at the start touch at time 0.
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
        PrimitiveGap { squared, line, across: (x[2] - x[1]).cross(x[3] - x[1]) }
    };
    RelativeMotion::<1>::new(start, end).time(separation, between)
}

/// Returns the time when two edges (the first two points and the last two) come closer than `separation`, as
/// [`vertex_triangle_time`] does.
pub fn edge_edge_time(start: [DVec3; 4], end: [DVec3; 4], separation: f64) -> Option<f64> {
    let between = |x: &[DVec3; 4]| {
        let (s, t, squared) = segment_segment([x[0], x[1]], [x[2], x[3]]);
        let line = x[0].lerp(x[1], s) - x[2].lerp(x[3], t);
        PrimitiveGap { squared, line, across: (x[1] - x[0]).cross(x[3] - x[2]) }
    };
    RelativeMotion::<2>::new(start, end).time(separation, between)
}

/// Distance and direction between two primitives.
struct PrimitiveGap {
    /// Squared distance.
    squared: f64,
    /// Vector from the nearest point of the second primitive to that of the first.
    line: DVec3,
    /// Normal of both primitives. Parallel to `line` if the nearest points lie inside the triangle or edges, and then
    /// more exact than a short `line`.
    across: DVec3,
}

/// Four moving points: the first `FIRST` form one primitive, the others the second.
struct RelativeMotion<const FIRST: usize> {
    x: [DVec3; 4],
    displacement: [DVec3; 4],
}

impl<const FIRST: usize> RelativeMotion<FIRST> {
    /// Expresses all points and paths relative to the last point, to avoid rounding errors far from the origin.
    fn new(start: [DVec3; 4], end: [DVec3; 4]) -> Self {
        let travel = end[3] - start[3];
        let x = std::array::from_fn(|k| start[k] - start[3]);
        Self { x, displacement: std::array::from_fn(|k| end[k] - start[k] - travel) }
    }

    fn time(&self, separation: f64, between: impl Fn(&[DVec3; 4]) -> PrimitiveGap) -> Option<f64> {
        let (mut time, mut now) = (0.0, self.x);
        let mut nearest = between(&now);
        let near = separation.max(0.0).min(0.5 * nearest.squared.sqrt());
        for _ in 0..MAX_STEPS {
            let PrimitiveGap { squared, line, across } = nearest;
            // Written so that a NaN distance counts as contact.
            let apart = squared > near * near;
            if !apart {
                return Some(time);
            }
            // Both directions give safe steps, and the normal of the primitives is more exact when they are close:
            // take the longer step.
            let across = across * across.dot(line).signum();
            let step = |n: DVec3| self.safe_step(&now, n.normalize_or_zero(), 0.5 * near);
            time += step(line).max(step(across));
            if time >= 1.0 {
                return None;
            }
            now = std::array::from_fn(|k| self.x[k] + time * self.displacement[k]);
            nearest = between(&now);
        }
        Some(time)
    }

    /// The time during which all corners of the first primitive stay at least `gap` above those of the second, along
    /// `n`.
    fn safe_step(&self, x: &[DVec3; 4], n: DVec3, gap: f64) -> f64 {
        let mut step = f64::INFINITY;
        for a in 0..FIRST {
            for b in FIRST..4 {
                let spare = n.dot(x[a] - x[b]) - gap;
                let approach = n.dot(self.displacement[b] - self.displacement[a]);
                // Written so that NaN counts as unsafe.
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

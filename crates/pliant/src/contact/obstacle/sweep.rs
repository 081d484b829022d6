//! An obstacle over one step, and where points run into it.

use glam::DVec3;

use crate::contact::law::half_space::HalfSpace;
use crate::geometry::{Pose, Shape};

/// A shape that moves from one pose to another while points move too.
///
/// All is looked at from the shape, which then stands still: a point that goes from x to y goes
/// from `before⁻¹ x` to `after⁻¹ y` in its frame, along a straight line. The distance to the shape
/// changes by no more than the point moves, so a walk along the line that always steps by the
/// distance can pass over nothing, however fast it is (sphere tracing, Hart 1996).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ObstacleSweep<'a> {
    /// The shape.
    pub shape: &'a Shape,
    /// Where it is at the begin of the step.
    pub before: Pose,
    /// Where it is at the end.
    pub after: Pose,
}

impl ObstacleSweep<'_> {
    /// Whether no point of a ball that holds the beginnings and ends of all ways can touch.
    pub fn misses(&self, centre: DVec3, radius: f64) -> bool {
        let (from, to) = (self.before.local_point(centre), self.after.local_point(centre));
        // A turn by θ moves what is r away from its centre by 2 r sin(θ/2) = 2 r |xyz| of the
        // quaternion of the turn.
        let turn = self.before.rotation.inverse() * self.after.rotation;
        let travel = (to - from).length() + 2.0 * radius * turn.xyz().length();
        self.shape.distance(from).distance > radius + travel
    }

    /// The plane that a point meets which would go from `start` to `end` in the step: tangent to
    /// the shape, where it will be at the end of the step, at the place where the point would
    /// enter; at the nearest way out for a point that is inside. Nothing if it stays or gets out.
    pub fn entry(&self, start: DVec3, end: DVec3) -> Option<HalfSpace> {
        let (start, end) = (self.before.local_point(start), self.after.local_point(end));
        let plane = self.tangent(start, end)?;
        (plane.gap(end) < 0.0).then(|| HalfSpace {
            point: self.after.point(plane.point),
            normal: self.after.direction(plane.normal),
        })
    }

    /// The tangent plane where the way from `start` to `end` meets the shape, in its frame.
    fn tangent(&self, start: DVec3, end: DVec3) -> Option<HalfSpace> {
        /// Steps after which a way that creeps along the surface is taken to touch it.
        const TRACING_STEPS: usize = 32;
        /// Share of the way at which the surface counts as reached.
        const TRACING_TOLERANCE: f64 = 1e-3;
        let way = end - start;
        let length = way.length();
        if self.shape.is_beyond(start, length) {
            return None;
        }
        let (mut point, mut walked) = (start, 0.0);
        let mut touch = self.shape.distance(start);
        for _ in 0..TRACING_STEPS {
            if touch.distance <= TRACING_TOLERANCE * length {
                break;
            }
            walked += touch.distance;
            if walked > length {
                return None;
            }
            point = start + way * (walked / length);
            touch = self.shape.distance(point);
        }
        Some(HalfSpace { point: point - touch.distance * touch.normal, normal: touch.normal })
    }
}

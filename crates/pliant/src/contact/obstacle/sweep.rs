//! The motion of an obstacle over one substep, and the points that enter it.

use glam::DVec3;

use crate::contact::law::half_space::HalfSpace;
use pliant_mesh::geometry::{Pose, Shape, SignedDistance};

/// A shape that moves from one pose to another while points move too.
///
/// Computed in the frame of the shape, where it is at rest: a point that moves from x to y moves from `before⁻¹ x` to
/// `after⁻¹ y` there, along a straight line. The distance to the shape changes by no more than the point moves, so a walk along the
/// line in steps of the distance misses nothing, at any speed (sphere tracing, Hart 1996).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ObstacleSweep<'a> {
    /// The shape.
    pub shape: &'a Shape,
    /// Its pose at the start of the substep.
    pub before: Pose,
    /// Its pose at the end.
    pub after: Pose,
}

impl ObstacleSweep<'_> {
    /// True if no point within a ball that encloses the starts and ends of all paths can touch the shape.
    pub fn misses(&self, centre: DVec3, radius: f64) -> bool {
        let (from, to) = (self.before.local_point(centre), self.after.local_point(centre));
        // A rotation by θ moves a point at distance r from its centre by 2 r sin(θ/2) = 2 r |xyz| of its quaternion.
        let turn = self.before.rotation.inverse() * self.after.rotation;
        let travel = (to - from).length() + 2.0 * radius * turn.xyz().length();
        self.shape.distance(from).distance > radius + travel
    }

    /// The contact plane of a point that moves from `start` to `end` in the substep. It is tangent to the shape, in its pose at the end,
    /// where the path enters it; or at the nearest point of the surface, if the path starts inside. `None` if the path does not enter the
    /// shape, or ends on the outer side of the plane.
    pub fn entry(&self, start: DVec3, end: DVec3) -> Option<HalfSpace> {
        self.follow(self.local_path(start, end), 0.0).1
    }

    /// A path in the frame of the shape: its start and its end.
    pub(super) fn local_path(&self, start: DVec3, end: DVec3) -> [DVec3; 2] {
        [self.before.local_point(start), self.after.local_point(end)]
    }

    /// Follows a point on a path in the frame of the shape: a distance that it keeps from the shape, in m, and its contact plane as by
    /// [`ObstacleSweep::entry`]. A distance above `margin` need not be known exactly.
    pub(super) fn follow(&self, path: [DVec3; 2], margin: f64) -> (f64, Option<HalfSpace>) {
        let [start, end] = path;
        let length = (end - start).length();
        if self.shape.is_beyond(start, length + margin) {
            return (margin, None);
        }
        let touch = self.shape.distance(start);
        let plane = self.tangent(path, touch).filter(|plane| plane.gap(end) < 0.0);
        let plane = plane.map(|plane| HalfSpace {
            point: self.after.point(plane.point),
            normal: self.after.direction(plane.normal),
        });
        (touch.distance - length, plane)
    }

    /// The tangent plane where a path enters the shape, in the frame of the shape. `touch` is the distance at its start.
    fn tangent(&self, [start, end]: [DVec3; 2], mut touch: SignedDistance) -> Option<HalfSpace> {
        /// Steps after which a path that is nearly tangential is taken to touch the surface.
        const TRACING_STEPS: usize = 32;
        /// Distance to the surface over the length of the path at which the surface counts as reached.
        const TRACING_TOLERANCE: f64 = 1e-3;
        let way = end - start;
        let length = way.length();
        let (mut point, mut walked) = (start, 0.0);
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

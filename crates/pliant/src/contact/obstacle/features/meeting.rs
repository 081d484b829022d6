//! Where a part of a skin first meets a part of an obstacle.

use crate::contact::detect::feature::Feature;
use crate::contact::law::half_space::HalfSpace;

/// Two points, of a skin and of an obstacle, that meet in a step.
#[derive(Debug, Clone, Copy)]
pub(super) struct Meeting {
    /// The point of the skin.
    pub(super) point: Feature,
    /// The side of the obstacle that the point may not enter, in the frame of the obstacle.
    pub(super) plane: HalfSpace,
    /// Distance of the point from the plane when they meet, in m: zero, or negative if they overlap from the start.
    pub(super) gap: f64,
    /// When they meet, as a part of the step from 0 to 1.
    pub(super) time: f64,
}

/// A part of a skin and a part of an obstacle at some time.
#[derive(Debug, Clone, Copy)]
pub(super) struct PartsNear {
    /// The distance between their surfaces, in m.
    pub(super) distance: f64,
    /// How they meet, if they touch at this time; `None` if other parts are nearer.
    pub(super) meeting: Option<Meeting>,
}

/// The first meeting of two parts, of which `at` returns the state after a part of the step. No point of the skin moves farther than
/// `length`, in m.
///
/// As for [points](crate::contact::obstacle::sweep::ObstacleSweep), the distance changes by no more than the points move, so steps
/// in time of the distance over the length miss nothing.
pub(super) fn first_meeting(length: f64, at: impl Fn(f64) -> PartsNear) -> Option<Meeting> {
    /// Steps after which parts that slide past each other count as touching.
    const STEPS: usize = 32;
    /// Distance over the length of the path at which parts touch.
    const TOLERANCE: f64 = 1e-3;
    let mut time = 0.0;
    let mut now = at(time);
    if now.meeting.is_some_and(|meeting| meeting.gap < 0.0) {
        return now.meeting;
    }
    for _ in 0..STEPS {
        if now.distance <= TOLERANCE * length {
            break;
        }
        time += now.distance / length;
        if time.is_nan() || time > 1.0 {
            return None;
        }
        now = at(time);
    }
    // Parts that come nearer do not overlap before they touch; those of the far side seem to.
    now.meeting.filter(|meeting| meeting.gap >= -2.0 * TOLERANCE * length)
}

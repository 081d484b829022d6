//! Prescribed rigid motion as a function of time.

use glam::{DQuat, DVec3};

use crate::body::limits::MAX_LENGTH;
use crate::persist::{Reader, SnapshotError, Writer};
use pliant_mesh::geometry::Pose;

/// A rigid motion as a function of time: ramps applied in order.
///
/// ```
/// use glam::DVec3;
/// use pliant::Motion;
/// use pliant::body::{Action, Ramp};
///
/// let pull = Ramp { start: 0.0, end: 2.0, action: Action::Translate(DVec3::X) };
/// let motion = Motion { ramps: vec![pull] };
/// assert_eq!(motion.position(DVec3::ZERO, 1.0), DVec3::new(0.5, 0.0, 0.0));
/// assert_eq!(motion.position(DVec3::ZERO, 9.0), DVec3::X);
/// ```
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Motion {
    /// The ramps.
    pub ramps: Vec<Ramp>,
}

/// A translation or rotation that grows linearly from zero at `start` to its full value at `end`, and then stays.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Ramp {
    /// Start, in s.
    pub start: f64,
    /// End, in s; equal to `start` for a jump.
    pub end: f64,
    /// The translation or rotation.
    pub action: Action,
}

/// The translation or rotation of a [`Ramp`].
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Action {
    /// Translation by this vector, in m.
    Translate(DVec3),
    /// Rotation about an axis through a point.
    Rotate {
        /// A point of the axis, in m.
        centre: DVec3,
        /// Direction of the axis; its length does not matter.
        axis: DVec3,
        /// Angle, in rad, right-handed about the axis.
        angle: f64,
    },
}

impl Motion {
    /// Position at time `t` of a node that rests at `x_rest`.
    pub fn position(&self, x_rest: DVec3, t: f64) -> DVec3 {
        self.ramps.iter().fold(x_rest, |x, ramp| ramp.action.apply(x, ramp.fraction(t)))
    }

    /// True if the pose at two times differs.
    pub(crate) fn moves_between(&self, from: f64, to: f64) -> bool {
        !self.ramps.is_empty() && self.pose(from) != self.pose(to)
    }

    /// The motion up to time `t` as one rigid transformation.
    pub fn pose(&self, t: f64) -> Pose {
        let identity = Pose::IDENTITY;
        self.ramps.iter().fold(identity, |pose, ramp| ramp.action.pose(ramp.fraction(t)) * pose)
    }
}

impl Ramp {
    /// The completed fraction of the ramp at time `t`, from 0 to 1.
    pub fn fraction(&self, t: f64) -> f64 {
        if t >= self.end {
            1.0
        } else if t <= self.start {
            0.0
        } else {
            (t - self.start) / (self.end - self.start)
        }
    }

    /// True if all values are finite, lengths are at most 1e9 m, the end is not before the start, and the axis is not
    /// zero.
    pub fn is_sound(&self) -> bool {
        let near = |x: DVec3| x.abs().cmple(DVec3::splat(MAX_LENGTH)).all();
        let finite = match self.action {
            Action::Translate(by) => near(by),
            Action::Rotate { centre, axis, angle } => {
                near(centre) && axis.try_normalize().is_some() && angle.is_finite()
            }
        };
        finite && self.start.is_finite() && self.end.is_finite() && self.end >= self.start
    }
}

impl Action {
    /// `x` after this fraction of the action.
    fn apply(&self, x: DVec3, fraction: f64) -> DVec3 {
        match *self {
            Self::Translate(by) => x + by * fraction,
            Self::Rotate { centre, axis, angle } => {
                let turn = DQuat::from_axis_angle(axis.normalize_or(DVec3::Y), angle * fraction);
                centre + turn * (x - centre)
            }
        }
    }
    /// This fraction of the action as a rigid transformation.
    fn pose(&self, fraction: f64) -> Pose {
        match *self {
            Self::Translate(by) => Pose::from(by * fraction),
            Self::Rotate { centre, axis, angle } => Pose::turn(centre, axis, angle * fraction),
        }
    }
}

/// Size of the shortest saved ramp, in bytes.
const MIN_RAMP_BYTES: usize = 41;

impl Motion {
    pub(crate) fn save(&self, to: &mut Writer) {
        to.u32(self.ramps.len() as u32);
        for Ramp { start, end, action } in &self.ramps {
            to.f64(*start);
            to.f64(*end);
            match *action {
                Action::Translate(by) => {
                    to.u8(0);
                    to.vector(by);
                }
                Action::Rotate { centre, axis, angle } => {
                    to.u8(1);
                    to.vector(centre);
                    to.vector(axis);
                    to.f64(angle);
                }
            }
        }
    }

    pub(crate) fn read(from: &mut Reader<'_>) -> Result<Self, SnapshotError> {
        let count = from.count(MIN_RAMP_BYTES)?;
        let ramps = (0..count).map(|_| Ramp::read(from)).collect::<Result<_, _>>()?;
        Ok(Self { ramps })
    }
}

impl Ramp {
    fn read(from: &mut Reader<'_>) -> Result<Self, SnapshotError> {
        let (start, end) = (from.f64()?, from.f64()?);
        let action = match from.u8()? {
            0 => Action::Translate(from.vector()?),
            1 => {
                let (centre, axis) = (from.vector()?, from.vector()?);
                Action::Rotate { centre, axis, angle: from.f64()? }
            }
            _ => return Err(from.bad("a ramp")),
        };
        Ok(Self { start, end, action })
    }
}

//! Springs that draw points of a body towards moving targets.

use glam::DVec3;

use crate::body::error::BodyError;
use crate::body::hold::motion::{Action, Motion, Ramp};
use crate::body::limits::MAX_LENGTH;
use crate::body::material_point::MaterialPoint;
use crate::body::model::model::Model;
use crate::persist::{Reader, SnapshotError, Writer};

/// A spring and a damper between a point of a body and a moving target, for example the mouse of a user who drags it.
///
/// ```text
/// f = k (x̂(t) − p) + d (dx̂/dt − ṗ)
/// ```
///
/// - `p` the point, `x̂` the target: where `motion` has led the point from where it rests
/// - `k` the stiffness, in N/m; `d` the damping, in N·s/m
///
/// Unlike a pin it is compliant: the point comes to rest where the body pulls back with the same force. All steppers
/// integrate it implicitly, so that no stiffness makes it unstable.
#[derive(Debug, Clone, PartialEq)]
pub struct Pull {
    /// The point that is pulled.
    pub point: MaterialPoint,
    /// The motion of the target. Without ramps it stays where the point rests.
    pub motion: Motion,
    /// Force per distance, in N/m: zero or more.
    pub stiffness: f64,
    /// Force per speed, in N·s/m: zero or more.
    pub damping: f64,
}

/// Names a pull of a body, until it is removed. If the body breaks, the pull goes with the fragment that has its point, and has the same handle there.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PullHandle(pub(crate) u32);

/// Largest stiffness, in N/m, and damping, in N·s/m: beyond, sums with the stiffness of a body lose their digits.
const MAX_PULL_STRENGTH: f64 = 1e15;

impl Pull {
    /// Position of the target at time `t`, for a body whose nodes rest at `rest`.
    pub fn target(&self, rest: &[DVec3], t: f64) -> DVec3 {
        self.motion.position(self.point.position(rest), t)
    }

    /// Moves the target evenly from where it is at time `start` to a position at time `end`, where it stays. The body rests at `rest`.
    pub(crate) fn lead_to(&mut self, target: DVec3, rest: &[DVec3], [start, end]: [f64; 2]) {
        let (origin, now) = (self.point.position(rest), self.target(rest, start));
        let jump = Ramp { start: 0.0, end: 0.0, action: Action::Translate(now - origin) };
        let way = Ramp { start, end, action: Action::Translate(target - now) };
        self.motion.ramps.clear();
        self.motion.ramps.extend([jump, way]);
    }

    /// Checks the values, and that the point belongs to `model`.
    pub(crate) fn check(&self, model: &Model) -> Result<(), BodyError> {
        for (field, value) in [("stiffness", self.stiffness), ("damping", self.damping)] {
            if !(0.0..=MAX_PULL_STRENGTH).contains(&value) {
                return Err(BodyError::PullStrength { field, value, most: MAX_PULL_STRENGTH });
            }
        }
        if let Some(ramp) = self.motion.ramps.iter().find(|ramp| !ramp.is_sound()) {
            let (ramp, most) = (format!("{ramp:?}"), MAX_LENGTH);
            return Err(BodyError::PullRamp { ramp, most });
        }
        model.check_point(&self.point)
    }
}

/// Size of the shortest saved pull, in bytes: in a tetrahedron, without ramps, with its handle.
pub(crate) const MIN_PULL_BYTES: usize = 60;

impl Pull {
    /// Saves everything except the nodes of the point, which follow from its cell.
    pub(crate) fn save(&self, to: &mut Writer) {
        to.u32(self.point.cell);
        to.f64s(&self.point.weights);
        to.f64(self.stiffness);
        to.f64(self.damping);
        self.motion.save(to);
    }

    /// Reads a pull at a point of `model`.
    pub(crate) fn read(model: &Model, from: &mut Reader<'_>) -> Result<Self, SnapshotError> {
        let mesh = model.mesh();
        let cell = from.u32()?;
        if cell as usize >= mesh.cell_count() {
            return Err(from.bad("the cell of a pull"));
        }
        let nodes = mesh.cell(cell as usize).1.to_vec();
        let mut weights = vec![0.0; nodes.len()];
        from.f64s(&mut weights)?;
        let (stiffness, damping, motion) = (from.f64()?, from.f64()?, Motion::read(from)?);
        let point = MaterialPoint { cell, nodes, weights };
        let pull = Self { point, motion, stiffness, damping };
        pull.check(model).map_err(|_| from.bad("a pull"))?;
        Ok(pull)
    }
}

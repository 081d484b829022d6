//! A point of a body that is drawn towards a target.

use glam::DVec3;

use crate::body::error::BodyError;
use crate::body::hold::motion::Motion;
use crate::body::limits::MOST_LENGTH;
use crate::body::material_point::MaterialPoint;
use crate::body::model::model::Model;
use crate::persist::{Reader, SnapshotError, Writer};

/// A spring and a damper between a point of a body and a target: what a hand that drags it is.
///
/// ```text
/// f = k (x̂(t) − p) + d (dx̂/dt − ṗ)
/// ```
///
/// - `p` the point, `x̂` the target: where `motion` has led the point from where it rests
/// - `k` the stiffness, in N/m; `d` the damping, in N·s/m
///
/// Unlike a pin, it gives way: the point comes to rest where the body pulls back as hard. Every
/// stepper takes it implicitly, so that no stiffness makes it unstable.
#[derive(Debug, Clone, PartialEq)]
pub struct Pull {
    /// What is pulled.
    pub point: MaterialPoint,
    /// Where the target goes; it stays where the point rests if there are no ramps.
    pub motion: Motion,
    /// Force per distance, in N/m: zero or more.
    pub stiffness: f64,
    /// Force per speed, in N·s/m: zero or more.
    pub damping: f64,
}

/// Greatest stiffness and damping that still leave digits for a body.
const MOST_STRENGTH: f64 = 1e15;

impl Pull {
    /// Where the target is at time `t`, of a body whose nodes rest at `rest`.
    pub fn target(&self, rest: &[DVec3], t: f64) -> DVec3 {
        self.motion.position(self.point.position(rest), t)
    }

    /// Checks its numbers, and that its point is one of `model`.
    pub(crate) fn check(&self, model: &Model) -> Result<(), BodyError> {
        for (field, value) in [("stiffness", self.stiffness), ("damping", self.damping)] {
            if !(0.0..=MOST_STRENGTH).contains(&value) {
                return Err(BodyError::PullStrength { field, value, most: MOST_STRENGTH });
            }
        }
        if let Some(ramp) = self.motion.ramps.iter().find(|ramp| !ramp.is_sound()) {
            let (ramp, most) = (format!("{ramp:?}"), MOST_LENGTH);
            return Err(BodyError::PullRamp { ramp, most });
        }
        model.check_point(&self.point)
    }
}

/// Bytes of the shortest pull: of a tetrahedron, without ramps.
pub(crate) const LEAST_PULL: usize = 56;

impl Pull {
    /// Writes all but the nodes of its point, which its cell tells.
    pub(crate) fn save(&self, to: &mut Writer) {
        to.u32(self.point.cell);
        to.f64s(&self.point.weights);
        to.f64(self.stiffness);
        to.f64(self.damping);
        self.motion.save(to);
    }

    /// A pull at a point of bodies of `model`.
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

//! The energy of a body, and whether it can be followed.

use glam::DVec3;

use crate::body::{Body, Kinematics, State};
use crate::world::context::StepContext;

use super::component::followed_energy::EnergyBalance;
use super::component::stepper::BodyStepper;
use super::component::stepping::Stepping;
use super::slot::BodySlot;

impl BodySlot {
    /// True for steppers without linear solves: implicit ones have a guard of their own, and rigid bodies follow what touches them.
    pub(crate) fn needs_energy_guard(&self) -> bool {
        matches!(self.stepping.stepper, BodyStepper::Explicit(_) | BodyStepper::PositionBased(_))
    }

    /// True if its constraints measure changes of volume at every point.
    pub(crate) fn is_position_based(&self) -> bool {
        matches!(self.stepping.stepper, BodyStepper::PositionBased(_))
    }

    /// True if its state is finite, and no pin, pull or load on its skin has done work on it in this step.
    pub(crate) fn is_closed(&self, context: &StepContext<'_>) -> bool {
        let (from, to) = (context.time, context.time + context.config.dt);
        self.body.state.is_finite()
            && !self.body.pins().iter().any(|pin| pin.motion.moves_between(from, to))
            && self.body.springs().next().is_none()
            && self.loads.skin.on_nodes().is_empty()
    }

    /// Kinetic and elastic energy at the start of the step, in J.
    pub(crate) fn energy_at_start(&mut self) -> f64 {
        let Self { stepping: Stepping { stepper, .. }, body, start_state, .. } = self;
        energies(stepper, body, &start_state.state.x, &start_state.state.v).iter().sum()
    }

    /// Kinetic and elastic energy, in J.
    pub(crate) fn energy_now(&mut self) -> f64 {
        let Self { stepping: Stepping { stepper, .. }, body, .. } = self;
        energies(stepper, body, &body.state.x, &body.state.v).iter().sum()
    }

    /// The energy that its contacts with obstacles can give back in steps of `h`, in J.
    pub(crate) fn energy_in_contacts(&self, h: f64) -> f64 {
        self.loads.points.energy_in_contacts(self.body.model().mass(), h)
    }

    /// Follows its energy from its present position on: contact ended its motion before the end of the step. Its energy stays that at the end, so that
    /// forces that acted for the whole step, and will act again, are not counted twice.
    pub(crate) fn follow_energy_here(&mut self) {
        let Self { stepping, body, .. } = self;
        stepping.energy.end_at(moment(body, &body.state.x));
    }

    /// The work of gravity since the start of the step, in J.
    pub(crate) fn work_of(&self, gravity: DVec3) -> f64 {
        let Self { body, start_state, .. } = self;
        gravity.dot(moment(body, &body.state.x) - moment(body, &start_state.state.x))
    }

    /// The elastic and potential energy that it gained by a move of its nodes from `x`, in J.
    pub(crate) fn energy_gained_since(&mut self, x: &[DVec3], gravity: DVec3) -> f64 {
        let Self { stepping: Stepping { stepper, .. }, body, .. } = self;
        let mut elastic = |x: &[DVec3]| stepper.elastic_energy(body.rest_shape(), x);
        let risen = gravity.dot(moment(body, x) - moment(body, &body.state.x));
        elastic(&body.state.x) - elastic(x) + risen
    }

    /// True if the changes of shape in its last joint step were too large for one linearisation.
    pub(crate) fn took_rough_step(&mut self) -> bool {
        match &mut self.stepping.stepper {
            BodyStepper::Implicit(stepper) => stepper.took_rough_step(),
            _ => false,
        }
    }

    /// Its energies at the end of a step in J; `None` for a body with linear solves.
    pub(crate) fn energy_balance(&mut self, gravity: DVec3) -> EnergyBalance {
        let Self { stepping: Stepping { stepper, energy: followed, .. }, body, .. } = self;
        if !followed.is_known() {
            let Kinematics { x, v } = &self.start_state.state;
            let [elastic, kinetic] = energies(stepper, body, x, v);
            followed.start(elastic + kinetic, moment(body, x));
        }
        let State { x, v, .. } = &body.state;
        let [elastic, kinetic] = energies(stepper, body, x, v);
        let is_soft = matches!(stepper, BodyStepper::PositionBased(_));
        let balance = followed.balance(elastic + kinetic, moment(body, x), gravity);
        EnergyBalance { uncertain: if is_soft { elastic } else { 0.0 }, ..balance }
    }
}

/// Elastic and kinetic energy of a body with nodes at `x` and their velocities, in J.
fn energies(stepper: &mut BodyStepper, body: &Body, x: &[DVec3], v: &[DVec3]) -> [f64; 2] {
    let elastic = stepper.elastic_energy(body.rest_shape(), x);
    [elastic, stepper.mass_matrix(body.model()).kinetic_energy(v)]
}

/// Σ m x, in kg m.
fn moment(body: &Body, x: &[DVec3]) -> DVec3 {
    x.iter().zip(body.model().masses()).map(|(x, mass)| *mass * *x).sum()
}

//! A body as a member of a joint solve.

use glam::DVec3;

use crate::body::Unknowns;
use crate::force::PairSide;
use crate::solver::{External, FactorForm, Joint, Member, Outcome, RigidPart};
use crate::world::context::StepContext;
use pliant_kernels::math::{Mat3, TimeStep};

use super::component::stepper::BodyStepper;
use super::component::stepping::Stepping;
use super::slot::BodySlot;

impl BodySlot {
    /// True if a joint solve finds its velocities. A rigid body is solved for if the bodies around it are.
    pub(crate) fn solves(&self) -> bool {
        match self.stepping.stepper {
            BodyStepper::Implicit(_) => true,
            BodyStepper::Rigid(_) => self.joint.solves_rigid,
            _ => false,
        }
    }

    /// Prepares its part of a joint solve.
    pub(crate) fn open(&mut self, context: &StepContext<'_>, step: TimeStep) {
        if !self.solves() {
            return self.joint.mass_only.open(&self.body);
        }
        let Self { stepping: Stepping { stepper, method, .. }, body, loads, report, .. } = self;
        let external = context.external(&loads.points);
        match stepper {
            BodyStepper::Implicit(stepper) => {
                report.linear.add_step(&stepper.open(body, step, external));
            }
            BodyStepper::Rigid(stepper) => {
                let damping = external.damping + method.rayleigh.mass;
                stepper.open(body, step, External { damping, ..external });
            }
            _ => {}
        }
    }

    /// Ends a step with the velocities of a joint solve.
    pub(crate) fn close(&mut self, step: TimeStep) {
        match &mut self.stepping.stepper {
            BodyStepper::Implicit(stepper) => stepper.close(&mut self.body, step),
            BodyStepper::Rigid(stepper) => stepper.close(&mut self.body, step),
            _ => {}
        }
    }

    /// Counts a joint solve as one of this body; `cut` is true if it stopped at the iteration limit.
    pub(crate) fn record_outcome(&mut self, outcome: &Outcome, joint: &Joint, cut: bool) {
        let (linear, unknowns) = (&mut self.report.linear, joint.unknowns());
        linear.factorisations += joint.factorisations();
        linear.iterations += outcome.iterations;
        linear.work += u64::from(outcome.iterations) * unknowns as u64;
        linear.residual = linear.residual.max(outcome.residual);
        linear.count(outcome.converged, cut);
    }

    /// The inverse mass of a point: Σ w²/m over its free nodes, in 1/kg.
    pub(crate) fn inverse_mass(&self, side: &PairSide<'_>) -> f64 {
        let (masses, unknowns) = (self.body.model().masses(), self.body.unknowns());
        let free = side.weights.iter().filter(|(node, _)| !unknowns.is_prescribed(*node));
        free.map(|(node, weight)| weight * weight / masses[*node as usize]).sum()
    }

    /// Applies an impulse at a point: changes velocities, and positions as if it had acted `h` seconds ago.
    pub(crate) fn apply_impulse(&mut self, side: &PairSide<'_>, impulse: DVec3, h: f64) {
        let model = self.body.model().clone();
        if let Some(inertia) = model.inertia() {
            let place = side.blend(&self.body.state.x);
            return inertia.kick(&mut self.body.state, place, impulse, h);
        }
        for (node, weight) in side.weights {
            if !self.body.unknowns().is_prescribed(*node) {
                let node = *node as usize;
                let change = (*weight / model.masses()[node]) * impulse;
                self.body.state.v[node] += change;
                self.body.state.x[node] += h * change;
            }
        }
    }
}

/// Runs `$work` with the stepper of a body that is solved for, or with the mass-only stand-in of another.
macro_rules! part {
    ($slot:expr, $part:ident => $work:expr) => {
        match &$slot.stepping.stepper {
            BodyStepper::Implicit($part) => $work,
            BodyStepper::Rigid($part) if $slot.joint.solves_rigid => $work,
            _ => {
                let $part = &$slot.joint.mass_only;
                $work
            }
        }
    };
    (mut $slot:expr, $part:ident => $work:expr) => {
        match &mut $slot.stepping.stepper {
            BodyStepper::Implicit($part) => $work,
            BodyStepper::Rigid($part) if $slot.joint.solves_rigid => $work,
            _ => {
                let $part = &mut $slot.joint.mass_only;
                $work
            }
        }
    };
}

impl Member for Box<BodySlot> {
    fn is_solved(&self) -> bool {
        self.solves()
    }

    fn unknowns(&self) -> &Unknowns {
        part!(self, part => part.unknowns())
    }

    fn positions(&self) -> &[DVec3] {
        &self.body.state.x
    }

    fn rigid_part(&self, arms: &mut [DVec3]) -> Option<RigidPart> {
        match &self.stepping.stepper {
            BodyStepper::Implicit(stepper) => stepper.rigid_part(&self.loads.points, arms),
            BodyStepper::Rigid(stepper) if self.solves() => stepper.rigid_part(arms),
            _ => None,
        }
    }

    fn velocities(&self) -> &[DVec3] {
        part!(self, part => part.velocities())
    }

    fn residual(&mut self) -> &mut [DVec3] {
        part!(mut self, part => part.residual())
    }

    fn reduce_residual(&self, b: &mut [DVec3]) {
        part!(self, part => part.reduce_residual(b));
    }

    fn load(&self) -> f64 {
        match &self.stepping.stepper {
            BodyStepper::Implicit(stepper) => stepper.load(),
            BodyStepper::Rigid(stepper) if self.solves() => stepper.load(),
            _ => 0.0,
        }
    }

    fn is_free(&self) -> bool {
        self.body.pins().is_empty() && self.loads.points.is_empty()
    }

    fn mass(&self) -> f64 {
        part!(self, part => part.mass())
    }

    fn weights(&self) -> &[f64] {
        part!(self, part => part.weights())
    }

    fn limits(&self) -> (f64, u32) {
        (self.stepping.method.tolerance, self.stepping.method.max_iterations)
    }

    fn add_diagonal(&mut self, unknown: usize, block: &Mat3) {
        part!(mut self, part => part.add_diagonal(unknown, block));
    }

    fn uses_couplings(&self) -> bool {
        matches!(&self.stepping.stepper, BodyStepper::Implicit(implicit) if implicit.uses_couplings())
    }

    fn couple(&mut self, row: usize, column: usize, block: &Mat3) {
        if let BodyStepper::Implicit(stepper) = &mut self.stepping.stepper {
            stepper.couple(row, column, block);
        }
    }

    fn form(&self) -> FactorForm<'_> {
        match &self.stepping.stepper {
            BodyStepper::Implicit(stepper) => {
                stepper.matrix().map_or(FactorForm::Other, FactorForm::Cells)
            }
            BodyStepper::Rigid(_) if self.solves() => FactorForm::Rigid,
            _ => FactorForm::Other,
        }
    }

    fn is_stiff(&self) -> bool {
        matches!(&self.stepping.stepper, BodyStepper::Implicit(stepper) if stepper.is_stiff())
    }

    fn solved(&mut self, outcome: &Outcome) {
        if let BodyStepper::Implicit(stepper) = &mut self.stepping.stepper {
            stepper.solved(outcome);
        }
    }

    fn apply(&mut self, p: &[DVec3], product: &mut [DVec3]) {
        let solves = self.solves();
        let BodySlot { stepping, body, loads, joint, .. } = &mut **self;
        let points = &loads.points;
        match &mut stepping.stepper {
            BodyStepper::Implicit(stepper) => stepper.apply(body.rest_shape(), points, p, product),
            BodyStepper::Rigid(stepper) if solves => stepper.apply(points, p, product),
            _ => joint.mass_only.apply(p, product),
        }
    }

    fn precondition(&mut self, r: &[DVec3], z: &mut [DVec3]) {
        part!(mut self, part => part.precondition(r, z));
    }

    fn project(&self, r: &mut [DVec3]) {
        match &self.stepping.stepper {
            BodyStepper::Rigid(stepper) if self.solves() => stepper.project(r),
            BodyStepper::Implicit(stepper) => stepper.project(r),
            _ => {}
        }
    }

    fn project_update(&self, z: &mut [DVec3]) {
        if let BodyStepper::Implicit(stepper) = &self.stepping.stepper {
            stepper.project(z);
        }
    }

    fn add_velocity(&mut self, change: &[DVec3]) {
        part!(mut self, part => part.add_velocity(change));
    }
}

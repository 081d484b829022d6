//! Bodies of a world as members of a joint solve.

use glam::DVec3;

use crate::body::{Body, Unknowns};
use crate::force::PairSide;
use crate::math::Mat3;
use crate::solver::{External, Member, Outcome, RigidPart};

use super::body_stepper::BodyStepper;
use super::entry::Entry;
use super::moment::Moment;

/// What a body has that takes part with the velocity it has, and is not solved for: it feels the
/// forces that are found afterwards.
#[derive(Debug, Clone)]
pub(super) struct Bystander {
    unknowns: Unknowns,
    missing: Vec<DVec3>,
}

impl Bystander {
    pub(super) fn of(body: &Body) -> Self {
        let count = body.state.x.len();
        Self { unknowns: Unknowns::none(count), missing: vec![DVec3::ZERO; count] }
    }
}

impl Entry {
    /// Whether it finds its velocities by solving systems, together with those that it touches. A rigid
    /// body does as those around it do.
    pub(super) fn solves(&self) -> bool {
        match self.stepper {
            BodyStepper::Implicit(_) => true,
            BodyStepper::Rigid(_) => self.joins,
            _ => false,
        }
    }

    /// Whether the joint solve is all of its step.
    pub(super) fn is_shared_whole(&self) -> bool {
        match &self.stepper {
            BodyStepper::Implicit(stepper) => stepper.is_shared_whole(),
            BodyStepper::Rigid(_) => true,
            _ => false,
        }
    }

    /// Readies its part of a joint solve of a step from `t` by `h`.
    pub(super) fn open(&mut self, moment: &Moment<'_>, step: (f64, f64)) {
        let Self { stepper, body, points, report, method, .. } = self;
        let external = moment.external(points);
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

    /// Ends a step with the velocities that a joint solve found.
    pub(super) fn close(&mut self, step: (f64, f64)) {
        match &mut self.stepper {
            BodyStepper::Implicit(stepper) => stepper.close(&mut self.body, step),
            BodyStepper::Rigid(stepper) => stepper.close(&mut self.body, step),
            _ => {}
        }
    }

    /// Counts a joint solve as one of this body's.
    pub(super) fn note_outcome(&mut self, outcome: &Outcome) {
        let linear = &mut self.report.linear;
        linear.iterations += outcome.iterations;
        linear.residual = linear.residual.max(outcome.residual);
        linear.unconverged += u32::from(!outcome.converged);
    }

    /// One over the mass that a point of it has for a push: Σ w²/m of nodes that are free.
    pub(super) fn yields(&self, side: &PairSide<'_>) -> f64 {
        let (masses, unknowns) = (self.body.model().masses(), self.body.unknowns());
        let free = side.weights.iter().filter(|(node, _)| !unknowns.is_prescribed(*node));
        free.map(|(node, weight)| weight * weight / masses[*node as usize]).sum()
    }

    /// Changes the velocities around a point by an impulse, and where they have led in the last `h`.
    pub(super) fn kick(&mut self, side: &PairSide<'_>, impulse: DVec3, h: f64) {
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

/// Calls a method of the stepper of a body that takes part in a joint solve, or gives what those do that
/// do not.
macro_rules! part {
    ($own:expr, $stepper:ident => $part:expr, $otherwise:expr) => {
        match $own {
            BodyStepper::Implicit($stepper) => $part,
            BodyStepper::Rigid($stepper) => $part,
            _ => $otherwise,
        }
    };
}

impl Member for Box<Entry> {
    fn unknowns(&self) -> &Unknowns {
        if !self.solves() {
            return &self.bystander.unknowns;
        }
        part!(&self.stepper, stepper => stepper.unknowns(), &self.bystander.unknowns)
    }

    fn positions(&self) -> &[DVec3] {
        &self.body.state.x
    }

    fn rigid_part(&self, arms: &mut [DVec3]) -> Option<RigidPart> {
        match &self.stepper {
            BodyStepper::Implicit(stepper) => stepper.rigid_part(&self.points, arms),
            BodyStepper::Rigid(stepper) if self.solves() => stepper.rigid_part(arms),
            _ => None,
        }
    }

    fn velocities(&self) -> &[DVec3] {
        if !self.solves() {
            return &self.body.state.v;
        }
        part!(&self.stepper, stepper => stepper.velocities(), &self.body.state.v)
    }

    fn missing(&mut self) -> &mut [DVec3] {
        if !self.solves() {
            return &mut self.bystander.missing;
        }
        part!(&mut self.stepper, stepper => stepper.missing(), &mut self.bystander.missing)
    }

    fn reduce_missing(&self, b: &mut [DVec3]) {
        if self.solves() {
            part!(&self.stepper, stepper => stepper.reduce_missing(b), ());
        }
    }

    fn load(&self) -> f64 {
        if !self.solves() {
            return 0.0;
        }
        part!(&self.stepper, stepper => stepper.load(), 0.0)
    }

    fn is_free(&self) -> bool {
        self.solves() && self.body.pins().is_empty() && self.points.is_empty()
    }

    fn mass(&self) -> f64 {
        if !self.solves() {
            return 0.0;
        }
        part!(&self.stepper, stepper => stepper.mass(), 0.0)
    }

    fn weights(&self) -> &[f64] {
        if !self.solves() {
            return &[];
        }
        part!(&self.stepper, stepper => stepper.weights(), &[])
    }

    fn limits(&self) -> (f64, u32) {
        (self.method.tolerance, self.method.max_iterations)
    }

    fn stiffen(&mut self, unknown: usize, block: &Mat3) {
        match &mut self.stepper {
            BodyStepper::Implicit(stepper) => stepper.stiffen(unknown, block),
            BodyStepper::Rigid(stepper) => stepper.stiffen(unknown, block),
            _ => {}
        }
    }

    fn apply(&mut self, p: &[DVec3], product: &mut [DVec3]) {
        let solves = self.solves();
        let Entry { stepper, body, points, .. } = &mut **self;
        match stepper {
            BodyStepper::Implicit(stepper) => stepper.apply(body.model(), points, p, product),
            BodyStepper::Rigid(stepper) if solves => stepper.apply(points, p, product),
            _ => {}
        }
    }

    fn precondition(&mut self, r: &[DVec3], z: &mut [DVec3]) {
        if self.solves() {
            part!(&mut self.stepper, stepper => stepper.precondition(r, z), ());
        }
    }

    fn project(&self, r: &mut [DVec3]) {
        if let BodyStepper::Rigid(stepper) = &self.stepper
            && self.solves()
        {
            stepper.project(r);
        }
    }

    fn take(&mut self, change: &[DVec3]) {
        if self.solves() {
            part!(&mut self.stepper, stepper => stepper.take(change), ());
        }
    }
}

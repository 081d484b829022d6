//! Bodies of a world as members of a joint solve.

use glam::DVec3;

use crate::body::{Body, Unknowns};
use crate::force::PairSide;
use crate::math::Mat3;
use crate::solver::{External, Member, Outcome};

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
    /// Whether it finds its velocities by solving systems, together with those that it touches.
    pub(super) fn solves(&self) -> bool {
        match &self.stepper {
            BodyStepper::Implicit(_) => true,
            BodyStepper::Rigid(_) => !self.is_pushed,
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

    /// Is rigid again after having been pushed.
    pub(super) fn end_push(&mut self) {
        let model = self.body.model().clone();
        if let (Some(inertia), true, false) = (model.inertia(), self.is_pushed, self.is_kinematic())
        {
            inertia.project(&mut self.body.state);
        }
    }

    /// Changes the velocities around a point by an impulse, and where they have led in the last `h`.
    pub(super) fn kick(&mut self, side: &PairSide<'_>, impulse: DVec3, h: f64) {
        let model = self.body.model().clone();
        if let Some(inertia) = model.inertia() {
            if !self.is_kinematic() {
                let place = side.blend(&self.body.state.x);
                inertia.kick(&mut self.body.state, place, impulse, h);
            }
            return;
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

impl Member for Box<Entry> {
    fn unknowns(&self) -> &Unknowns {
        match &self.stepper {
            BodyStepper::Implicit(stepper) => stepper.unknowns(),
            BodyStepper::Rigid(stepper) => stepper.unknowns(),
            _ => &self.bystander.unknowns,
        }
    }

    fn velocities(&self) -> &[DVec3] {
        match &self.stepper {
            BodyStepper::Implicit(stepper) => stepper.velocities(),
            BodyStepper::Rigid(stepper) => stepper.velocities(),
            _ => &self.body.state.v,
        }
    }

    fn missing(&mut self) -> &mut [DVec3] {
        match &mut self.stepper {
            BodyStepper::Implicit(stepper) => stepper.missing(),
            BodyStepper::Rigid(stepper) => stepper.missing(),
            _ => &mut self.bystander.missing,
        }
    }

    fn reduce_missing(&self, b: &mut [DVec3]) {
        match &self.stepper {
            BodyStepper::Implicit(stepper) => stepper.reduce_missing(b),
            BodyStepper::Rigid(stepper) => stepper.reduce_missing(b),
            _ => {}
        }
    }

    fn load(&self) -> f64 {
        match &self.stepper {
            BodyStepper::Implicit(stepper) => stepper.load(),
            BodyStepper::Rigid(stepper) => stepper.load(),
            _ => 0.0,
        }
    }

    fn weights(&self) -> &[f64] {
        match &self.stepper {
            BodyStepper::Implicit(stepper) => stepper.weights(),
            BodyStepper::Rigid(stepper) => stepper.weights(),
            _ => &[],
        }
    }

    fn limits(&self) -> (f64, u32) {
        match &self.stepper {
            BodyStepper::Implicit(stepper) => stepper.limits(),
            BodyStepper::Rigid(stepper) => stepper.limits(),
            _ => (f64::INFINITY, 0),
        }
    }

    fn stiffen(&mut self, unknown: usize, block: &Mat3) {
        match &mut self.stepper {
            BodyStepper::Implicit(stepper) => stepper.stiffen(unknown, block),
            BodyStepper::Rigid(stepper) => stepper.stiffen(unknown, block),
            _ => {}
        }
    }

    fn apply(&mut self, p: &[DVec3], product: &mut [DVec3]) {
        let Entry { stepper, body, points, .. } = &mut **self;
        match stepper {
            BodyStepper::Implicit(stepper) => stepper.apply(body.model(), points, p, product),
            BodyStepper::Rigid(stepper) => stepper.apply(points, p, product),
            _ => {}
        }
    }

    fn precondition(&mut self, r: &[DVec3], z: &mut [DVec3]) {
        match &mut self.stepper {
            BodyStepper::Implicit(stepper) => stepper.precondition(r, z),
            BodyStepper::Rigid(stepper) => stepper.precondition(r, z),
            _ => {}
        }
    }

    fn project(&self, r: &mut [DVec3]) {
        if let BodyStepper::Rigid(stepper) = &self.stepper {
            stepper.project(r);
        }
    }

    fn free_mass(&self) -> Option<f64> {
        if !self.solves() {
            return Some(0.0);
        }
        let free = self.body.pins().is_empty() && self.points.is_empty();
        free.then(|| self.body.model().mass())
    }

    fn take(&mut self, change: &[DVec3]) {
        match &mut self.stepper {
            BodyStepper::Implicit(stepper) => stepper.take(change),
            BodyStepper::Rigid(stepper) => stepper.take(change),
            _ => {}
        }
    }
}

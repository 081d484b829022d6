//! Bodies of a world as members of a joint solve.

use glam::DVec3;

use crate::body::Unknowns;
use crate::force::PairSide;
use crate::math::Mat3;
use crate::solver::{External, Member, Outcome, RigidPart};

use super::body_stepper::BodyStepper;
use super::entry::Entry;
use super::moment::Moment;

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
        if !self.solves() {
            return self.bystander.open(&self.body);
        }
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

    /// Counts a joint solve for so many unknowns as one of this body's; `cut` tells whether fewer iterations were granted than it may
    /// take.
    pub(super) fn note_outcome(&mut self, outcome: &Outcome, unknowns: usize, cut: bool) {
        let linear = &mut self.report.linear;
        linear.iterations += outcome.iterations;
        linear.work += u64::from(outcome.iterations) * unknowns as u64;
        linear.residual = linear.residual.max(outcome.residual);
        linear.count(outcome.converged, cut);
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

/// Does something with the stepper of a body that is solved for, or with the bystander that another one is.
macro_rules! part {
    ($entry:expr, $part:ident => $work:expr) => {
        match &$entry.stepper {
            BodyStepper::Implicit($part) => $work,
            BodyStepper::Rigid($part) if $entry.joins => $work,
            _ => {
                let $part = &$entry.bystander;
                $work
            }
        }
    };
    (mut $entry:expr, $part:ident => $work:expr) => {
        match &mut $entry.stepper {
            BodyStepper::Implicit($part) => $work,
            BodyStepper::Rigid($part) if $entry.joins => $work,
            _ => {
                let $part = &mut $entry.bystander;
                $work
            }
        }
    };
}

impl Member for Box<Entry> {
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
        match &self.stepper {
            BodyStepper::Implicit(stepper) => stepper.rigid_part(&self.points, arms),
            BodyStepper::Rigid(stepper) if self.solves() => stepper.rigid_part(arms),
            _ => None,
        }
    }

    fn velocities(&self) -> &[DVec3] {
        part!(self, part => part.velocities())
    }

    fn missing(&mut self) -> &mut [DVec3] {
        part!(mut self, part => part.missing())
    }

    fn reduce_missing(&self, b: &mut [DVec3]) {
        part!(self, part => part.reduce_missing(b));
    }

    fn load(&self) -> f64 {
        match &self.stepper {
            BodyStepper::Implicit(stepper) => stepper.load(),
            BodyStepper::Rigid(stepper) if self.solves() => stepper.load(),
            _ => 0.0,
        }
    }

    fn is_free(&self) -> bool {
        self.body.pins().is_empty() && self.points.is_empty()
    }

    fn mass(&self) -> f64 {
        part!(self, part => part.mass())
    }

    fn weights(&self) -> &[f64] {
        part!(self, part => part.weights())
    }

    fn limits(&self) -> (f64, u32) {
        (self.method.tolerance, self.method.max_iterations)
    }

    fn stiffen(&mut self, unknown: usize, block: &Mat3) {
        part!(mut self, part => part.stiffen(unknown, block));
    }

    fn couple(&mut self, row: usize, column: usize, block: &Mat3) {
        if let BodyStepper::Implicit(stepper) = &mut self.stepper {
            stepper.couple(row, column, block);
        }
    }

    fn note(&mut self, outcome: &Outcome) {
        if let BodyStepper::Implicit(stepper) = &mut self.stepper {
            stepper.note(outcome);
        }
    }

    fn apply(&mut self, p: &[DVec3], product: &mut [DVec3]) {
        let solves = self.solves();
        let Entry { stepper, body, points, bystander, .. } = &mut **self;
        match stepper {
            BodyStepper::Implicit(stepper) => stepper.apply(body.model(), points, p, product),
            BodyStepper::Rigid(stepper) if solves => stepper.apply(points, p, product),
            _ => bystander.apply(p, product),
        }
    }

    fn precondition(&mut self, r: &[DVec3], z: &mut [DVec3]) {
        part!(mut self, part => part.precondition(r, z));
    }

    fn project(&self, r: &mut [DVec3]) {
        match &self.stepper {
            BodyStepper::Rigid(stepper) if self.solves() => stepper.project(r),
            BodyStepper::Implicit(stepper) => stepper.project(r),
            _ => {}
        }
    }

    fn confine(&self, z: &mut [DVec3]) {
        if let BodyStepper::Implicit(stepper) = &self.stepper {
            stepper.project(z);
        }
    }

    fn take(&mut self, change: &[DVec3]) {
        part!(mut self, part => part.take(change));
    }
}

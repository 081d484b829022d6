//! The degree of edges during a step.

use crate::body::{Body, State, Unknowns};
use crate::solver::phase::Phase;

use super::adaptive::{Prediction, Ties};
use crate::solver::implicit::implicit::Implicit;
use crate::solver::implicit::step::Step;

impl Implicit {
    /// Chooses the degree of edges, from the forces at the start of the step.
    pub(in crate::solver::implicit) fn adapt(&mut self, body: &mut Body, step: &mut Step<'_>) {
        let Some(mut adaptive) = self.adaptive.take() else { return };
        let version = self.unknowns.version();
        let begins = version == 0;
        if begins {
            adaptive.note(&body.state.v, |diagonal| self.elasticity.diagonal(step.rest, diagonal));
            adaptive.make_linear(&mut self.ties(&mut body.state));
        }
        // A caller may have moved a tied node.
        self.unknowns.place_tied(&mut body.state.x);
        self.unknowns.place_tied(&mut body.state.v);
        if !begins && adaptive.waits(&body.state.v) {
            self.adaptive = Some(adaptive);
            return;
        }
        self.nodes.x.copy_from_slice(&body.state.x);
        self.evaluate(step);
        (step.phase)(Phase::Degree);
        let forces = std::mem::take(&mut self.nodes.forces);
        let prediction =
            Prediction { forces: &forces, gravity: step.external.gravity, h: step.time.h };
        adaptive.choose(&prediction, &mut self.ties(&mut body.state));
        self.nodes.forces = forces;
        if self.unknowns.version() != version {
            self.unknowns.place_tied(&mut body.state.x);
            self.unknowns.place_tied(&mut body.state.v);
            self.elasticity.follow_ties(&step.rest, &self.unknowns);
            adaptive.fold_mass(&self.unknowns, self.consistent.as_mut());
        }
        self.adaptive = Some(adaptive);
        self.forces_known = true;
    }

    pub(in crate::solver::implicit) fn ties<'a>(&'a mut self, state: &'a mut State) -> Ties<'a> {
        Ties { unknowns: &mut self.unknowns, masses: &mut self.masses, state }
    }

    /// The ties and the masses of all nodes, in kg, if the degree is adaptive.
    pub fn tied(&self) -> Option<(&Unknowns, &[f64])> {
        self.adaptive.as_ref().map(|_| (&self.unknowns, &*self.masses))
    }

    /// The degree of the interpolation at every node, if it is adaptive.
    pub fn degrees(&self, degrees: &mut [u8]) {
        if let Some(adaptive) = &self.adaptive {
            adaptive.degrees(&self.unknowns, degrees);
        }
    }
}

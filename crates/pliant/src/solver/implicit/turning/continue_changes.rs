//! The guess of a solve, from the changes of motion in the last steps.

use glam::DVec3;

use crate::solver::implicit::implicit::Implicit;
use crate::solver::implicit::parts::parts;
use crate::solver::implicit::step::Step;
use crate::solver::linear::{Masses, Outcome, SystemParts};

use super::past_changes::{PastChanges, average, dot};

impl Implicit {
    /// True if guesses of Euler's rule continue the last changes. Breakable bodies have a guess of their own; with assembled rows an iteration
    /// costs little, and stiff bodies have a factor there, which is used where solves are slow.
    pub(in crate::solver::implicit) fn continues_changes(&self) -> bool {
        self.sizes.is_empty() && !self.system.has_rows() && !self.system.has_rigid_regions()
    }

    /// Moves the guess, and the residual in `b` with it, to the best continuation of the last changes. `load` is that of the solve.
    pub(in crate::solver::implicit) fn continue_changes(&mut self, step: &mut Step<'_>, load: f64) {
        self.past.load = load;
        // Later linearisations of a step have a better guess.
        if self.ahead || !self.continues_changes() {
            self.past.residual = 0.0;
            return self.past.forget();
        }
        self.past.turn(self.turned_by);
        self.past.residual = self.system.norm(&self.b);
        for index in 0..self.past.count_in_use() {
            if !self.move_along(index, step) {
                self.past.known = index;
                return;
            }
        }
    }

    /// Moves the guess along a change; false if the system is not positive along it.
    fn move_along(&mut self, index: usize, step: &mut Step<'_>) -> bool {
        self.unknowns.place_tied(&mut self.past.changes[index]);
        self.select_change(index);
        self.past.make_orthogonal(index, &self.y);
        self.select_change(index);
        let PastChanges { changes, products, .. } = &mut self.past;
        let (product, square) = &mut products[index];
        let mut parts = parts!(self, step, &self.nodes.x);
        self.system.apply(&mut parts, &self.y, product);
        *square = dot(&self.y, product);
        let share = dot(&self.y, &self.b) / *square;
        if !(*square > 0.0 && share.is_finite()) {
            return false;
        }
        let v = self.nodes.v.iter_mut().zip(&changes[index]);
        v.for_each(|(v, change)| *v += share * *change);
        self.b.iter_mut().zip(product.iter()).for_each(|(b, product)| *b -= share * *product);
        self.past.note_gain(index, self.system.norm(&self.b));
        true
    }

    /// Writes a change to `y`, in the unknowns.
    fn select_change(&mut self, index: usize) {
        let change = &self.past.changes[index];
        let nodes = self.unknowns.nodes().iter();
        self.y.iter_mut().zip(nodes).for_each(|(y, node)| *y = change[*node as usize]);
        self.unknowns.clear_inactive(&mut self.y);
    }

    /// Records how fast the iterations of the solve lowered the residual.
    pub(in crate::solver::implicit) fn note_iterations(&mut self, outcome: &Outcome) {
        let lowered = self.past.residual / (outcome.residual * self.past.load);
        let gain = lowered.ln() / f64::from(outcome.iterations);
        average(&mut self.past.gain_of_iteration, gain);
    }

    /// Records the change of the velocities in a step.
    pub(in crate::solver::implicit) fn note_change(&mut self) {
        if !self.continues_changes() {
            return;
        }
        let (nodes, unknowns) = (&self.nodes, &self.unknowns);
        let pairs = (0..).zip(nodes.v.iter().zip(&nodes.steady));
        self.past.note(pairs.map(|(node, (v, steady))| match unknowns.is_prescribed(node) {
            true => DVec3::ZERO,
            false => *v - *steady,
        }));
    }
}

//! Bodies that push each other, in one linear solve.

use std::cell::RefCell;

use glam::DVec3;

use crate::force::PairForces;
use crate::solver::linear::{ConjugateGradient, Outcome, Stop};

use super::coupling::{Coupling, find_forces};
use super::member::Member;
use super::operators::{Apart, Together};
use super::rigid_motions::RigidMotions;
use super::shared_factor::SharedFactor;

/// Solves the stages of several bodies together, and owns the buffers for it.
///
/// ```text
/// [ A₁      ]         [ h² S + h B on the points of pairs, ]
/// [    A₂   ]    +    [ with the weights of both sides     ]
/// [      ⋱  ]
/// ```
///
/// Every body has its own operator and preconditioner; the pairs add their terms to the operator, and their diagonal to
/// the preconditioners. This is the composite island of Parker & O'Brien 2009, section 4. Forces of pairs are equal and
/// opposite in every iterate, so that momentum is conserved however early the iterations stop.
#[derive(Debug, Clone, Default)]
pub(crate) struct Joint {
    /// First unknown of every member, and the number of all unknowns at the end.
    offsets: Vec<usize>,
    coupling: Coupling,
    motions: RigidMotions,
    factor: SharedFactor,
    gradient: ConjugateGradient,
    b: Vec<DVec3>,
    y: Vec<DVec3>,
    weights: Vec<f64>,
    /// The forces of all pairs.
    forces: Vec<DVec3>,
}

impl Joint {
    /// Solves for the velocities of all open members at the end of a step of `h`. Contacts that would pull are
    /// released. All rounds together take at most about `granted` iterations.
    ///
    /// The set of pushing pairs is found by Newton's method on a piecewise linear force: the pairs that are expected to push do so at first; pairs
    /// that would pull at the solution are deactivated, and inactive ones that would push are activated again, until
    /// the set stays the same. A rough solution is enough while the set still changes.
    pub(crate) fn solve<M: Member>(
        &mut self,
        members: &mut [M],
        pairs: &mut PairForces,
        h: f64,
        granted: u32,
    ) -> Outcome {
        self.count(members);
        self.factor.close();
        self.coupling.compile(members, &self.offsets, pairs, h);
        self.coupling.push_residual(members, pairs, h);
        self.motions.open(members, &self.offsets);
        self.motions.compile(members, &self.coupling, pairs, h);
        self.coupling.add_diagonal(members, &self.offsets);
        let reference = self.gather(members);
        self.open_factor(members, reference);
        let (mut iterations, mut rough, mut round) = (0, true, 1);
        loop {
            let share = if rough { ROUGH } else { FINE };
            let outcome = self.run(members, reference, share, granted.saturating_sub(iterations));
            iterations += outcome.iterations;
            let over = iterations >= granted;
            let more = round < ROUNDS && !over;
            self.take_residual();
            let switched = if more { self.choose(members, pairs, h) } else { 0 };
            let changed = switched > 0;
            let opens = !outcome.converged && !over && self.open_factor_late(members, reference);
            if over || (!changed && !rough && !opens) {
                self.coupling.let_go(pairs);
                self.balance(members);
                return Outcome { iterations, ..outcome };
            }
            if changed {
                self.motions.compile(members, &self.coupling, pairs, h);
                self.factor.renew(members, &self.coupling, &self.motions, switched);
            }
            round += 1;
            rough = changed && round < ROUNDS;
        }
    }

    /// Factorisations of the last solve.
    pub(crate) fn factorisations(&self) -> u32 {
        self.factor.factorisations()
    }

    /// Unknowns of the last solve.
    pub(crate) fn unknowns(&self) -> usize {
        self.y.len()
    }

    /// Solves for a change of the velocities.
    fn run<M: Member>(
        &mut self,
        members: &mut [M],
        reference: f64,
        share: f64,
        granted: u32,
    ) -> Outcome {
        let (tolerance, max_iterations) = limits(members);
        let max_iterations = max_iterations.min(granted.max(1));
        let tolerance = share * tolerance;
        let Self { offsets, coupling, motions, factor, gradient, b, y, weights, .. } = self;
        let stop = Stop { tolerance, max_iterations, reference: Some(reference), weights };
        y.fill(DVec3::ZERO);
        let shared = RefCell::new(&mut *members);
        let mut operator = Together { members: &shared, offsets, coupling };
        let mut preconditioner = Apart { members: &shared, offsets, motions, factor };
        let outcome = gradient.solve(&mut operator, &mut preconditioner, b, y, &stop);
        for (member, range) in members.iter_mut().zip(offsets.windows(2)) {
            member.add_velocity(&y[range[0]..range[1]]);
            member.solved(&outcome);
        }
        outcome
    }

    /// Prepares a factor of several members, unless the velocities are a solution already.
    fn open_factor<M: Member>(&mut self, members: &[M], reference: f64) {
        let Self { offsets, coupling, motions, factor, gradient, b, weights, .. } = self;
        let (tolerance, _) = limits(members);
        if gradient.norm(weights, b) > FINE * tolerance * reference {
            factor.open(members, offsets, coupling, motions);
            factor.renew(members, coupling, motions, 0);
        }
    }

    /// Prepares a factor after a run that did not converge without one; true if there is one now.
    fn open_factor_late<M: Member>(&mut self, members: &[M], reference: f64) -> bool {
        let was_closed = self.factor.is_closed();
        if was_closed {
            self.open_factor(members, reference);
        }
        was_closed && !self.factor.is_closed()
    }

    /// Shifts all members by the same velocity, so that the remaining residual of the total momentum vanishes to
    /// rounding. No pair and no cell resists such a shift. Not done if a pin or an obstacle acts on a member, because
    /// momentum is then not conserved.
    fn balance<M: Member>(&mut self, members: &mut [M]) {
        let mass: f64 = members.iter().map(Member::mass).sum();
        let shift = self.gradient.left() / mass;
        let all = members.iter().all(|member| member.is_solved() && member.is_free());
        if !(shift.is_finite() && all) {
            return;
        }
        self.y.fill(shift);
        for (member, range) in members.iter_mut().zip(self.offsets.windows(2)) {
            let change = &mut self.y[range[0]..range[1]];
            member.unknowns().clear_inactive(change);
            member.add_velocity(change);
        }
    }

    /// The remaining residual of the momentum of the solved members, in N·s, if [`Joint::balance`] could not remove it
    /// and only pairs act on them.
    fn left<M: Member>(&self, members: &[M]) -> DVec3 {
        if members.iter().any(|member| member.is_solved() && !member.is_free()) {
            return DVec3::ZERO;
        }
        let ranges = members.iter().zip(self.offsets.windows(2));
        let solved = ranges.filter(|(member, _)| member.is_solved());
        let residual = self.gradient.residual(self.y.len());
        solved.map(|(_, range)| residual[range[0]..range[1]].iter().sum::<DVec3>()).sum()
    }

    /// Goes on from the residual of the last run.
    fn take_residual(&mut self) {
        let Self { gradient, b, y, .. } = self;
        b.copy_from_slice(gradient.residual(y.len()));
    }

    /// Deactivates the pairs that pull at the present velocities, activates those that push again, and adds the change to the
    /// residual in `b`; returns the number of changes.
    fn choose<M: Member>(&mut self, members: &[M], pairs: &PairForces, h: f64) -> usize {
        let Self { coupling, b, offsets, forces, .. } = self;
        find_forces(members, pairs, h, forces);
        let mut switched = 0;
        for (pair, force) in forces.iter().enumerate() {
            if coupling.is_active(pair) == pairs.pulls(pair, *force) {
                coupling.switch(pair, h * *force, b);
                switched += 1;
            }
        }
        for (member, range) in members.iter().zip(offsets.windows(2)) {
            member.project(&mut b[range[0]..range[1]]);
        }
        switched
    }

    /// The force of every pair on its first point at the present velocities of the members. For solved members these
    /// are the forces in their equations, up to the remaining residual. That remainder is added to the strongest pair
    /// with a member that is not solved, so that action equals reaction.
    pub(crate) fn forces<M: Member>(
        &self,
        members: &[M],
        pairs: &PairForces,
        h: f64,
        forces: &mut Vec<DVec3>,
    ) {
        find_forces(members, pairs, h, forces);
        let solves =
            |pair: usize, side: usize| members[pairs.side(pair, side).member as usize].is_solved();
        let mixed = (0..pairs.len()).filter(|pair| solves(*pair, 0) != solves(*pair, 1));
        let strongest = mixed.max_by(|a, b| forces[*a].length().total_cmp(&forces[*b].length()));
        if let Some(pair) = strongest {
            let sign = if solves(pair, 0) { -1.0 } else { 1.0 };
            forces[pair] += (sign / h) * self.left(members);
        }
    }

    fn count<M: Member>(&mut self, members: &[M]) {
        self.offsets.clear();
        self.offsets.push(0);
        let mut sum = 0;
        for member in members {
            sum += member.unknowns().count();
            self.offsets.push(sum);
        }
        self.gradient.make_room(sum);
        for vector in [&mut self.b, &mut self.y] {
            vector.clear();
            vector.resize(sum, DVec3::ZERO);
        }
        self.weights.clear();
    }

    /// Collects right-hand sides and weights; returns the norm of all loads.
    fn gather<M: Member>(&mut self, members: &mut [M]) -> f64 {
        let mut square = 0.0;
        for (member, range) in members.iter_mut().zip(self.offsets.windows(2)) {
            member.reduce_residual(&mut self.b[range[0]..range[1]]);
            member.project(&mut self.b[range[0]..range[1]]);
            self.weights.extend_from_slice(member.weights());
            square += member.load().powi(2);
        }
        square.sqrt()
    }
}

/// Tolerance of a joint solve relative to that of a single body: a larger remainder of the total momentum would make
/// the lightest body jitter.
const FINE: f64 = 0.03;

/// The relative tolerance while the set of pushing pairs still changes.
const ROUGH: f64 = 1.0;

/// Largest number of changes of the set of pushing pairs.
const ROUNDS: usize = 6;

/// The smallest tolerance and the largest number of iterations of the members.
fn limits<M: Member>(members: &[M]) -> (f64, u32) {
    members.iter().fold((f64::INFINITY, 0), |(tolerance, iterations), member| {
        let (own, most) = member.limits();
        (tolerance.min(own), iterations.max(most))
    })
}

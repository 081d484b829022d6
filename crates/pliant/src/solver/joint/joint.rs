//! Bodies that push each other, in one linear solve.

use std::cell::RefCell;
use std::ops::Range;

use glam::DVec3;

use crate::force::PairForces;
use crate::solver::linear::{ConjugateGradient, Operator, Outcome, Preconditioner, Stop};

use super::coupling::Coupling;
use super::member::{Member, beside, for_each_member};
use super::rigid_motions::RigidMotions;

/// Solves the stages of several bodies together, and owns the buffers for it.
///
/// ```text
/// [ A₁      ]         [ h² S + h B on the points of pairs, ]
/// [    A₂   ]    +    [ with the weights of both sides     ]
/// [      ⋱  ]
/// ```
///
/// Every body brings its own operator and its own preconditioner; the pairs add theirs on top, and
/// tell the preconditioners of their diagonal. This is the composite island of Parker & O'Brien 2009,
/// section 4. Forces of pairs are equal and opposite in every iterate, so momentum is kept however
/// early the iterations stop.
#[derive(Debug, Clone, Default)]
pub struct Joint {
    /// First unknown of every member, and their number at the end.
    offsets: Vec<usize>,
    coupling: Coupling,
    motions: RigidMotions,
    gradient: ConjugateGradient,
    b: Vec<DVec3>,
    y: Vec<DVec3>,
    weights: Vec<f64>,
}

impl Joint {
    /// Solves for the velocities of all members, which are open, at the end of a step of `h`. Pairs that would pull where
    /// they may only push are let go of. All rounds together take at most about as many iterations as are `granted`.
    ///
    /// Which pairs push is found as by Newton's method on a force that is linear in pieces: all do at first; those that
    /// would pull at the solution are let go of, those that would push again taken up, until nothing changes. Where that
    /// is still in question a rough solution is enough.
    pub fn solve<M: Member>(
        &mut self,
        members: &mut [M],
        pairs: &mut PairForces,
        h: f64,
        granted: u32,
    ) -> Outcome {
        self.count(members);
        self.coupling.compile(members, &self.offsets, pairs, h);
        self.coupling.push_residual(members, pairs, h);
        self.motions.open(members, &self.offsets);
        self.motions.compile(members, &self.coupling, pairs, h);
        self.coupling.add_diagonal(members, &self.offsets);
        let reference = self.gather(members);
        let (mut iterations, mut rough, mut round) = (0, true, 1);
        loop {
            let share = if rough { ROUGH } else { FINE };
            let outcome = self.run(members, reference, share, granted.saturating_sub(iterations));
            iterations += outcome.iterations;
            let over = iterations >= granted;
            let changed = round < ROUNDS && !over && self.choose(members, pairs, h);
            if over || (!changed && !rough) {
                self.coupling.let_go(pairs);
                self.balance(members);
                return Outcome { iterations, ..outcome };
            }
            if changed {
                self.motions.compile(members, &self.coupling, pairs, h);
            }
            round += 1;
            rough = changed && round < ROUNDS;
        }
    }

    /// Unknowns of the last solve.
    pub fn unknowns(&self) -> usize {
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
        let Self { offsets, coupling, motions, gradient, b, y, weights } = self;
        let stop = Stop { tolerance, max_iterations, reference: Some(reference), weights };
        y.fill(DVec3::ZERO);
        let shared = RefCell::new(&mut *members);
        let mut operator = Together { members: &shared, offsets, coupling };
        let mut preconditioner = Apart { members: &shared, offsets, motions };
        let outcome = gradient.solve(&mut operator, &mut preconditioner, b, y, &stop);
        for (member, range) in members.iter_mut().zip(offsets.windows(2)) {
            member.add_velocity(&y[range[0]..range[1]]);
            member.solved(&outcome);
        }
        outcome
    }

    /// Moves all members alike by what the iterations have left of their momentum: nothing between them or
    /// within them feels that, so that the sum of their equations then holds to rounding. Where something
    /// holds or touches one of them, momentum is not theirs to keep.
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

    /// What the iterations have left of the momentum of the members that are solved for, in N·s, if [`Joint::balance`] could
    /// not move it among them and nothing but pairs acts on them.
    fn left<M: Member>(&self, members: &[M]) -> DVec3 {
        if members.iter().any(|member| member.is_solved() && !member.is_free()) {
            return DVec3::ZERO;
        }
        let ranges = members.iter().zip(self.offsets.windows(2));
        let solved = ranges.filter(|(member, _)| member.is_solved());
        let residual = self.gradient.residual(self.y.len());
        solved.map(|(_, range)| residual[range[0]..range[1]].iter().sum::<DVec3>()).sum()
    }

    /// Lets go of the pairs that pull at the present velocities, takes up those again that push, and leaves in `b` what is
    /// then missing; tells whether there were any.
    fn choose<M: Member>(&mut self, members: &[M], pairs: &PairForces, h: f64) -> bool {
        let Self { coupling, gradient, b, y, offsets, .. } = self;
        b.copy_from_slice(gradient.residual(y.len()));
        let mut any = false;
        for pair in 0..pairs.len() {
            let force = force_of(members, pairs, pair, h);
            if coupling.is_active(pair) == pairs.pulls(pair, force) {
                coupling.switch(pair, h * force, b);
                any = true;
            }
        }
        for (member, range) in members.iter().zip(offsets.windows(2)) {
            member.project(&mut b[range[0]..range[1]]);
        }
        any
    }

    /// The force of every pair on its first point with the velocities that the members have now. Those who solve felt
    /// all of them, but for what the iterations have left; what is left goes to the strongest pair with one that does not
    /// solve, which so feels the opposite of what its partner did.
    pub fn forces<M: Member>(
        &self,
        members: &[M],
        pairs: &PairForces,
        h: f64,
        forces: &mut Vec<DVec3>,
    ) {
        forces.clear();
        forces.extend((0..pairs.len()).map(|pair| force_of(members, pairs, pair, h)));
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

    /// Collects right-hand sides and weights; returns the size of what acts on all.
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

/// Tolerance of a joint solve over that of a body alone: what it leaves of the momentum of all would make the lightest of
/// them tremble.
const FINE: f64 = 0.3;

/// The same while it is still in question which pairs push.
const ROUGH: f64 = 10.0;

/// Rounds of choosing the pairs that push, the last of which takes them as they are.
const ROUNDS: usize = 6;

/// The force of a pair on its first point with the velocities that the members have now.
fn force_of<M: Member>(members: &[M], pairs: &PairForces, pair: usize, h: f64) -> DVec3 {
    let [first, second] = [0, 1].map(|side| {
        let side = pairs.side(pair, side);
        side.blend(members[side.member as usize].velocities())
    });
    let force = pairs.force(pair);
    force.force - DVec3::from(force.matrix([h, 1.0]).mul_vec((first - second).into()))
}

/// The tightest tolerance and the most iterations that a member wants.
fn limits<M: Member>(members: &[M]) -> (f64, u32) {
    members.iter().fold((f64::INFINITY, 0), |(tolerance, iterations), member| {
        let (own, most) = member.limits();
        (tolerance.min(own), iterations.max(most))
    })
}

/// The matrix of all.
struct Together<'a, 'm, M> {
    members: &'a RefCell<&'m mut [M]>,
    offsets: &'a [usize],
    coupling: &'a mut Coupling,
}

impl<M: Member> Operator for Together<'_, '_, M> {
    fn apply(&mut self, p: &[DVec3], product: &mut [DVec3]) {
        let Self { members, offsets, coupling } = self;
        let members = &mut **members.borrow_mut();
        let work = |member: &mut M, range: Range<usize>, product: &mut [DVec3]| {
            member.apply(&p[range], product);
        };
        beside(
            p.len(),
            || for_each_member(members, offsets, product, &work),
            || coupling.answer(p),
        );
        coupling.add_answers(product);
        for (member, range) in members.iter().zip(offsets.windows(2)) {
            member.project(&mut product[range[0]..range[1]]);
        }
    }
}

/// The preconditioner of each, and the rigid motions of all.
struct Apart<'a, 'm, M> {
    members: &'a RefCell<&'m mut [M]>,
    offsets: &'a [usize],
    motions: &'a mut RigidMotions,
}

impl<M: Member> Preconditioner for Apart<'_, '_, M> {
    fn apply(&mut self, r: &[DVec3], z: &mut [DVec3]) {
        let Self { members, offsets, motions } = self;
        let members = &mut **members.borrow_mut();
        let work = |member: &mut M, range: Range<usize>, z: &mut [DVec3]| {
            member.precondition(&r[range], z);
        };
        beside(
            r.len(),
            || for_each_member(members, offsets, z, &work),
            || motions.solve(offsets, r),
        );
        motions.add_solution(offsets, z);
        for (member, range) in members.iter().zip(offsets.windows(2)) {
            let z = &mut z[range[0]..range[1]];
            member.unknowns().clear_inactive(z);
            member.project_update(z);
        }
    }
}

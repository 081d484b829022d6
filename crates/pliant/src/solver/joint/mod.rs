//! Bodies that push each other, in one linear solve.

mod coupling;
mod member;

use std::cell::RefCell;

use glam::DVec3;

use crate::force::PairForces;

use super::linear::{ConjugateGradient, Operator, Outcome, Preconditioner, Stop};
use coupling::Coupling;
pub use member::Member;
use member::for_each_member;

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
    gradient: ConjugateGradient,
    b: Vec<DVec3>,
    y: Vec<DVec3>,
    weights: Vec<f64>,
}

impl Joint {
    /// Solves for the velocities of all members, which are open, at the end of a step of `h`. Pairs that would
    /// pull where they may only push are let go of.
    pub fn solve<M: Member>(
        &mut self,
        members: &mut [M],
        pairs: &mut PairForces,
        h: f64,
    ) -> Outcome {
        self.count(members);
        self.coupling.compile(members, &self.offsets, pairs, h);
        self.coupling.push_missing(members, pairs, h);
        self.coupling.stiffen(members, &self.offsets);
        let reference = self.gather(members);
        let mut outcome = self.run(members, reference);
        for _ in 0..RELEASES {
            if !self.release(members, pairs, h) {
                break;
            }
            let next = self.run(members, reference);
            outcome = Outcome { iterations: outcome.iterations + next.iterations, ..next };
        }
        self.balance(members);
        outcome
    }

    /// Solves for a change of the velocities.
    fn run<M: Member>(&mut self, members: &mut [M], reference: f64) -> Outcome {
        let (tolerance, max_iterations) = limits(members);
        let tolerance = TIGHTER * tolerance;
        let Self { offsets, coupling, gradient, b, y, weights } = self;
        let stop = Stop { tolerance, max_iterations, reference: Some(reference), weights };
        y.fill(DVec3::ZERO);
        let shared = RefCell::new(&mut *members);
        let mut operator = Together { members: &shared, offsets, coupling };
        let mut preconditioner = Apart { members: &shared, offsets };
        let outcome = gradient.solve(&mut operator, &mut preconditioner, b, y, &stop);
        for (member, range) in members.iter_mut().zip(offsets.windows(2)) {
            member.take(&y[range[0]..range[1]]);
        }
        outcome
    }

    /// Moves all members alike by what the iterations have left of their momentum: nothing between them or
    /// within them feels that, so that the sum of their equations then holds to rounding. Where something
    /// holds or touches one of them, momentum is not theirs to keep.
    fn balance<M: Member>(&mut self, members: &mut [M]) {
        let mass: f64 = members.iter().map(Member::mass).sum();
        let shift = self.gradient.left() / mass;
        if !(shift.is_finite() && members.iter().all(Member::is_free)) {
            return;
        }
        self.y.fill(shift);
        for (member, range) in members.iter_mut().zip(self.offsets.windows(2)) {
            let change = &mut self.y[range[0]..range[1]];
            member.unknowns().clear_inactive(change);
            member.take(change);
        }
    }

    /// Lets go of the pairs that pull at the present velocities, and leaves in `b` what is then missing; tells
    /// whether there were any.
    fn release<M: Member>(&mut self, members: &[M], pairs: &mut PairForces, h: f64) -> bool {
        let Self { coupling, gradient, b, y, offsets, .. } = self;
        b.copy_from_slice(gradient.residual(y.len()));
        let mut any = false;
        for pair in 0..pairs.len() {
            let force = force_of(members, pairs, pair, h);
            if pairs.pulls(pair, force) {
                coupling.release(pair, h * force, b);
                pairs.release(pair);
                any = true;
            }
        }
        for (member, range) in members.iter().zip(offsets.windows(2)) {
            member.project(&mut b[range[0]..range[1]]);
        }
        any
    }

    /// The force of every pair on its first point with the velocities that the members have now.
    pub fn forces<M: Member>(
        &self,
        members: &[M],
        pairs: &PairForces,
        h: f64,
        forces: &mut Vec<DVec3>,
    ) {
        forces.clear();
        forces.extend((0..pairs.len()).map(|pair| force_of(members, pairs, pair, h)));
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
            member.reduce_missing(&mut self.b[range[0]..range[1]]);
            member.project(&mut self.b[range[0]..range[1]]);
            self.weights.extend_from_slice(member.weights());
            square += member.load().powi(2);
        }
        square.sqrt()
    }
}

/// How much tighter than that of a body alone the tolerance of a joint solve is: what it leaves of the momentum of all
/// would make the lightest of them tremble.
const TIGHTER: f64 = 0.03;

/// Rounds of letting go of pairs that pull.
const RELEASES: usize = 4;

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
    coupling: &'a Coupling,
}

impl<M: Member> Operator for Together<'_, '_, M> {
    fn apply(&mut self, p: &[DVec3], product: &mut [DVec3]) {
        let members = &mut **self.members.borrow_mut();
        for_each_member(members, self.offsets, product, &|member, range, product| {
            member.apply(&p[range], product);
        });
        self.coupling.add_product(p, product);
        for (member, range) in members.iter().zip(self.offsets.windows(2)) {
            member.project(&mut product[range[0]..range[1]]);
        }
    }
}

/// The preconditioner of each.
struct Apart<'a, 'm, M> {
    members: &'a RefCell<&'m mut [M]>,
    offsets: &'a [usize],
}

impl<M: Member> Preconditioner for Apart<'_, '_, M> {
    fn apply(&mut self, r: &[DVec3], z: &mut [DVec3]) {
        let members = &mut **self.members.borrow_mut();
        for_each_member(members, self.offsets, z, &|member, range, z| {
            member.precondition(&r[range], z);
        });
    }
}

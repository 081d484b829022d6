//! Pairs of points as terms of a system in the unknowns of all bodies.

use glam::DVec3;
use rayon::prelude::*;

use crate::force::{PairForces, PairSide};
use pliant_kernels::math::Mat3;

use super::member::{FactorForm, Member};

/// Σ w (h² S + h B) wᵀ over all pairs, with the weights w of the first side and −w of the second.
#[derive(Debug, Clone, Default)]
pub(super) struct Coupling {
    matrices: Vec<Mat3>,
    /// True for pairs that push; the others are not part of the system.
    active: Vec<bool>,
    /// Entries of pair `i` are `start[i]..start[i + 1]`.
    start: Vec<u32>,
    /// Unknowns, numbered over all bodies, and weights.
    entries: Vec<(u32, f64)>,
    /// For every pushing pair, its force in the last product.
    answers: Vec<DVec3>,
    /// Terms of the pairs on the diagonal, by unknown.
    diagonal: Vec<Mat3>,
}

/// Pairs whose forces one thread finds at a time.
const PAIRS_PER_TASK: usize = 512;

impl Coupling {
    /// Maps the points of all pairs to the unknowns, for a step of `h`.
    ///
    /// Pairs start active if they are expected to push, or would at the present velocities of the members: where the rounds end before the set is found,
    /// bodies should not be left free to meet. Pairs of rigid bodies always do: nothing gives way, many sets of pairs carry the same load, and one that is
    /// kept from step to step would carry it on few points.
    pub(super) fn compile<M: Member>(
        &mut self,
        members: &[M],
        offsets: &[usize],
        pairs: &PairForces,
        h: f64,
    ) {
        self.matrices.clear();
        self.active.clear();
        self.start.clear();
        self.entries.clear();
        self.start.push(0);
        for (pair, (force, [first, second])) in pairs.iter().enumerate() {
            let begin = self.entries.len();
            self.push_side(members, offsets, first, 1.0);
            self.push_side(members, offsets, second, -1.0);
            merge(&mut self.entries, begin);
            self.start.push(self.entries.len() as u32);
            self.matrices.push(force.matrix([h * h, h]));
            let starts = pairs.starts(pair)
                || [first, second].iter().any(|side| is_rigid(members, side))
                || !pairs.pulls(pair, force_of(members, pairs, pair, h));
            self.active.push(starts);
        }
    }

    fn push_side<M: Member>(
        &mut self,
        members: &[M],
        offsets: &[usize],
        side: PairSide<'_>,
        sign: f64,
    ) {
        let member = side.member as usize;
        let (unknowns, offset) = (members[member].unknowns(), offsets[member] as u32);
        for (node, weight) in side.weights {
            let own = unknowns.row(*node).iter();
            self.entries.extend(own.map(|(unknown, w)| (offset + unknown, sign * weight * w)));
        }
    }

    /// Matrix and entries of every pushing pair.
    pub(super) fn iter(&self) -> impl Iterator<Item = (&Mat3, &[(u32, f64)])> {
        self.all().zip(&self.active).filter_map(|(pair, active)| active.then_some(pair))
    }

    /// Matrix and entries of every pair.
    pub(super) fn all(&self) -> impl Iterator<Item = (&Mat3, &[(u32, f64)])> {
        let entries = |range: &[u32]| &self.entries[range[0] as usize..range[1] as usize];
        self.matrices.iter().zip(self.start.windows(2).map(entries))
    }

    /// The matrix of a pair.
    pub(super) fn matrix(&self, pair: usize) -> &Mat3 {
        &self.matrices[pair]
    }

    /// True if a pair pushes.
    pub(super) fn is_active(&self, pair: usize) -> bool {
        self.active[pair]
    }

    /// Adds the forces of all pushing pairs at the present velocities to the residuals of the members.
    pub(super) fn push_residual<M: Member>(&self, members: &mut [M], pairs: &PairForces, h: f64) {
        let pushing = pairs.iter().zip(&self.active).filter(|(_, active)| **active);
        for ((force, sides), _) in pushing {
            let [first, second] =
                sides.map(|side| side.blend(members[side.member as usize].velocities()));
            let resistance = force.matrix([h, 1.0]).mul_vec((first - second).into());
            let impulse = h * (force.force - DVec3::from(resistance));
            for (side, sign) in sides.into_iter().zip([1.0, -1.0]) {
                let residual = members[side.member as usize].residual();
                for (node, weight) in side.weights {
                    residual[*node as usize] += (sign * weight) * impulse;
                }
            }
        }
    }

    /// Adds the terms of the pairs to the diagonals of the members.
    pub(super) fn add_diagonal<M: Member>(&mut self, members: &mut [M], offsets: &[usize]) {
        let mut diagonal = std::mem::take(&mut self.diagonal);
        diagonal.clear();
        diagonal.resize(offsets[members.len()], Mat3::ZERO);
        for (matrix, entries) in self.iter() {
            for (unknown, weight) in entries {
                diagonal[*unknown as usize] += *matrix * (weight * weight);
            }
        }
        for (member, range) in members.iter_mut().zip(offsets.windows(2)) {
            for (unknown, block) in diagonal[range[0]..range[1]].iter().enumerate() {
                if *block != Mat3::ZERO {
                    member.add_diagonal(unknown, block);
                }
            }
        }
        self.diagonal = diagonal;
        self.couple(members, offsets);
    }

    /// Adds the terms of the pairs between unknowns of one member.
    fn couple<M: Member>(&self, members: &mut [M], offsets: &[usize]) {
        if !members.iter().any(Member::uses_couplings) {
            return;
        }
        let member = |unknown: u32| offsets.partition_point(|first| *first <= unknown as usize) - 1;
        for (matrix, entries) in self.iter() {
            for own in entries.chunk_by(|a, b| member(a.0) == member(b.0)) {
                let index = member(own[0].0);
                let local = |unknown: u32| unknown as usize - offsets[index];
                for (k, (row, a)) in own.iter().enumerate() {
                    for (column, b) in &own[..k] {
                        members[index].couple(local(*row), local(*column), &(*matrix * (a * b)));
                    }
                }
            }
        }
    }

    /// Deactivates an active pair or activates an inactive one, and changes `b` by its impulse.
    pub(super) fn switch(&mut self, pair: usize, impulse: DVec3, b: &mut [DVec3]) {
        let impulse = if self.active[pair] { -impulse } else { impulse };
        self.active[pair] = !self.active[pair];
        let range = self.start[pair] as usize..self.start[pair + 1] as usize;
        for (unknown, weight) in &self.entries[range] {
            b[*unknown as usize] += *weight * impulse;
        }
    }

    /// Releases all inactive pairs.
    pub(super) fn let_go(&self, pairs: &mut PairForces) {
        let idle = self.active.iter().enumerate().filter(|(_, active)| !**active);
        idle.for_each(|(pair, _)| pairs.release(pair));
    }

    /// Computes the force of every pair for the velocities `p`.
    pub(super) fn answer(&mut self, p: &[DVec3]) {
        let mut answers = std::mem::take(&mut self.answers);
        answers.clear();
        answers.extend(self.iter().map(|(matrix, entries)| {
            let along: DVec3 = entries.iter().map(|(unknown, w)| *w * p[*unknown as usize]).sum();
            DVec3::from(matrix.mul_vec(along.into()))
        }));
        self.answers = answers;
    }

    /// Adds the forces of all pairs to a product.
    pub(super) fn add_answers(&self, product: &mut [DVec3]) {
        for ((_, entries), answer) in self.iter().zip(&self.answers) {
            for (unknown, weight) in entries {
                product[*unknown as usize] += *weight * *answer;
            }
        }
    }
}

/// True if this side of a pair is a rigid body.
fn is_rigid<M: Member>(members: &[M], side: &PairSide<'_>) -> bool {
    matches!(members[side.member as usize].form(), FactorForm::Rigid)
}

/// The force of a pair on its first point at the present velocities of the members.
pub(super) fn force_of<M: Member>(members: &[M], pairs: &PairForces, pair: usize, h: f64) -> DVec3 {
    let [first, second] = [0, 1].map(|side| {
        let side = pairs.side(pair, side);
        side.blend(members[side.member as usize].velocities())
    });
    let force = pairs.force(pair);
    force.force - DVec3::from(force.matrix([h, 1.0]).mul_vec((first - second).into()))
}

/// The forces of all pairs on their first points at the present velocities of the members.
pub(super) fn find_forces<M: Member>(
    members: &[M],
    pairs: &PairForces,
    h: f64,
    forces: &mut Vec<DVec3>,
) {
    forces.clear();
    forces.resize(pairs.len(), DVec3::ZERO);
    let find = |(chunk, forces): (usize, &mut [DVec3])| {
        let first = chunk * PAIRS_PER_TASK;
        for (pair, force) in (first..).zip(forces) {
            *force = force_of(members, pairs, pair, h);
        }
    };
    if forces.len() > PAIRS_PER_TASK && rayon::current_thread_index().is_some() {
        forces.par_chunks_mut(PAIRS_PER_TASK).enumerate().for_each(find);
    } else {
        forces.chunks_mut(PAIRS_PER_TASK).enumerate().for_each(find);
    }
}

/// Sorts the entries from `begin` on and adds entries of the same unknown.
fn merge(entries: &mut Vec<(u32, f64)>, begin: usize) {
    entries[begin..].sort_unstable_by_key(|(unknown, _)| *unknown);
    let mut last = begin;
    for next in begin + 1..entries.len() {
        if entries[next].0 == entries[last].0 {
            entries[last].1 += entries[next].1;
        } else {
            last += 1;
            entries[last] = entries[next];
        }
    }
    entries.truncate((last + 1).min(entries.len()));
}

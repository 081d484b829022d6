//! What a body must offer to be solved together with others.

use std::ops::Range;

use glam::DVec3;

use crate::body::Unknowns;
use crate::math::Mat3;
use crate::solver::linear::Outcome;
use crate::solver::matrix6::Matrix6;

/// A body as one that does not deform.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RigidPart {
    /// Its centre of mass, in m.
    pub centre: DVec3,
    /// Its matrix for velocities and angular velocities about that.
    pub matrix: Matrix6,
}

/// A body whose stage is open: its system is ready, and its velocities are a guess.
pub trait Member: Send {
    /// Whether its velocities are what is solved for; others only lend their masses, and feel the forces afterwards.
    fn is_solved(&self) -> bool;

    /// Its unknowns.
    fn unknowns(&self) -> &Unknowns;

    /// Where its nodes are at the begin of the step, in m.
    fn positions(&self) -> &[DVec3];

    /// What it is in its rigid motions, if nothing holds it; writes the way from its centre to every unknown.
    fn rigid_part(&self, arms: &mut [DVec3]) -> Option<RigidPart>;

    /// Velocities of its nodes, in m/s.
    fn velocities(&self) -> &[DVec3];

    /// The residual of its equations at these velocities, on nodes, in N·s.
    fn residual(&mut self) -> &mut [DVec3];

    /// The same in the unknowns.
    fn reduce_residual(&self, b: &mut [DVec3]);

    /// Size of all that acts on it, in the norm of one over the diagonal.
    fn load(&self) -> f64;

    /// Whether no pin holds it and nothing but other members pushes it.
    fn is_free(&self) -> bool;

    /// What its matrix has of its whole mass, in kg.
    fn mass(&self) -> f64;

    /// One over the diagonal of its matrix.
    fn weights(&self) -> &[f64];

    /// Residual over load at which it is content, and iterations at most.
    fn limits(&self) -> (f64, u32);

    /// Hears what others add to the diagonal block of an unknown.
    fn add_diagonal(&mut self, unknown: usize, block: &Mat3);

    /// Hears what others add to the block of two of its unknowns, row > column, if its preconditioner has room for it.
    fn couple(&mut self, _row: usize, _column: usize, _block: &Mat3) {}

    /// Hears how it went to solve for all.
    fn solved(&mut self, _outcome: &Outcome) {}

    /// Writes A p.
    fn apply(&mut self, p: &[DVec3], product: &mut [DVec3]);

    /// Writes z ≈ A⁻¹ r.
    fn precondition(&mut self, r: &[DVec3], z: &mut [DVec3]);

    /// Replaces a residual by what its unknowns, if they are not independent, feel of it.
    fn project(&self, _r: &mut [DVec3]) {}

    /// Replaces a change of its unknowns by the nearest that they can do, if they are not independent and its preconditioner
    /// does not know.
    fn project_update(&self, _z: &mut [DVec3]) {}

    /// Adds a change, in the unknowns, to its velocities.
    fn add_velocity(&mut self, change: &[DVec3]);
}

/// Unknowns from which members are shared out over threads.
const PARALLEL_UNKNOWNS: usize = 256;

/// Does two things, side by side if there are enough unknowns.
pub(super) fn beside(unknowns: usize, first: impl FnOnce() + Send, second: impl FnOnce() + Send) {
    if unknowns > PARALLEL_UNKNOWNS && rayon::current_thread_index().is_some() {
        rayon::join(first, second);
    } else {
        first();
        second();
    }
}

/// Calls `work` for every member with its range and its part of `vector`.
pub(super) fn for_each_member<M: Send>(
    members: &mut [M],
    offsets: &[usize],
    vector: &mut [DVec3],
    work: &(impl Fn(&mut M, Range<usize>, &mut [DVec3]) + Sync),
) {
    let (first, count) = (offsets[0], members.len());
    // From outside the pool a fork would cost more than it saves.
    if count > 1 && vector.len() > PARALLEL_UNKNOWNS && rayon::current_thread_index().is_some() {
        let middle = count / 2;
        let (left, right) = members.split_at_mut(middle);
        let (below, above) = vector.split_at_mut(offsets[middle] - first);
        rayon::join(
            || for_each_member(left, &offsets[..=middle], below, work),
            || for_each_member(right, &offsets[middle..], above, work),
        );
        return;
    }
    for (member, range) in members.iter_mut().zip(offsets.windows(2)) {
        let (from, to) = (range[0], range[1]);
        work(member, from..to, &mut vector[from - first..to - first]);
    }
}

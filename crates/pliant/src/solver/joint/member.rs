//! A body in a joint solve.

use std::ops::Range;

use glam::DVec3;
use pliant_sparse::BlockMatrix;

use crate::body::Unknowns;
use crate::solver::linear::Outcome;
use crate::solver::matrix6::Matrix6;
use pliant_kernels::math::Mat3;

/// A body reduced to its rigid motions.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RigidPart {
    /// Its centre of mass, in m.
    pub centre: DVec3,
    /// Its 6×6 matrix for velocity and angular velocity about the centre.
    pub matrix: Matrix6,
}

/// A body in a shared factor.
#[derive(Debug, Clone, Copy)]
pub(crate) enum FactorForm<'a> {
    /// The lower triangle of its matrix, without the terms of pairs.
    Cells(&'a BlockMatrix),
    /// Its [`RigidPart`] is all of it.
    Rigid,
    /// It has no part in a factor.
    Other,
}

/// A body in a joint solve: its system is prepared, and its velocities are a guess.
pub(crate) trait Member: Send + Sync {
    /// True if its velocities are unknowns of the solve. Other members contribute only their masses, and get the forces
    /// afterwards.
    fn is_solved(&self) -> bool;

    /// Its unknowns.
    fn unknowns(&self) -> &Unknowns;

    /// Positions of its nodes at the start of the step, in m.
    fn positions(&self) -> &[DVec3];

    /// The body in its rigid motions; `None` if it is held. Writes the vectors from its centre to every unknown.
    fn rigid_part(&self, arms: &mut [DVec3]) -> Option<RigidPart>;

    /// Velocities of its nodes, in m/s.
    fn velocities(&self) -> &[DVec3];

    /// The residual of its equations at these velocities, on nodes, in N·s.
    fn residual(&mut self) -> &mut [DVec3];

    /// The residual in the unknowns.
    fn reduce_residual(&self, b: &mut [DVec3]);

    /// Norm of all loads on it, weighted with the inverse diagonal.
    fn load(&self) -> f64;

    /// True if it has no pins and only other members act on it.
    fn is_free(&self) -> bool;

    /// Its total mass as it appears in its matrix, in kg.
    fn mass(&self) -> f64;

    /// The inverse diagonal of its matrix.
    fn weights(&self) -> &[f64];

    /// Its tolerance, as residual over load, and its largest number of iterations.
    fn limits(&self) -> (f64, u32);

    /// Adds terms of pairs to the diagonal block of an unknown, for its preconditioner.
    fn add_diagonal(&mut self, unknown: usize, block: &Mat3);

    /// True if its preconditioner uses [`Member::couple`].
    fn uses_couplings(&self) -> bool {
        false
    }

    /// Adds terms of pairs to the block of two of its unknowns, row > column, if its preconditioner uses them.
    fn couple(&mut self, _row: usize, _column: usize, _block: &Mat3) {}

    /// Its form in a shared factor.
    fn form(&self) -> FactorForm<'_> {
        FactorForm::Other
    }

    /// True if its own solves, or those with other members, were slow without a factor.
    fn is_stiff(&self) -> bool {
        false
    }

    /// Receives the outcome of the joint solve.
    fn solved(&mut self, _outcome: &Outcome) {}

    /// Writes A p.
    fn apply(&mut self, p: &[DVec3], product: &mut [DVec3]);

    /// Writes z ≈ A⁻¹ r.
    fn precondition(&mut self, r: &[DVec3], z: &mut [DVec3]);

    /// Projects a residual, if its unknowns are not independent.
    fn project(&self, _r: &mut [DVec3]) {}

    /// Projects a change of its unknowns, if they are not independent and its preconditioner does not project.
    fn project_update(&self, _z: &mut [DVec3]) {}

    /// Adds a change, in the unknowns, to its velocities.
    fn add_velocity(&mut self, change: &[DVec3]);
}

/// Number of unknowns above which members are distributed over threads.
const PARALLEL_UNKNOWNS: usize = 256;

/// Runs two functions, in parallel if there are enough unknowns.
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
    // From outside the thread pool, a fork costs more than it saves.
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

//! One solve of a linear system, with each kind of preconditioner.

use glam::DVec3;

use crate::solver::report::LinearReport;
use pliant_kernels::math::Mat3;

use super::active::Active;
use super::block_rows::BlockRows;
use super::conjugate_gradient::{ConjugateGradient, Outcome, Preconditioner, Stop};
use super::diagonal::{BlockDiagonal, ScalarDiagonal};
use super::factor::{ExactFactor, LazyCholesky, Precision, TurnedFactor};
use super::method::Use;
use super::multigrid::Multigrid;
use super::nodes::MatrixFree;
use super::rigid_subspace::{Projected, RigidSubspace};

/// One solve of (CᵀAC) y = b by conjugate gradients, with the buffers that it uses.
pub(super) struct SystemSolve<'a, 'p> {
    /// CᵀAC without a matrix.
    pub(super) free: MatrixFree<'a, 'p>,
    pub(super) gradient: &'a mut ConjugateGradient,
    pub(super) active: &'a mut Active,
    pub(super) rigid_subspace: &'a RigidSubspace,
    pub(super) b: &'a [DVec3],
    /// The guess, and then the solution.
    pub(super) y: &'a mut [DVec3],
    pub(super) stop: Stop<'a>,
}

impl SystemSolve<'_, '_> {
    /// With assembled rows, preconditioned by their exact factor if there is one, or else by their diagonal blocks.
    pub(super) fn with_rows(
        &mut self,
        rows: &mut BlockRows,
        inverse: &[Mat3],
        exact: &mut ExactFactor,
    ) -> Outcome {
        let mut blocks = BlockDiagonal(inverse);
        let ready = exact.is_ready();
        let m: &mut dyn Preconditioner = if ready { &mut *exact } else { &mut blocks };
        let mut m = Projected(m, self.rigid_subspace);
        let mut a = Projected(&mut *rows, self.rigid_subspace);
        let outcome = self.gradient.solve(&mut a, &mut m, self.b, self.y, &self.stop);
        exact.note(&outcome, rows);
        outcome
    }

    /// Preconditioned by a factor. If an old factor converges slowly, it is renewed, and the solve goes on with the new one.
    pub(super) fn with_factor(
        &mut self,
        factor: &mut LazyCholesky,
        report: &mut LinearReport,
    ) -> Outcome {
        let max_iterations = self.stop.max_iterations;
        let patience = factor.patience().map_or(max_iterations, |most| most.min(max_iterations));
        let first = self.without_matrix(factor, patience);
        factor.note(&first);
        if first.converged || factor.patience().is_none() {
            return first;
        }
        // A new factor here bounds the time of a frame by that of one that is factored from the start.
        factor.renew(self.free.parts, self.free.scales, &mut |_| {}, report);
        if !factor.is_usable() {
            return first;
        }
        let second = self.without_matrix(factor, max_iterations);
        factor.note(&second);
        Outcome { iterations: first.iterations + second.iterations, ..second }
    }

    /// Preconditioned by a factor that turns with the body, or by the diagonal where that is cheaper. If this converges slowly, the
    /// solve goes on with a new factor.
    pub(super) fn with_turned_factor(
        &mut self,
        factor: &mut TurnedFactor,
        precision: Precision,
        report: &mut LinearReport,
    ) -> Outcome {
        let most = self.stop.max_iterations;
        if factor.wants_next(self.free.parts, precision) {
            factor.start_next(self.free.parts, self.free.scales, report);
        }
        if factor.choose(self.free.parts) && !factor.is_ready() && !factor.reuse(self.free.parts) {
            factor.renew(self.free.parts, self.free.scales, precision, report);
        }
        self.stop.max_iterations = factor.patience().map_or(most, |patience| patience.min(most));
        let first = self.with_ready_factor(factor);
        self.stop.max_iterations = most;
        factor.note(first.iterations);
        if first.converged || first.iterations >= most || factor.patience().is_none() {
            return first;
        }
        factor.renew(self.free.parts, self.free.scales, precision, report);
        let second = self.with_ready_factor(factor);
        factor.note(second.iterations);
        Outcome { iterations: first.iterations + second.iterations, ..second }
    }

    /// Preconditioned by a factor if it is ready, or else by the diagonal.
    fn with_ready_factor(&mut self, factor: &mut TurnedFactor) -> Outcome {
        if factor.is_ready() {
            return self.without_matrix(factor, self.stop.max_iterations);
        }
        self.with_diagonal()
    }

    /// Preconditioned by multigrid levels while they are in use, or else by the diagonal.
    pub(super) fn with_levels(&mut self, levels: &mut Multigrid, when: &mut Use) -> Outcome {
        let outcome = if when.now() {
            self.without_matrix(&mut levels.with(self.stop.weights), self.stop.max_iterations)
        } else {
            self.with_diagonal()
        };
        levels.note(&outcome);
        when.note(&outcome);
        outcome
    }

    /// Preconditioned by the diagonal; in active unknowns only, unless there are rigid regions.
    pub(super) fn with_diagonal(&mut self) -> Outcome {
        if self.rigid_subspace.is_empty() {
            let Self { free, gradient, active, b, y, stop, .. } = self;
            return active.solve(gradient, free, b, y, stop);
        }
        self.without_matrix(&mut ScalarDiagonal(self.stop.weights), self.stop.max_iterations)
    }

    /// Without a matrix, with this preconditioner and limit of iterations.
    fn without_matrix(&mut self, m: &mut dyn Preconditioner, max_iterations: u32) -> Outcome {
        let stop = Stop { max_iterations, ..self.stop };
        let mut m = Projected(m, self.rigid_subspace);
        let mut a = Projected(&mut self.free, self.rigid_subspace);
        self.gradient.solve(&mut a, &mut m, self.b, self.y, &stop)
    }
}

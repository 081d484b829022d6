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
use super::single::SingleGradient;

/// The smallest tolerance that is reached by corrections in single precision: a smaller one would take several.
const LEAST_TOLERANCE: f64 = 1e-5;

/// One solve of (CᵀAC) y = b by conjugate gradients, with the buffers that it uses.
pub(super) struct SystemSolve<'a, 'p> {
    /// CᵀAC without a matrix.
    pub(super) free: MatrixFree<'a, 'p>,
    pub(super) gradient: &'a mut ConjugateGradient,
    pub(super) active: &'a mut Active,
    /// Corrections in single precision, if the cells have such products.
    pub(super) single: Option<&'a mut SingleGradient>,
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
        // Also where the first factor is on its way: this solve would not converge in time.
        factor.renew_now(self.free.parts, self.free.scales, precision, report);
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
        if !self.rigid_subspace.is_empty() {
            let most = self.stop.max_iterations;
            return self.without_matrix(&mut ScalarDiagonal(self.stop.weights), most);
        }
        let first = self.in_single_precision().unwrap_or_default();
        if first.converged || first.iterations >= self.stop.max_iterations {
            return first;
        }
        let Self { free, gradient, active, b, y, stop, .. } = self;
        let max_iterations = stop.max_iterations - first.iterations;
        let second = active.solve(gradient, free, b, y, &Stop { max_iterations, ..*stop });
        Outcome { iterations: first.iterations + second.iterations, ..second }
    }

    /// Solves by corrections in single precision: iterations cost less than half. `None` where they are not possible, or not accurate enough.
    fn in_single_precision(&mut self) -> Option<Outcome> {
        let Self { free, gradient, active, single, b, y, stop, .. } = self;
        let single = &mut **single.as_mut()?;
        let is_possible = stop.tolerance >= LEAST_TOLERANCE
            && (!free.parts.unknowns.has_ties() || active.folds(free))
            && y.iter().all(|y| y.is_finite())
            && single.open(free, stop.weights);
        is_possible.then(|| {
            gradient
                .correct(free, b, y, stop, |free, r, limits, z| single.correct(free, r, limits, z))
        })
    }

    /// Without a matrix, with this preconditioner and limit of iterations.
    fn without_matrix(&mut self, m: &mut dyn Preconditioner, max_iterations: u32) -> Outcome {
        let stop = Stop { max_iterations, ..self.stop };
        let mut m = Projected(m, self.rigid_subspace);
        let mut a = Projected(&mut self.free, self.rigid_subspace);
        self.gradient.solve(&mut a, &mut m, self.b, self.y, &stop)
    }
}

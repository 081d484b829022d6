//! A Cholesky factor that is reused while it is a good preconditioner.

use glam::DVec3;
use pliant_sparse::FactorError;

use crate::body::{Model, Unknowns};
use crate::persist::{Reader, SnapshotError, Writer};
use crate::solver::phase::{Phase, PhaseTeller};
use crate::solver::report::LinearReport;

use super::factored_rows::{FactoredRows, Precision};
use super::factored_system::FactoredSystem;
use crate::solver::linear::conjugate_gradient::{Outcome, Preconditioner};
use crate::solver::linear::nodes::{Scales, SystemParts};

/// Iterations of one solve, or extra iterations of all solves, that cost as much as a new factor.
const REFACTOR_ITERATIONS: u32 = 8;

/// Change of a rotation, in units of `refactor_threshold`, beyond which the system is always factored again.
const MAX_THRESHOLD_FACTOR: f64 = 3.0;

/// The factor of an earlier system as preconditioner of the present one: if nothing has changed, one iteration is
/// enough (Mezger et al. 2007, section 4.4).
///
/// The matrix is assembled only to be factored; products are matrix-free.
#[derive(Debug, Clone)]
pub(in crate::solver::linear) struct LazyCholesky {
    factored: FactoredRows,
    /// Iterations of the last solve.
    iterations: u32,
    /// Iterations of all solves since the factorisation, beyond the first of each.
    extra: u32,
    /// True if the factor is that of an earlier system.
    is_old: bool,
}

impl LazyCholesky {
    pub(in crate::solver::linear) fn new(
        model: &Model,
        unknowns: &Unknowns,
    ) -> Result<Self, FactorError> {
        let factored = FactoredRows::new(model, unknowns)?;
        Ok(Self { factored, iterations: 0, extra: 0, is_old: false })
    }

    /// Factors the system again if the scales or ties differ, if the last solve was slow, or if the body has changed by
    /// more than `refactor_threshold` and the extra iterations have cost as much as a new factor.
    pub(in crate::solver::linear) fn refresh(
        &mut self,
        parts: &mut SystemParts<'_>,
        scales: &Scales,
        refactor_threshold: f64,
        phase: &mut PhaseTeller<'_>,
        report: &mut LinearReport,
    ) {
        let same = self.factored.system() == Some(&FactoredSystem::of(parts, scales))
            && self.iterations <= REFACTOR_ITERATIONS;
        self.is_old = same
            && self.should_keep(parts.elasticity.turned(parts.rest, parts.x), refactor_threshold);
        if !self.is_old {
            self.renew(parts, scales, phase, report);
        }
        report.blocks = self.factored.block_count();
    }

    /// Factors the present system.
    pub(in crate::solver::linear) fn renew(
        &mut self,
        parts: &mut SystemParts<'_>,
        scales: &Scales,
        phase: &mut PhaseTeller<'_>,
        report: &mut LinearReport,
    ) {
        self.factored.assemble(parts, scales);
        parts.elasticity.mark(&parts.rest, parts.x);
        phase(Phase::Factor);
        self.factored.factor(FactoredSystem::of(parts, scales), Precision::Double);
        (self.iterations, self.extra, self.is_old) = (0, 0, false);
        phase(Phase::Solve);
        report.factorisations += 1;
    }

    /// Iterations after which a solve should restart with a new factor; `None` if the factor is new.
    pub(in crate::solver::linear) fn patience(&self) -> Option<u32> {
        self.is_old.then_some(REFACTOR_ITERATIONS)
    }

    /// True if the factor should be kept after a change.
    fn should_keep(&self, change: f64, refactor_threshold: f64) -> bool {
        change <= refactor_threshold
            || (change <= MAX_THRESHOLD_FACTOR * refactor_threshold
                && self.extra < REFACTOR_ITERATIONS)
    }

    /// True if there is a factor: not if the matrix was not positive definite, or not finite.
    pub(in crate::solver::linear) fn is_usable(&self) -> bool {
        self.factored.system().is_some()
    }

    /// Writes the state between steps.
    pub(in crate::solver::linear) fn save(&self, to: &mut Writer) {
        to.u32(self.iterations);
        to.u32(self.extra);
        self.factored.save(to);
    }

    /// Reads it.
    pub(in crate::solver::linear) fn load(
        &mut self,
        unknowns: &Unknowns,
        from: &mut Reader<'_>,
    ) -> Result<(), SnapshotError> {
        self.iterations = from.u32()?;
        self.extra = from.u32()?;
        self.factored.load(unknowns, from)
    }

    /// Records the iterations of a solve.
    pub(in crate::solver::linear) fn note(&mut self, outcome: &Outcome) {
        self.iterations = if outcome.converged { outcome.iterations } else { u32::MAX };
        self.extra = self.extra.saturating_add(outcome.iterations.saturating_sub(1));
    }
}

impl Preconditioner for LazyCholesky {
    fn apply(&mut self, r: &[DVec3], z: &mut [DVec3]) {
        self.factored.apply(r, z);
    }
}

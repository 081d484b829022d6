//! A Cholesky factor that is reused while it is a good preconditioner.

use glam::DVec3;
use pliant_sparse::{Cholesky, FactorError};

use crate::body::{Model, Unknowns};
use crate::persist::{Persist, Reader, SnapshotError, Writer};
use crate::solver::phase::{Phase, PhaseTeller};
use crate::solver::report::LinearReport;

use super::block_rows::BlockRows;
use super::conjugate_gradient::{Outcome, Preconditioner};
use super::nodes::{Scales, SystemParts};

/// Iterations of one solve, or extra iterations of all solves, that cost as much as a new factor.
const REFACTOR_ITERATIONS: u32 = 8;

/// Change of a rotation, in units of `refactor_threshold`, beyond which the system is always factored again.
const MAX_THRESHOLD_FACTOR: f64 = 3.0;

/// The factor of an earlier system as preconditioner of the present one: if nothing has changed, one iteration is
/// enough (Mezger et al. 2007, section 4.4).
///
/// The matrix is assembled only to be factored; products are matrix-free.
#[derive(Debug, Clone)]
pub(super) struct LazyCholesky {
    rows: BlockRows,
    cholesky: Cholesky,
    /// The factored system, if the factorisation succeeded.
    factored: Option<FactoredSystem>,
    /// Iterations of the last solve.
    iterations: u32,
    /// Iterations of all solves since the factorisation, beyond the first of each.
    extra: u32,
    /// True if the factor is that of an earlier system.
    is_old: bool,
}

#[derive(Debug, Clone, Copy, PartialEq)]
struct FactoredSystem {
    scales: Scales,
    version: u64,
}

impl FactoredSystem {
    fn of(parts: &SystemParts<'_>, scales: &Scales) -> Self {
        Self { scales: *scales, version: parts.unknowns.version() }
    }
}

impl LazyCholesky {
    pub(super) fn new(model: &Model, unknowns: &Unknowns) -> Result<Self, FactorError> {
        let rows = BlockRows::new(model, unknowns);
        let positions = unknowns.positions(&model.mesh().nodes);
        let cholesky = Cholesky::analyse(rows.matrix(), &positions)?;
        Ok(Self { rows, cholesky, factored: None, iterations: 0, extra: 0, is_old: false })
    }

    /// Factors the system again if the scales or ties differ, if the last solve was slow, or if the body has changed by
    /// more than `refactor_threshold` and the extra iterations have cost as much as a new factor.
    pub(super) fn refresh(
        &mut self,
        parts: &mut SystemParts<'_>,
        scales: &Scales,
        refactor_threshold: f64,
        phase: &mut PhaseTeller<'_>,
        report: &mut LinearReport,
    ) {
        let same = self.factored == Some(FactoredSystem::of(parts, scales))
            && self.iterations <= REFACTOR_ITERATIONS;
        self.is_old = same
            && self.should_keep(parts.elasticity.turned(parts.rest, parts.x), refactor_threshold);
        if !self.is_old {
            self.renew(parts, scales, phase, report);
        }
        report.blocks = self.rows.block_count();
    }

    /// Factors the present system.
    pub(super) fn renew(
        &mut self,
        parts: &mut SystemParts<'_>,
        scales: &Scales,
        phase: &mut PhaseTeller<'_>,
        report: &mut LinearReport,
    ) {
        self.rows.assemble(parts, scales);
        parts.elasticity.mark(&parts.rest, parts.x);
        phase(Phase::Factor);
        let done = self.cholesky.factor(self.rows.matrix());
        self.factored = done.is_ok().then(|| FactoredSystem::of(parts, scales));
        (self.iterations, self.extra, self.is_old) = (0, 0, false);
        phase(Phase::Solve);
        report.factorisations += 1;
    }

    /// Iterations after which a solve should restart with a new factor; `None` if the factor is new.
    pub(super) fn patience(&self) -> Option<u32> {
        self.is_old.then_some(REFACTOR_ITERATIONS)
    }

    /// True if the factor should be kept after a change.
    fn should_keep(&self, change: f64, refactor_threshold: f64) -> bool {
        change <= refactor_threshold
            || (change <= MAX_THRESHOLD_FACTOR * refactor_threshold
                && self.extra < REFACTOR_ITERATIONS)
    }

    /// True if there is a factor: not if the matrix was not positive definite, or not finite.
    pub(super) fn is_usable(&self) -> bool {
        self.factored.is_some()
    }

    /// Writes the matrix instead of its factor, which is larger and follows from it.
    pub(super) fn save(&self, to: &mut Writer) {
        to.u32(self.iterations);
        to.u32(self.extra);
        to.flag(self.factored.is_some());
        if let Some(FactoredSystem { scales, version }) = &self.factored {
            scales.save(to);
            to.u64(*version);
            self.rows.save(to);
        }
    }

    /// Reads the matrix and factors it, unless it is the present one.
    pub(super) fn load(
        &mut self,
        unknowns: &Unknowns,
        from: &mut Reader<'_>,
    ) -> Result<(), SnapshotError> {
        let at_hand = self.factored.take().is_some();
        self.rows.forget();
        self.iterations = from.u32()?;
        self.extra = from.u32()?;
        if !from.flag()? {
            return Ok(());
        }
        let mut factored = FactoredSystem { scales: Scales::default(), version: 0 };
        factored.scales.load(from)?;
        factored.version = from.u64()?;
        let changed = self.rows.load(unknowns, from)?;
        if changed || !at_hand {
            let done = self.cholesky.factor(self.rows.matrix());
            done.map_err(|_| from.bad("a matrix that was factored"))?;
        }
        self.factored = Some(factored);
        Ok(())
    }

    /// Records the iterations of a solve.
    pub(super) fn note(&mut self, outcome: &Outcome) {
        self.iterations = if outcome.converged { outcome.iterations } else { u32::MAX };
        self.extra = self.extra.saturating_add(outcome.iterations.saturating_sub(1));
    }
}

impl Preconditioner for LazyCholesky {
    fn apply(&mut self, r: &[DVec3], z: &mut [DVec3]) {
        z.copy_from_slice(r);
        self.cholesky.solve(z);
    }
}

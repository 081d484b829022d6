//! A Cholesky factor that is kept while it is good enough.

use glam::DVec3;
use pliant_sparse::{Cholesky, FactorError};

use crate::body::{Model, Unknowns};
use crate::persist::{Persist, Reader, SnapshotError, Writer};
use crate::solver::phase::{Phase, PhaseTeller};
use crate::solver::report::LinearReport;

use super::block_rows::BlockRows;
use super::conjugate_gradient::{Outcome, Preconditioner};
use super::nodes::{Scales, SystemParts};

/// Iterations of a solve, or of all solves beyond the first of each, that are worth a new factor: it costs about as much.
const REFACTOR_ITERATIONS: u32 = 8;

/// How many times `refactor_threshold` a rotation may change while the factor does not yet cost more than a new one.
const MAX_THRESHOLD_FACTOR: f64 = 3.0;

/// The factor of a system as it was, which preconditions the one at hand: while nothing has changed
/// one iteration is all it takes (Mezger et al. 2007, section 4.4).
///
/// The matrix is put together only to be factored; products go without.
#[derive(Debug, Clone)]
pub(super) struct LazyCholesky {
    rows: BlockRows,
    cholesky: Cholesky,
    /// What was factored, if it could be.
    factored: Option<FactoredSystem>,
    /// Iterations of the last solve.
    iterations: u32,
    /// Iterations of all solves since it was factored, beyond the first of each.
    extra: u32,
    /// Whether it is that of an earlier system.
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

    /// Factors the system anew where the system is another one, the last solve took long, or the body has changed by more than `refactor_threshold`
    /// and the old factor has cost as many more iterations by then as a new one would have.
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
            && self.is_fresh(parts.elasticity.turned(parts.model, parts.x), refactor_threshold);
        if !self.is_old {
            self.renew(parts, scales, phase, report);
        }
        report.blocks = self.rows.block_count();
    }

    /// Factors the system at hand.
    pub(super) fn renew(
        &mut self,
        parts: &mut SystemParts<'_>,
        scales: &Scales,
        phase: &mut PhaseTeller<'_>,
        report: &mut LinearReport,
    ) {
        self.rows.assemble(parts, scales);
        parts.elasticity.mark(parts.model, parts.x);
        phase(Phase::Factor);
        let done = self.cholesky.factor(self.rows.matrix());
        self.factored = done.is_ok().then(|| FactoredSystem::of(parts, scales));
        (self.iterations, self.extra, self.is_old) = (0, 0, false);
        phase(Phase::Solve);
        report.factorisations += 1;
    }

    /// Iterations after which a solve is better begun again with a new factor; none if the factor is new.
    pub(super) fn patience(&self) -> Option<u32> {
        self.is_old.then_some(REFACTOR_ITERATIONS)
    }

    /// Whether the factor is worth keeping after a change.
    fn is_fresh(&self, change: f64, refactor_threshold: f64) -> bool {
        change <= refactor_threshold
            || (change <= MAX_THRESHOLD_FACTOR * refactor_threshold
                && self.extra < REFACTOR_ITERATIONS)
    }

    /// Whether there is a factor: not if the matrix was not positive, or not finite.
    pub(super) fn is_usable(&self) -> bool {
        self.factored.is_some()
    }

    /// Writes the matrix that was factored: smaller than its factor, which follows from it.
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

    /// Factors the matrix that was written, if that is not the one at hand.
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

    /// Learns from a solve.
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

//! A Cholesky factor that is kept while it is good enough.

use glam::DVec3;

use crate::body::{Model, Unknowns};
use crate::solver::{Cholesky, FactorError, LinearReport, Phase, PhaseTeller};

use super::{BlockRows, Outcome, Parts, Preconditioner, Scales};

/// Iterations of a solve after which the factor counts as old.
const MANY: u32 = 8;

/// The factor of a system as it was, which preconditions the one at hand: while nothing has changed
/// one iteration is all it takes (Mezger et al. 2007, section 4.4).
///
/// The matrix is put together only to be factored; products go without.
#[derive(Debug, Clone)]
pub(super) struct LazyCholesky {
    rows: BlockRows,
    cholesky: Cholesky,
    /// What was factored, if it could be.
    factored: Option<Factored>,
    /// Iterations of the last solve.
    iterations: u32,
}

#[derive(Debug, Clone, Copy, PartialEq)]
struct Factored {
    scales: Scales,
    version: u64,
}

impl LazyCholesky {
    pub(super) fn new(model: &Model, unknowns: &Unknowns) -> Result<Self, FactorError> {
        let rows = BlockRows::new(model, unknowns);
        let positions = unknowns.positions(&model.mesh().nodes);
        let cholesky = Cholesky::analyse(rows.matrix(), &positions)?;
        Ok(Self { rows, cholesky, factored: None, iterations: 0 })
    }

    /// Factors the system anew where a deformation gradient has changed by more than `lazy`, the
    /// system is another one, or the last solve took long.
    pub(super) fn refresh(
        &mut self,
        parts: &mut Parts<'_>,
        scales: &Scales,
        lazy: f64,
        phase: &mut PhaseTeller<'_>,
        report: &mut LinearReport,
    ) {
        let wanted = Factored { scales: *scales, version: parts.unknowns.version() };
        let fresh = self.factored == Some(wanted)
            && self.iterations <= MANY
            && parts.elasticity.change(parts.model, parts.x) <= lazy;
        if !fresh {
            self.rows.assemble(parts, scales);
            parts.elasticity.mark(parts.model, parts.x);
            phase(Phase::Solve);
            let done = self.cholesky.factor(self.rows.matrix());
            self.factored = done.is_ok().then_some(wanted);
            self.iterations = 0;
            report.factorisations += 1;
        }
        report.blocks = self.rows.block_count();
    }

    /// Whether there is a factor: not if the matrix was not positive, or not finite.
    pub(super) fn is_usable(&self) -> bool {
        self.factored.is_some()
    }

    /// Learns from a solve.
    pub(super) fn note(&mut self, outcome: &Outcome) {
        self.iterations = if outcome.converged { outcome.iterations } else { u32::MAX };
    }
}

impl Preconditioner for LazyCholesky {
    fn apply(&mut self, r: &[DVec3], z: &mut [DVec3]) {
        z.copy_from_slice(r);
        self.cholesky.solve(z);
    }
}

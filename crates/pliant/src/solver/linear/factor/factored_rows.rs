//! An assembled system and its factor.

use glam::DVec3;
use pliant_sparse::{Cholesky, FactorError, SingleFactor};

use crate::body::{Model, Unknowns};
use crate::persist::{Persist, Reader, SnapshotError, Writer};
use crate::solver::linear::block_rows::BlockRows;
use crate::solver::linear::conjugate_gradient::Preconditioner;
use crate::solver::linear::nodes::{Scales, SystemParts};

/// A system as rows, and its Cholesky factor.
#[derive(Debug, Clone)]
pub(super) struct FactoredRows {
    rows: BlockRows,
    cholesky: Cholesky,
    /// The factor in single precision: its solves read little but the factor, and take half the time.
    single: SingleFactor,
    precision: Precision,
    /// The factored system; `None` without a factor.
    system: Option<FactoredSystem>,
}

/// The precision in which a factor is applied. It is always computed in double precision.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::solver::linear) enum Precision {
    /// Enough for a preconditioner.
    Single,
    Double,
}

/// The system of a factor.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct FactoredSystem {
    pub(super) scales: Scales,
    /// Version of the unknowns.
    pub(super) version: u64,
}

impl FactoredSystem {
    pub(super) fn of(parts: &SystemParts<'_>, scales: &Scales) -> Self {
        Self { scales: *scales, version: parts.unknowns.version() }
    }
}

impl FactoredRows {
    /// The structure for the systems of a model; an error if the factor would not fit in memory.
    pub(super) fn new(model: &Model, unknowns: &Unknowns) -> Result<Self, FactorError> {
        let rows = BlockRows::new(model, unknowns);
        let positions = unknowns.positions(&model.mesh().nodes);
        let cholesky = Cholesky::analyse(rows.matrix(), &positions)?;
        let single = SingleFactor::new(&cholesky);
        Ok(Self { rows, cholesky, single, precision: Precision::Single, system: None })
    }

    /// Assembles a system; it has no factor yet.
    pub(super) fn assemble(&mut self, parts: &mut SystemParts<'_>, scales: &Scales) {
        self.system = None;
        self.rows.assemble(parts, scales);
    }

    /// Factors the assembled matrix, to be applied in this precision; there is no factor afterwards if it is not positive definite, or
    /// not finite.
    pub(super) fn factor(&mut self, system: FactoredSystem, precision: Precision) {
        let done = self.cholesky.factor(self.rows.matrix()).is_ok();
        self.system = done.then_some(system);
        self.precision = precision;
        if done && precision == Precision::Single {
            self.single.update(&self.cholesky);
        }
    }

    /// The factored system; `None` without a factor.
    pub(super) fn system(&self) -> Option<&FactoredSystem> {
        self.system.as_ref()
    }

    /// The precision in which the factor is applied.
    pub(super) fn precision(&self) -> Precision {
        self.precision
    }

    /// Number of non-zero blocks of the matrix.
    pub(super) fn block_count(&self) -> usize {
        self.rows.block_count()
    }

    /// Number of values of the factor.
    pub(super) fn factor_size(&self) -> usize {
        self.cholesky.factor_size()
    }

    /// Number of multiplications of a factorisation.
    pub(super) fn factor_work(&self) -> f64 {
        self.cholesky.factor_work()
    }

    /// Writes the matrix instead of its factor, which is larger and follows from it.
    pub(super) fn save(&self, to: &mut Writer) {
        to.flag(self.precision == Precision::Single);
        to.flag(self.system.is_some());
        if let Some(FactoredSystem { scales, version }) = &self.system {
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
        let at_hand = self.system.take().is_some();
        self.rows.forget();
        let precision = if from.flag()? { Precision::Single } else { Precision::Double };
        let last = std::mem::replace(&mut self.precision, precision);
        if !from.flag()? {
            return Ok(());
        }
        let mut system = FactoredSystem { scales: Scales::default(), version: 0 };
        system.scales.load(from)?;
        system.version = from.u64()?;
        let changed = self.rows.load(unknowns, from)?;
        if changed || !at_hand || precision != last {
            self.factor(system, precision);
            self.system.ok_or_else(|| from.bad("a matrix that was factored"))?;
        }
        self.system = Some(system);
        Ok(())
    }
}

impl FactoredRows {
    /// Replaces z by A⁻¹ z.
    pub(super) fn solve(&mut self, z: &mut [DVec3]) {
        match self.precision {
            Precision::Single => self.single.solve(z),
            Precision::Double => self.cholesky.solve(z),
        }
    }
}

impl Preconditioner for FactoredRows {
    fn apply(&mut self, r: &[DVec3], z: &mut [DVec3]) {
        z.copy_from_slice(r);
        self.solve(z);
    }
}

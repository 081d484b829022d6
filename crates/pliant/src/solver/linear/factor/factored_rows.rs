//! An assembled system and its factor.

use std::ops::Range;

use glam::DVec3;
use pliant_sparse::{Cholesky, FactorError, SingleFactor};

use crate::body::{Model, Unknowns};
use crate::persist::{Reader, SnapshotError, Writer};
use crate::solver::linear::block_rows::BlockRows;
use crate::solver::linear::conjugate_gradient::Preconditioner;
use crate::solver::linear::nodes::{Scales, SystemParts};

use super::factored_system::FactoredSystem;
use super::next_factor::NextFactor;

/// The most multiplications of the factorisation of a next factor in one solve: about five milliseconds.
const WORK_PER_SOLVE: f64 = 1e8;

/// The largest share of a factorisation in one solve.
const LARGEST_SHARE: f64 = 2.0 / 3.0;

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
    /// The next factor; without memory before the first one.
    next: Option<Box<NextFactor>>,
}

/// The precision in which a factor is applied. It is always computed in double precision.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::solver::linear) enum Precision {
    /// Enough for a preconditioner.
    Single,
    Double,
}

impl FactoredRows {
    /// The structure for the systems of a model; an error if the factor would not fit in memory.
    pub(super) fn new(model: &Model, unknowns: &Unknowns) -> Result<Self, FactorError> {
        let rows = BlockRows::new(model, unknowns);
        let positions = unknowns.positions(&model.mesh().nodes);
        let cholesky = Cholesky::analyse(rows.matrix(), &positions)?;
        let single = SingleFactor::new(&cholesky);
        Ok(Self { rows, cholesky, single, precision: Precision::Single, system: None, next: None })
    }

    /// Assembles a system; it has no factor yet.
    pub(super) fn assemble(&mut self, parts: &mut SystemParts<'_>, scales: &Scales) {
        self.system = None;
        self.drop_next();
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

    /// True if a next factor is on its way.
    pub(super) fn has_next(&self) -> bool {
        self.next.as_ref().is_some_and(|next| next.done.is_some())
    }

    fn drop_next(&mut self) {
        if let Some(next) = &mut self.next {
            next.done = None;
        }
    }

    /// Assembles the system of the next factor, in single precision. The present factor, in single precision too, stays in use.
    pub(super) fn start_next(&mut self, parts: &mut SystemParts<'_>, scales: &Scales) {
        let system = FactoredSystem::of(parts, scales);
        let Self { rows, next, single, .. } = self;
        let next = next.get_or_insert_with(|| {
            let (blocks, single) = (rows.matrix().blocks.clone(), single.clone());
            Box::new(NextFactor { system, done: None, blocks, single })
        });
        // The blocks of the present factor are kept for snapshots.
        next.blocks.copy_from_slice(&rows.matrix().blocks);
        rows.swap_blocks(&mut next.blocks);
        rows.assemble(parts, scales);
        rows.swap_blocks(&mut next.blocks);
        (next.system, next.done) = (system, Some(0));
    }

    /// Goes on with the next factor; true if it is now the present one. It is given up if its matrix has no factor.
    pub(super) fn advance_next(&mut self) -> bool {
        let Some(first) = self.next.as_ref().and_then(|next| next.done) else { return false };
        // In two solves at least, so that a small body does not pay for all of it in one frame either. Runs end before they exceed their share,
        // so that two halves would take three solves.
        let work = (LARGEST_SHARE * self.factor_work()).min(WORK_PER_SOLVE);
        let end = self.cholesky.run_end(first, work);
        if !self.factor_next(first..end) {
            self.drop_next();
            return false;
        }
        let is_whole = end == self.cholesky.supernode_count();
        if is_whole && let Some(next) = &mut self.next {
            std::mem::swap(&mut self.single, &mut next.single);
            self.rows.swap_blocks(&mut next.blocks);
            (self.system, next.done) = (Some(next.system), None);
        }
        is_whole
    }

    /// Factors a run of supernodes of the next factor; false if its matrix has no factor.
    fn factor_next(&mut self, run: Range<usize>) -> bool {
        let Self { rows, cholesky, next: Some(next), .. } = self else { return false };
        rows.swap_blocks(&mut next.blocks);
        let done = cholesky.factor_run(rows.matrix(), run.clone()).is_ok();
        rows.swap_blocks(&mut next.blocks);
        if done {
            next.done = Some(run.end);
            next.single.update_run(cholesky, run);
        }
        done
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

    /// Writes matrices instead of their factors, which are larger and follow from them.
    pub(super) fn save(&self, to: &mut Writer) {
        to.flag(self.precision == Precision::Single);
        to.flag(self.system.is_some());
        if let Some(system) = &self.system {
            system.save(to);
            self.rows.save(to);
        }
        let next = self.next.as_ref().and_then(|next| Some((next, next.done?)));
        to.flag(next.is_some());
        if let Some((next, done)) = next {
            to.u32(done as u32);
            next.system.save(to);
            to.matrices(&next.blocks);
        }
    }

    /// Reads the matrices, and factors that of the present factor, unless it is at hand.
    pub(super) fn load(
        &mut self,
        unknowns: &Unknowns,
        from: &mut Reader<'_>,
    ) -> Result<(), SnapshotError> {
        let at_hand = self.system.take().is_some();
        self.drop_next();
        self.rows.forget();
        let precision = if from.flag()? { Precision::Single } else { Precision::Double };
        let last = std::mem::replace(&mut self.precision, precision);
        if from.flag()? {
            let system = FactoredSystem::read(from)?;
            let changed = self.rows.load(unknowns, from)?;
            if changed || !at_hand || precision != last {
                self.factor(system, precision);
                self.system.ok_or_else(|| from.bad("a matrix that was factored"))?;
            }
            self.system = Some(system);
        }
        if from.flag()? { self.load_next(from) } else { Ok(()) }
    }

    fn load_next(&mut self, from: &mut Reader<'_>) -> Result<(), SnapshotError> {
        let done = from.u32()? as usize;
        let system = FactoredSystem::read(from)?;
        let mut blocks = self.rows.matrix().blocks.clone();
        from.matrices(&mut blocks)?;
        let single = self.single.clone();
        self.next = Some(Box::new(NextFactor { system, done: Some(0), blocks, single }));
        if done > self.cholesky.supernode_count() || !self.factor_next(0..done) {
            return Err(from.bad("a matrix that was factored"));
        }
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

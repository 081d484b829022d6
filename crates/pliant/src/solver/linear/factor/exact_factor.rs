//! The factor of a small system.

use glam::DVec3;
use pliant_sparse::{BlockMatrix, Cholesky, SingleFactor};

use crate::persist::{Reader, SnapshotError, Writer};
use pliant_kernels::math::Mat3;

use crate::solver::linear::block_rows::BlockRows;
use crate::solver::linear::conjugate_gradient::{Outcome, Preconditioner};

use super::factored_rows::Precision;

/// Largest number of unknowns of a system that is factored in every step.
const SMALL: usize = 800;

/// Iterations with the diagonal alone that cost more than the factor of a small system.
pub(super) const SLOW: u32 = 40;

/// A new factor of every system of a small and stiff body, with the terms of pairs in a joint solve: the only
/// iterations left are those for the coupling of bodies.
///
/// It is used after a solve without it was slow or was stopped early: this happens for a piece of glass in a long step,
/// and not for a piece of rubber.
#[derive(Debug, Clone, Default)]
pub(in crate::solver::linear) struct ExactFactor {
    /// True after a slow solve.
    wanted: bool,
    /// The factor, if it is wanted and the system is small.
    system: Option<Box<ExactSystem>>,
}

#[derive(Debug, Clone)]
struct ExactSystem {
    matrix: BlockMatrix,
    cholesky: Cholesky,
    /// The factor in single precision: a heap of bodies waits for memory, and this is half as much.
    single: SingleFactor,
    precision: Precision,
    state: FactorState,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum FactorState {
    /// The matrix is that of the present system, and not factored yet.
    Open,
    /// The matrix is factored.
    Done,
    /// The present system has no factor.
    None,
}

impl ExactFactor {
    /// Copies the assembled system, whose factor may be applied in this precision.
    pub(in crate::solver::linear) fn open(&mut self, rows: &BlockRows, precision: Precision) {
        if let Some(factored) = &mut self.system {
            factored.matrix.blocks.copy_from_slice(&rows.matrix().blocks);
            (factored.state, factored.precision) = (FactorState::Open, precision);
        }
    }

    /// True if there is an assembled system that is not factored yet.
    pub(in crate::solver::linear) fn is_open(&self) -> bool {
        self.system.as_ref().is_some_and(|factored| factored.state == FactorState::Open)
    }

    /// Adds terms of pairs to a block, row ≥ column; blocks without a cell in common are left out.
    pub(in crate::solver::linear) fn add(&mut self, row: usize, column: usize, block: &Mat3) {
        let Some(factored) =
            self.system.as_mut().filter(|factored| factored.state == FactorState::Open)
        else {
            return;
        };
        if let Some(place) = factored.matrix.find(row as u32, column as u32) {
            factored.matrix.blocks[place] += *block;
        }
    }

    /// True if the present system has a factor; factors it if needed.
    pub(in crate::solver::linear) fn is_ready(&mut self) -> bool {
        let Some(factored) = &mut self.system else { return false };
        if factored.state == FactorState::Open {
            let done = factored.cholesky.factor(&factored.matrix).is_ok();
            factored.state = if done { FactorState::Done } else { FactorState::None };
            if done && factored.precision == Precision::Single {
                factored.single.update(&factored.cholesky);
            }
        }
        factored.state == FactorState::Done
    }

    /// True after a slow solve, also of a system that is too large for a factor of its own.
    pub(in crate::solver::linear) fn is_wanted(&self) -> bool {
        self.wanted
    }

    /// Decides after a solve whether a factor is worth its cost.
    pub(in crate::solver::linear) fn note(&mut self, outcome: &Outcome, rows: &BlockRows) {
        if !self.wanted && (outcome.iterations > SLOW || !outcome.converged) {
            self.make(rows);
        }
    }

    /// Uses a factor if the system of the original body did, of which this system is a fragment.
    pub(in crate::solver::linear) fn follow(&mut self, whole: &Self, rows: &BlockRows) {
        if whole.wanted {
            self.make(rows);
        }
    }

    fn make(&mut self, rows: &BlockRows) {
        self.wanted = true;
        if rows.matrix().size() > SMALL {
            return;
        }
        // Small systems are ordered without positions. If the factorisation is not possible, the solve stays iterative.
        let cholesky = Cholesky::analyse(rows.matrix(), &[]).ok();
        let factored = |cholesky| {
            Box::new(ExactSystem {
                matrix: rows.matrix().clone(),
                single: SingleFactor::new(&cholesky),
                cholesky,
                precision: Precision::Double,
                state: FactorState::None,
            })
        };
        self.system = cholesky.map(factored);
    }

    /// Writes whether it is in use.
    pub(in crate::solver::linear) fn save(&self, to: &mut Writer) {
        to.flag(self.wanted);
    }

    /// Restores whether it is in use.
    pub(in crate::solver::linear) fn load(
        &mut self,
        rows: &BlockRows,
        from: &mut Reader<'_>,
    ) -> Result<(), SnapshotError> {
        match (from.flag()?, &mut self.system) {
            (false, made) => {
                *made = None;
                self.wanted = false;
            }
            (true, Some(factored)) => factored.state = FactorState::None,
            (true, None) => self.make(rows),
        }
        Ok(())
    }
}

impl Preconditioner for ExactFactor {
    fn apply(&mut self, r: &[DVec3], z: &mut [DVec3]) {
        z.copy_from_slice(r);
        if let Some(factored) = &mut self.system {
            match factored.precision {
                Precision::Single => factored.single.solve(z),
                Precision::Double => factored.cholesky.solve(z),
            }
        }
    }
}

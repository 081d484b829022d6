//! The factor of a small system as it is.

use glam::DVec3;
use pliant_sparse::{BlockMatrix, Cholesky};

use crate::math::Mat3;
use crate::persist::{Reader, SnapshotError, Writer};

use super::block_rows::BlockRows;
use super::conjugate_gradient::{Outcome, Preconditioner};

/// Most unknowns of a system that is worth a new factor in every step.
const SMALL: usize = 800;

/// Iterations with the diagonal alone that cost more than a factor of a small system.
const SLOW: u32 = 40;

/// A new factor of every system of a body that is small and stiff, with all that a shared solve adds to it: nothing is then left to
/// iterate but what bodies do to each other.
///
/// Whether it is worth its work shows once a solve without it has taken long or was cut short: a piece of glass in a long step does, a piece of rubber
/// does not.
#[derive(Debug, Clone, Default)]
pub(super) struct ExactFactor(Option<Box<ExactSystem>>);

#[derive(Debug, Clone)]
struct ExactSystem {
    matrix: BlockMatrix,
    cholesky: Cholesky,
    state: FactorState,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum FactorState {
    /// The matrix is that of the system at hand, and not factored yet.
    Open,
    /// It is.
    Done,
    /// There is no factor of the system at hand.
    None,
}

impl ExactFactor {
    /// Takes up the system that was put together.
    pub(super) fn open(&mut self, rows: &BlockRows) {
        if let Some(factored) = &mut self.0 {
            factored.matrix.blocks.copy_from_slice(&rows.matrix().blocks);
            factored.state = FactorState::Open;
        }
    }

    /// Hears what a shared solve adds to a block, row ≥ column; what no cell connects is left out.
    pub(super) fn add(&mut self, row: usize, column: usize, block: &Mat3) {
        let Some(factored) = self.0.as_mut().filter(|factored| factored.state == FactorState::Open)
        else {
            return;
        };
        if let Some(place) = factored.matrix.find(row as u32, column as u32) {
            factored.matrix.blocks[place] += *block;
        }
    }

    /// Whether there is a factor of the system at hand; makes it if there is none yet.
    pub(super) fn is_ready(&mut self) -> bool {
        let Some(factored) = &mut self.0 else { return false };
        if factored.state == FactorState::Open {
            let done = factored.cholesky.factor(&factored.matrix).is_ok();
            factored.state = if done { FactorState::Done } else { FactorState::None };
        }
        factored.state == FactorState::Done
    }

    /// Learns from a solve.
    pub(super) fn note(&mut self, outcome: &Outcome, rows: &BlockRows) {
        if self.0.is_none() && (outcome.iterations > SLOW || !outcome.converged) {
            self.make(rows);
        }
    }

    /// Is made if that of the whole was, of which this system is a part.
    pub(super) fn follow(&mut self, whole: &Self, rows: &BlockRows) {
        if whole.0.is_some() {
            self.make(rows);
        }
    }

    fn make(&mut self, rows: &BlockRows) {
        if rows.matrix().size() > SMALL {
            return;
        }
        // Small systems are ordered without positions. One that cannot be factored is iterated on.
        let cholesky = Cholesky::analyse(rows.matrix(), &[]).ok();
        let factored = |cholesky| {
            Box::new(ExactSystem {
                matrix: rows.matrix().clone(),
                cholesky,
                state: FactorState::None,
            })
        };
        self.0 = cholesky.map(factored);
    }

    /// Writes whether it is made.
    pub(super) fn save(&self, to: &mut Writer) {
        to.flag(self.0.is_some());
    }

    /// Is made, or not, as it was.
    pub(super) fn load(
        &mut self,
        rows: &BlockRows,
        from: &mut Reader<'_>,
    ) -> Result<(), SnapshotError> {
        match (from.flag()?, &mut self.0) {
            (false, made) => *made = None,
            (true, Some(factored)) => factored.state = FactorState::None,
            (true, None) => self.make(rows),
        }
        Ok(())
    }
}

impl Preconditioner for ExactFactor {
    fn apply(&mut self, r: &[DVec3], z: &mut [DVec3]) {
        z.copy_from_slice(r);
        if let Some(factored) = &mut self.0 {
            factored.cholesky.solve(z);
        }
    }
}

//! The assembled system of a body in joint solves.

use pliant_sparse::BlockMatrix;

use crate::persist::{Persist, Reader, SnapshotError, Writer};
use crate::solver::linear::block_rows::BlockRows;
use crate::solver::linear::conjugate_gradient::Outcome;
use crate::solver::linear::nodes::{Scales, SystemParts};

use super::exact_factor::SLOW;

/// The assembled system of a body whose own solves need no matrix, for the factor of all bodies in a joint solve. It is assembled after
/// a joint solve was slow without it.
#[derive(Debug, Clone, Default)]
pub(in crate::solver::linear) struct JointRows {
    wanted: bool,
    rows: Option<Box<BlockRows>>,
    /// True if the rows are those of the present system.
    is_present: bool,
}

/// Largest number of unknowns of a system that is assembled for this.
const MOST_UNKNOWNS: usize = 4000;

impl JointRows {
    /// Assembles the present system, if it is wanted.
    pub(in crate::solver::linear) fn assemble(
        &mut self,
        parts: &mut SystemParts<'_>,
        scales: &Scales,
    ) {
        if self.wanted && parts.unknowns.count() <= MOST_UNKNOWNS {
            let rows = self.rows.get_or_insert_with(|| {
                Box::new(BlockRows::new(parts.rest.model(), parts.unknowns))
            });
            rows.assemble(parts, scales);
            self.is_present = true;
        }
    }

    /// Begins another system.
    pub(in crate::solver::linear) fn close(&mut self) {
        self.is_present = false;
    }

    /// The assembled system.
    pub(in crate::solver::linear) fn matrix(&self) -> Option<&BlockMatrix> {
        self.rows.as_ref().filter(|_| self.is_present).map(|rows| rows.matrix())
    }

    /// True after a slow joint solve.
    pub(in crate::solver::linear) fn is_wanted(&self) -> bool {
        self.wanted
    }

    /// Decides after a joint solve whether the next ones need the matrix.
    pub(in crate::solver::linear) fn note(&mut self, outcome: &Outcome) {
        self.wanted |= outcome.iterations > SLOW || !outcome.converged;
    }

    /// Takes over the choice of the body that this fragment came from.
    pub(in crate::solver::linear) fn follow(&mut self, whole: &Self) {
        self.wanted |= whole.wanted;
    }
}

impl Persist for JointRows {
    fn save(&self, to: &mut Writer) {
        to.flag(self.wanted);
    }

    fn load(&mut self, from: &mut Reader<'_>) -> Result<(), SnapshotError> {
        self.wanted = from.flag()?;
        self.is_present = false;
        if let Some(rows) = &mut self.rows {
            rows.forget();
        }
        Ok(())
    }
}

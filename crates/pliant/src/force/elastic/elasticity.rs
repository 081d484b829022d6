//! What an implicit stepper needs to know of the cells.

use std::fmt::Debug;

use glam::DVec3;

use crate::body::{Batch, Model, Unknowns};
use crate::math::Mat3;
use crate::persist::{Reader, SnapshotError, Writer};
use pliant_kernels::lanes::pair_count;

/// Elastic forces of a body and how they answer to moves.
///
/// Steppers call [`Elasticity::forces`], then, where they want a matrix or a product,
/// [`Elasticity::linearise`] at the same place.
pub trait Elasticity: Debug + Send + Sync {
    /// Writes the elastic force on every node at `x` and returns the energy, in J.
    fn forces(&mut self, model: &Model, x: &[DVec3], forces: &mut [DVec3]) -> f64;

    /// Keeps K ≈ −∂f/∂x, without negative directions, at the place of the last forces.
    fn linearise(&mut self, model: &Model, x: &[DVec3]);

    /// Writes K d.
    fn apply(&mut self, model: &Model, d: &[DVec3], product: &mut [DVec3]);

    /// Writes the blocks of every cell.
    fn blocks(&mut self, model: &Model, blocks: &mut CellBlocks);

    /// Adds tr K_aa / 3 of every node: a diagonal that rotations do not change.
    fn diagonal(&mut self, model: &Model, diagonal: &mut [f64]);

    /// The largest change of a deformation gradient since [`Elasticity::mark`], as a maximum
    /// absolute row sum (Mezger et al. 2007, section 4.4).
    fn change(&mut self, model: &Model, x: &[DVec3]) -> f64;

    /// The largest change since [`Elasticity::mark`] of what K depends on, where forces were asked for at `x`: of a deformation
    /// gradient, or of a rotation, if K does nothing but turn.
    ///
    /// The change of deformation gradients is what Mezger et al. 2007 estimate that of rotations by, to save finding these. Where
    /// forces have found them the estimate is worth nothing: matter that is stretched has the same matrix as before.
    fn turned(&mut self, model: &Model, x: &[DVec3]) -> f64 {
        self.change(model, x)
    }

    /// Remembers the deformation gradients at `x`, and the rotations there, for [`Elasticity::change`] and [`Elasticity::turned`].
    fn mark(&mut self, model: &Model, x: &[DVec3]);

    /// Tells which nodes are tied from now on, so that products may save on cells that have become
    /// linear. Forces are those of all nodes regardless.
    fn follow_ties(&mut self, _model: &Model, _unknowns: &Unknowns) {}

    /// Whether products are those of CᵀKC for these unknowns already: zero at tied nodes, whose moves are
    /// not read.
    fn folds_ties(&self, _unknowns: &Unknowns) -> bool {
        false
    }

    /// Writes what it remembers from one step to the next and the outcome depends on.
    fn save(&self, _to: &mut Writer) {}

    /// Takes up what one like it has written, with the ties that the unknowns have by then.
    fn load(
        &mut self,
        _model: &Model,
        _unknowns: &Unknowns,
        _from: &mut Reader<'_>,
    ) -> Result<(), SnapshotError> {
        Ok(())
    }

    /// A copy for another body of the same model.
    fn boxed_clone(&self) -> Box<dyn Elasticity>;
}

impl Clone for Box<dyn Elasticity> {
    fn clone(&self) -> Self {
        self.boxed_clone()
    }
}

/// Stiffness blocks of all cells, side by side, to be summed row by row.
///
/// A cell of n nodes has n (n + 1)/2 blocks, (a, b) with a ≤ b at `pair_index(a, b)`; those with
/// a > b are transposes.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct CellBlocks {
    /// Where each batch starts.
    pub batch_start: Vec<usize>,
    /// The blocks, batch after batch, cell after cell.
    pub blocks: Vec<Mat3>,
    /// Whether cells of a batch whose midpoints are all tied have the blocks of their corners as linear
    /// cells, and no others.
    pub corners_only: Vec<bool>,
}

impl CellBlocks {
    /// Room for the cells of a model.
    pub fn new(model: &Model) -> Self {
        let mut batch_start = vec![0];
        for batch in model.batches() {
            let last = batch_start[batch_start.len() - 1];
            batch_start.push(last + batch.cells.len() * pair_count(batch));
        }
        let blocks = vec![Mat3::ZERO; batch_start[batch_start.len() - 1]];
        let corners_only = vec![false; model.batches().len()];
        Self { batch_start, blocks, corners_only }
    }

    /// Where the blocks of a cell of a batch start.
    pub fn cell_start(&self, batch_index: usize, batch: &Batch, cell: usize) -> usize {
        self.batch_start[batch_index] + cell * pair_count(batch)
    }
}

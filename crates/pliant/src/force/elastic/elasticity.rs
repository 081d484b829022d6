//! The interface between implicit steppers and the cells of a body.

use std::fmt::Debug;

use glam::{DMat3, DVec3};

use crate::body::{Batch, Model, RestShape, Unknowns};
use crate::persist::{Reader, SnapshotError, Writer};
use pliant_kernels::lanes::pair_count;
use pliant_kernels::math::{Mat3, SingleNode};

/// Elastic forces of a body and their derivatives.
///
/// Steppers call [`Elasticity::forces`], then, if they need a matrix or a product, [`Elasticity::linearise`] at the
/// same positions.
pub trait Elasticity: Debug + Send + Sync {
    /// Writes the elastic force on every node at `x` and returns the energy, in J.
    fn forces(&mut self, rest: RestShape<'_>, x: &[DVec3], forces: &mut [DVec3]) -> f64;

    /// Stores K ≈ −∂f/∂x, positive semidefinite, at the positions of the last forces.
    fn linearise(&mut self, rest: RestShape<'_>, x: &[DVec3]);

    /// Writes K d.
    fn apply(&mut self, rest: RestShape<'_>, d: &[DVec3], product: &mut [DVec3]);

    /// True if products of cells can contain the consistent masses of the model: [`Elasticity::apply_with_masses`].
    fn has_masses(&self) -> bool {
        false
    }

    /// Writes (K + `inertia` · M) d, with ties as in [`Elasticity::apply`]: cheaper than K d and rows of M, which read more memory than all cells.
    /// Only if it [`Elasticity::has_masses`].
    fn apply_with_masses(
        &mut self,
        rest: RestShape<'_>,
        _inertia: f64,
        d: &[DVec3],
        product: &mut [DVec3],
    ) {
        debug_assert!(self.has_masses());
        self.apply(rest, d, product);
    }

    /// True if there are products in single precision: [`Elasticity::apply_single`].
    fn has_single(&self) -> bool {
        false
    }

    /// Writes (K + `inertia` · M) d in single precision, with ties as in [`Elasticity::apply`] and M zero unless it [`Elasticity::has_masses`].
    /// Only if it [`Elasticity::has_single`].
    fn apply_single(
        &mut self,
        _rest: RestShape<'_>,
        _inertia: f64,
        _d: &[SingleNode],
        _product: &mut [SingleNode],
    ) {
        unreachable!("these cells have no products in single precision");
    }

    /// Writes the blocks of every cell.
    fn blocks(&mut self, rest: RestShape<'_>, blocks: &mut CellBlocks);

    /// Adds tr K_aa / 3 of every node: a diagonal that rotations do not change.
    fn diagonal(&mut self, rest: RestShape<'_>, diagonal: &mut [f64]);

    /// The largest change of a deformation gradient since [`Elasticity::mark`], as a maximum
    /// absolute row sum (Mezger et al. 2007, section 4.4).
    fn change(&mut self, rest: RestShape<'_>, x: &[DVec3]) -> f64;

    /// The largest change since [`Elasticity::mark`] of the quantity that K depends on, after forces were evaluated at
    /// `x`: of a deformation gradient, or of a rotation if K depends on rotations only.
    ///
    /// Mezger et al. 2007 estimate the change of rotations by that of deformation gradients, because rotations are
    /// expensive to compute. Here the forces have already computed them, and the estimate would be too large:
    /// stretching does not change the matrix.
    fn turned(&mut self, rest: RestShape<'_>, x: &[DVec3]) -> f64 {
        self.change(rest, x)
    }

    /// Stores the deformation gradients and rotations at `x`, for [`Elasticity::change`] and [`Elasticity::turned`].
    fn mark(&mut self, model: &Model, x: &[DVec3]);

    /// Rotates what is remembered from the last forces: the body has turned as a whole since then. A rotation that is computed from
    /// the last one would not be found again after a quarter of a turn.
    fn turn(&mut self, _model: &Model, _by: DMat3) {}

    /// Sets the tied nodes, so that products can treat cells with only tied midpoints as linear. Forces are still those
    /// of all nodes.
    fn follow_ties(&mut self, _model: &Model, _unknowns: &Unknowns) {}

    /// True if products are already those of CᵀKC for these unknowns: zero at tied nodes, whose displacements are not
    /// read.
    fn folds_ties(&self, _unknowns: &Unknowns) -> bool {
        false
    }

    /// Writes the state between steps that the result depends on.
    fn save(&self, _to: &mut Writer) {}

    /// Reads the state that `save` wrote, with the present ties of the unknowns.
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

/// Stiffness blocks of all cells, stored one after the other, to be summed row by row.
///
/// A cell of n nodes has n (n + 1)/2 blocks, (a, b) with a ≤ b at `pair_index(a, b)`; those with
/// a > b are transposes.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct CellBlocks {
    /// First block of each batch.
    pub batch_start: Vec<usize>,
    /// The blocks, batch after batch, cell after cell.
    pub blocks: Vec<Mat3>,
    /// True if cells of a batch whose midpoints are all tied have the blocks of their corners as linear cells, and no
    /// others.
    pub corners_only: Vec<bool>,
}

impl CellBlocks {
    /// Allocates the blocks of the cells of a model.
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

    /// First block of a cell of a batch.
    pub fn cell_start(&self, batch_index: usize, batch: &Batch, cell: usize) -> usize {
        self.batch_start[batch_index] + cell * pair_count(batch)
    }
}

//! The stiffness of hyperelastic bodies for implicit steppers.

use glam::DVec3;
use pliant_kernels::lanes::{Width, pair_count};
use pliant_kernels::tangent::{self, BatchStiffness, NodePack, POINT, PointPack, mean_count};

use crate::body::{Batch, Model, RestBatch, RestShape, Unknowns};
use crate::persist::{Reader, SnapshotError, Writer};
use pliant_kernels::math::{LANES, Pack};

use super::elastic::Elastic;
use super::elasticity::{CellBlocks, Elasticity};
use super::gather::batch_value_count;

/// ∫ ψ(F) dX of any law on any kind of cell, and its positive semidefinite stiffness.
///
/// Each quadrature point stores the 45 numbers of its symmetric ∂P/∂F, in reference coordinates and times its volume:
///
/// ```text
/// Ĥ[i + 3m][k + 3n] = V Σⱼₗ J⁻¹[m][j] ∂Pᵢⱼ/∂Fₖₗ J⁻¹[n][l]        K_ab = Σ ∂Bₐ/∂ξ · Ĥ · ∂B_b/∂ξ
/// ```
///
/// A product is computed point by point, K d = Σ ∂B/∂ξ · Ĥ · ∂d/∂ξ: for a quadratic tetrahedron it reads 1.4 kB, where
/// the blocks of the cell are 4 kB. Blocks are built only for solvers that assemble a matrix.
///
/// Negative eigenvalues of ∂P/∂F are set to zero point by point. [`crate::body::Dilation::Mean`] adds one vector per cell, with three
/// numbers per node.
#[derive(Debug, Clone)]
pub struct Tangent {
    width: Width,
    /// Its buffers are used for products too.
    elastic: Elastic,
    /// Ĥ of the quadrature points of every pack, batch after batch.
    points: Vec<PointPack>,
    /// The vectors of mean dilation of every pack, batch after batch.
    means: Vec<NodePack>,
    /// Positions at the last [`Elasticity::mark`].
    marked: Vec<DVec3>,
}

/// A batch with its slices of the buffers.
struct BatchSlice<'a> {
    batch: RestBatch<'a>,
    points: &'a mut [PointPack],
    means: &'a mut [NodePack],
    cells: &'a mut [DVec3],
    numbers: &'a mut [Pack],
}

impl Tangent {
    /// Buffers for a body of this model, marked at rest. The stiffness is zero until it is linearised.
    pub fn new(model: &Model, width: Width) -> Self {
        let points = model.batches().iter().map(point_count).sum();
        Self {
            width,
            elastic: Elastic::new(model, width),
            points: vec![[[0.0; LANES]; POINT]; points],
            means: vec![[[0.0; LANES]; 3]; model.batches().iter().map(mean_count).sum()],
            marked: model.mesh().nodes.clone(),
        }
    }
}

impl Elasticity for Tangent {
    fn forces(&mut self, rest: RestShape<'_>, x: &[DVec3], forces: &mut [DVec3]) -> f64 {
        self.elastic.forces(rest, x, forces)
    }

    fn linearise(&mut self, rest: RestShape<'_>, x: &[DVec3]) {
        for BatchSlice { batch, points, means, .. } in
            parts(rest, (&mut self.points, &mut self.means), &mut self.elastic)
        {
            tangent::linearise(self.width, batch, x, (points, means));
        }
    }

    fn apply(&mut self, rest: RestShape<'_>, d: &[DVec3], product: &mut [DVec3]) {
        for BatchSlice { batch, points, means, cells, .. } in
            parts(rest, (&mut self.points, &mut self.means), &mut self.elastic)
        {
            tangent::product(self.width, &batch, BatchStiffness { points, means }, d, cells);
        }
        self.elastic.gather.sum(&self.elastic.cell_forces, product);
    }

    fn blocks(&mut self, rest: RestShape<'_>, blocks: &mut CellBlocks) {
        let mut blocks = &mut blocks.blocks[..];
        for BatchSlice { batch, points, means, .. } in
            parts(rest, (&mut self.points, &mut self.means), &mut self.elastic)
        {
            let own = take(&mut blocks, batch.cells.len() * pair_count(&batch));
            tangent::blocks(self.width, &batch, BatchStiffness { points, means }, own);
        }
    }

    fn diagonal(&mut self, rest: RestShape<'_>, diagonal: &mut [f64]) {
        for BatchSlice { batch, points, means, cells, .. } in
            parts(rest, (&mut self.points, &mut self.means), &mut self.elastic)
        {
            tangent::diagonal(self.width, &batch, BatchStiffness { points, means }, cells);
        }
        let entries = &self.elastic.cell_forces;
        self.elastic.gather.each(diagonal, |sum, slots| {
            let of_cells = slots.iter().map(|slot| entries[*slot as usize].element_sum());
            *sum += of_cells.sum::<f64>() / 3.0;
        });
    }

    fn change(&mut self, rest: RestShape<'_>, x: &[DVec3]) -> f64 {
        let marked = &self.marked;
        for BatchSlice { batch, numbers, .. } in
            parts(rest, (&mut self.points, &mut self.means), &mut self.elastic)
        {
            tangent::change(self.width, batch, x, marked, numbers);
        }
        let changes = self.elastic.energies.iter().flatten();
        let known = |change: &f64| if change.is_nan() { f64::INFINITY } else { *change };
        changes.map(known).fold(0.0, f64::max)
    }

    fn mark(&mut self, _model: &Model, x: &[DVec3]) {
        self.marked.copy_from_slice(x);
    }

    fn save(&self, to: &mut Writer) {
        to.vectors(&self.marked);
    }

    fn load(
        &mut self,
        _model: &Model,
        _unknowns: &Unknowns,
        from: &mut Reader<'_>,
    ) -> Result<(), SnapshotError> {
        // The stiffness is always linearised before it is read, except before the first step, where it is zero.
        self.points.fill([[0.0; LANES]; POINT]);
        self.means.fill([[0.0; LANES]; 3]);
        from.vectors(&mut self.marked)
    }

    fn boxed_clone(&self) -> Box<dyn Elasticity> {
        Box::new(self.clone())
    }
}

/// Every batch of a model with its slices of the buffers.
fn parts<'a>(
    rest: RestShape<'a>,
    (mut points, mut means): (&'a mut [PointPack], &'a mut [NodePack]),
    elastic: &'a mut Elastic,
) -> impl Iterator<Item = BatchSlice<'a>> {
    let mut values = &mut elastic.cell_forces[..];
    let mut numbers = &mut elastic.energies[..];
    rest.rest_batches().map(move |batch| BatchSlice {
        batch,
        points: take(&mut points, point_count(&batch)),
        means: take(&mut means, mean_count(&batch)),
        cells: take(&mut values, batch_value_count(&batch)),
        numbers: take(&mut numbers, batch.pack_count()),
    })
}

/// Splits off the first `count` items of a buffer.
fn take<'a, T>(buffer: &mut &'a mut [T], count: usize) -> &'a mut [T] {
    buffer.split_off_mut(..count).expect("the buffers were made for this model")
}

/// Quadrature points of all packs of a batch.
fn point_count(batch: &Batch) -> usize {
    batch.pack_count() * batch.point_count()
}

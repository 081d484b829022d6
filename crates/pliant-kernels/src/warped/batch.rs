//! Kernel data and drivers for a batch of corotated or linear cells.

use std::ops::Range;

use glam::DVec3;

use crate::element::{CellShape, Kind};
use crate::lanes::tasks::{PackRows, TaskRows, for_each_task};
use crate::lanes::{Batch, BlockWriter, Kernel, PackBuffer, RestBatch, Width, pair_count};
use crate::material::LawKind;
use crate::math::{LANES, Lanes, Mat3, Pack, SingleNode};

use super::Rotation;
use super::blocks::{BlockKernel, QuadratureBlocks, StraightBlocks};
use super::kernel::{PackKernel, Quadrature, Straight, Task};
use super::partition::Partition;
use super::products::Products;
use super::rest::{CornerFrame, STRAIGHT, VOLUME, straight_rest};
use super::single_stored::SingleStored;
use super::stored::{Stored, StoredBlocks, StoredKernel};
use super::tiles::Tiles;

/// Precomputed data of a batch of corotated or linear cells.
#[derive(Debug, Clone)]
pub struct WarpedBatch {
    scheme: Scheme,
    /// Number of rotations stored per pack.
    rotations: usize,
    /// True if the law is linear, so that cells never rotate.
    fixed: bool,
    /// True if rotations are computed by QR from edges, which is cheap.
    by_edges: bool,
    /// The free midpoints of straight quadratic cells.
    partition: Option<Partition>,
    /// Products of curved quadratic cells in single precision.
    single: Option<Box<SingleStored>>,
    tiles: Tiles,
}

#[derive(Debug, Clone)]
enum Scheme {
    Linear(Box<Products<4, 1>>, Vec<[Pack; STRAIGHT]>),
    Quadratic(Box<Products<10, 4>>, Vec<[Pack; STRAIGHT]>),
    Cubic(Box<Products<20, 10>>, Vec<[Pack; STRAIGHT]>),
    /// With the corner frame of the cells, if each cell has one rotation.
    Quadrature(Option<CornerFrame>),
    /// Partly filled cells with a stored stiffness.
    Stored(Box<Stored>),
}

/// The masses of the cells of a batch.
#[derive(Clone, Copy)]
pub struct CellMasses<'a> {
    /// The density of every cell, in kg/m³, or none.
    pub densities: &'a [f64],
    /// Computes ∫ ρ B_a B_b dX of every pair of nodes, in kg: for each cell those of (a, b), a ≥ b.
    pub of_pairs: &'a dyn Fn() -> Vec<f64>,
}

impl std::fmt::Debug for CellMasses<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("CellMasses").field("densities", &self.densities).finish_non_exhaustive()
    }
}

/// The input and output of a task on all packs of a batch.
#[derive(Debug)]
pub struct WarpedJob<'a> {
    /// The batch, with the present rest points.
    pub batch: RestBatch<'a>,
    /// The width of the kernels.
    pub width: Width,
    /// Positions of all nodes, or displacements.
    pub x: &'a [DVec3],
    /// The factor of the consistent masses in a product, for batches with [`WarpedBatch::has_masses`]; otherwise zero.
    pub inertia: f64,
    /// Receives the sums of every tile, [`WarpedBatch::sum_count`] in total.
    pub sums: &'a mut [DVec3],
    /// Receives one number per cell: energy or change, depending on the task.
    pub numbers: &'a mut [Pack],
    /// The rotations, [`WarpedBatch::rotations`] per pack.
    pub rotations: &'a mut [[Pack; 9]],
}

impl WarpedBatch {
    /// Prepares a batch with rest positions `x_rest`; `stored` for partly filled cells.
    pub fn new(
        x_rest: &[DVec3],
        (batch, masses): (RestBatch<'_>, CellMasses<'_>),
        rotation: Rotation,
        stored: Option<Stored>,
    ) -> Self {
        let per_cell = Self::turns_by_cell(&batch, rotation);
        let products = per_cell && batch.straight && batch.kind.shape() == CellShape::Tetrahedron;
        let scheme = match (stored, batch.kind) {
            (Some(stored), _) => Scheme::Stored(Box::new(stored)),
            (None, Kind::Tet4) if products => {
                Scheme::Linear(Box::new(Products::new(batch.kind)), straight_rest(x_rest, batch))
            }
            (None, Kind::Tet10) if products => {
                Scheme::Quadratic(Box::new(Products::new(batch.kind)), straight_rest(x_rest, batch))
            }
            (None, Kind::Tet20) if products => {
                Scheme::Cubic(Box::new(Products::new(batch.kind)), straight_rest(x_rest, batch))
            }
            _ => Scheme::Quadrature(per_cell.then(|| CornerFrame::new(x_rest, &batch))),
        };
        let rotations = if per_cell { 1 } else { batch.point_count() };
        let tiles = Tiles::new(&batch);
        let partition = match &scheme {
            Scheme::Quadratic(_, rest) => {
                let volume = |cell: usize| rest[cell / LANES][VOLUME][cell % LANES];
                let mass = |(cell, density): (usize, &f64)| density * volume(cell) / 210.0;
                let masses = masses.densities.iter().enumerate().map(mass).collect();
                Some(Partition::new(&batch, &tiles, masses))
            }
            _ => None,
        };
        let (fixed, by_edges) = (batch.law == LawKind::Linear, rotation == Rotation::Edges);
        let is_curved = matches!(scheme, Scheme::Quadrature(Some(_)));
        let has_single = is_curved && SingleStored::suits(&batch);
        let single = has_single.then(|| Box::new(SingleStored::new(batch, &(masses.of_pairs)())));
        Self { scheme, rotations, fixed, by_edges, partition, single, tiles }
    }

    /// True if cells of such a batch, with one rotation for each, have products in single precision.
    pub fn suits_single(batch: &Batch) -> bool {
        let is_straight = batch.kind == Kind::Tet10 && batch.straight && !batch.plastic;
        is_straight || SingleStored::suits(batch)
    }

    /// Returns true if each cell has one rotation. With plastic flow the rotation is that of Fᵉ, which the corners
    /// alone do not determine.
    pub fn turns_by_cell(batch: &Batch, rotation: Rotation) -> bool {
        rotation != Rotation::Point || (batch.point_count() == 1 && !batch.plastic)
    }

    /// Returns the number of rotations per pack.
    pub fn rotations(&self) -> usize {
        self.rotations
    }

    /// True if the law is linear, so that cells never rotate.
    pub fn is_fixed(&self) -> bool {
        self.fixed
    }

    /// Returns true if rotations are computed from those of the last step.
    pub fn guesses(&self) -> bool {
        !self.fixed && !self.by_edges
    }

    /// Returns the number of sums in all tiles.
    pub fn sum_count(&self) -> usize {
        self.tiles.value_count()
    }

    /// Calls `visit(node, slot)` for every sum, with slots starting at `base`.
    pub fn for_each_sum(&self, base: usize, visit: &mut dyn FnMut(usize, u32)) {
        self.tiles.for_each_slot(base, visit);
    }

    /// Returns true if midpoints may be tied to the ends of their edges.
    pub fn folds_ties(&self) -> bool {
        self.partition.is_some()
    }

    /// Returns true if products can contain the consistent masses.
    pub fn has_masses(&self) -> bool {
        self.partition.as_ref().is_some_and(Partition::has_masses)
    }

    /// Returns true if some cells have only tied midpoints, and so are linear.
    pub fn has_linear(&self) -> bool {
        self.active_partition().is_some()
    }

    /// Sorts the cells by their free midpoints.
    pub fn follow_ties(&mut self, batch: &Batch, is_free: &(dyn Fn(u32) -> bool + Sync)) {
        if let Some(partition) = &mut self.partition {
            partition.update(batch, &self.tiles, is_free);
        }
    }

    /// Marks the rotations as changed.
    pub fn forget_rotations(&mut self) {
        if let Some(partition) = &mut self.partition {
            partition.forget_rotations();
        }
        if let Some(single) = &mut self.single {
            single.forget_rotations();
        }
    }

    /// Updates the rotations stored with quadratic cells.
    pub fn turn_packs(&mut self, rotations: &[[Pack; 9]]) {
        if let (Some(partition), Scheme::Quadratic(_, rest)) = (&mut self.partition, &self.scheme) {
            partition.turn(rest, rotations);
        }
        if let Some(single) = &mut self.single {
            single.turn(rotations);
        }
    }

    /// Returns the partition if some cells are linear.
    fn active_partition(&self) -> Option<&Partition> {
        self.partition.as_ref().filter(|partition| partition.has_linear())
    }

    /// Runs a task on all cells.
    pub fn run(&self, job: WarpedJob<'_>, task: Task) {
        let task = match (task, self.fixed) {
            (Task::Forces, true) => Task::LinearForces,
            _ => task,
        };
        let (batch, by_edges) = (job.batch, self.by_edges);
        match &self.scheme {
            Scheme::Linear(table, rest) => {
                self.packs(job, &Straight::<4, 1> { table, rest, task, by_edges });
            }
            Scheme::Quadratic(table, rest) => {
                if let (Task::Product, Some(partition)) = (task, &self.partition) {
                    let sums = (job.sums, self.tiles.stride);
                    return partition.products(job.width, (job.x, job.inertia), sums);
                }
                self.packs(job, &Straight::<10, 4> { table, rest, task, by_edges });
            }
            Scheme::Cubic(table, rest) => {
                self.packs(job, &Straight::<20, 10> { table, rest, task, by_edges });
            }
            Scheme::Quadrature(frame) => {
                let kernel = Quadrature { batch, frame: frame.as_ref(), task, by_edges };
                match batch.kind {
                    Kind::Tet4 => self.packs::<4>(job, &kernel),
                    Kind::Tet10 => self.packs::<10>(job, &kernel),
                    Kind::Tet20 => self.packs::<20>(job, &kernel),
                    Kind::Hex8 => self.packs::<8>(job, &kernel),
                    Kind::Hex27 => self.packs::<27>(job, &kernel),
                    Kind::Prism6 => self.packs::<6>(job, &kernel),
                    Kind::Pyramid5 => self.packs::<5>(job, &kernel),
                }
            }
            Scheme::Stored(stored) => {
                let kernel = StoredKernel { stored, task, by_edges };
                match batch.kind {
                    Kind::Hex8 => self.packs::<8>(job, &kernel),
                    _ => self.packs::<27>(job, &kernel),
                }
            }
        }
    }

    /// Runs a kernel on all packs of a batch.
    fn packs<const N: usize>(&self, job: WarpedJob<'_>, kernel: &impl PackKernel<N>) {
        let WarpedJob { batch, width, x, sums, numbers, rotations, .. } = job;
        let sums = TaskRows { values: sums, per_task: self.tiles.stride };
        let (numbers, rotations) =
            (PackRows::new(numbers, 1), PackRows::new(rotations, self.rotations));
        for_each_task(batch.pack_count(), (sums, (numbers, rotations)), &|packs, out| {
            self.task(kernel, (&batch, width, x), packs, out);
        });
    }

    fn task<const N: usize>(
        &self,
        kernel: &impl PackKernel<N>,
        (batch, width, x): (&Batch, Width, &[DVec3]),
        packs: Range<usize>,
        (sums, (numbers, rotations)): TileOutput<'_>,
    ) {
        let (sums, n) = (sums.values, batch.kind.node_count());
        sums.fill(DVec3::ZERO);
        let mut buffer = PackBuffer::new();
        for ((pack, number), rotations) in packs.zip(numbers.values).zip(rotations.packs()) {
            buffer.gather(batch.pack_nodes(pack), x);
            width.run(&mut OneWarpedPack { kernel, pack, rotations, buffer: &mut buffer });
            for lane in 0..batch.lanes_used(pack) {
                buffer.add_lane(lane, self.tiles.cell(pack * LANES + lane, n), sums);
            }
            *number = buffer.energy;
        }
    }

    /// Returns true if products can be computed in single precision.
    pub fn has_single(&self) -> bool {
        self.has_masses() || self.single.is_some()
    }

    /// Writes the sums of every tile of (K + `inertia` · M) d in single precision, with the rotations of the last
    /// [`WarpedBatch::turn_packs`]; only if the batch [`WarpedBatch::has_single`].
    pub fn products_single(
        &self,
        width: Width,
        (d, inertia): (&[SingleNode], f64),
        sums: &mut [SingleNode],
    ) {
        if let Some(partition) = &self.partition {
            partition.products_single(width, (d, inertia), (sums, self.tiles.stride));
        }
        if let Some(single) = &self.single {
            single.products(width, (d, inertia), (sums, &self.tiles));
        }
    }

    /// Writes the stiffness blocks (a, b), a ≤ b, of every cell, rotated to the world; for cells with only tied
    /// midpoints, only the blocks of their corners.
    pub fn blocks(
        &self,
        width: Width,
        batch: RestBatch<'_>,
        rotations: &[[Pack; 9]],
        blocks: &mut [Mat3],
    ) {
        let job = (width, batch, rotations);
        match &self.scheme {
            Scheme::Linear(table, rest) => {
                block_packs(job, blocks, &StraightBlocks { table, rest });
            }
            Scheme::Quadratic(table, rest) => match self.active_partition() {
                Some(partition) => {
                    partition.blocks((width, &batch, rotations), table, rest, blocks)
                }
                None => block_packs(job, blocks, &StraightBlocks { table, rest }),
            },
            Scheme::Cubic(table, rest) => {
                block_packs(job, blocks, &StraightBlocks { table, rest });
            }
            Scheme::Quadrature(frame) => quadrature_blocks(job, blocks, frame.is_none()),
            Scheme::Stored(stored) => block_packs(job, blocks, &StoredBlocks { stored }),
        }
    }
}

/// Writes the stiffness blocks of any cells, with one rotation for each or for each of their points.
pub(super) fn quadrature_blocks(job: BlockJob<'_>, blocks: &mut [Mat3], per_point: bool) {
    match job.1.kind {
        Kind::Tet4 => of_nodes::<4>(job, blocks, per_point),
        Kind::Tet10 => of_nodes::<10>(job, blocks, per_point),
        Kind::Tet20 => of_nodes::<20>(job, blocks, per_point),
        Kind::Hex8 => of_nodes::<8>(job, blocks, per_point),
        Kind::Hex27 => of_nodes::<27>(job, blocks, per_point),
        Kind::Prism6 => of_nodes::<6>(job, blocks, per_point),
        Kind::Pyramid5 => of_nodes::<5>(job, blocks, per_point),
    }
}

fn of_nodes<const N: usize>(job: BlockJob<'_>, blocks: &mut [Mat3], per_point: bool) {
    block_packs(job, blocks, &QuadratureBlocks::<N> { batch: job.1, per_point });
}

fn block_packs(
    (width, batch, rotations): BlockJob<'_>,
    blocks: &mut [Mat3],
    kernel: &impl BlockKernel,
) {
    let pairs = pair_count(&batch);
    let stride = rotations.len() / batch.pack_count().max(1);
    let out = PackRows::new(blocks, LANES * pairs);
    for_each_task(batch.pack_count(), out, &|packs, out: PackRows<'_, Mat3>| {
        for (pack, blocks) in packs.zip(out.packs()) {
            let rotations = &rotations[pack * stride..(pack + 1) * stride];
            let out = BlockWriter { blocks, pairs };
            width.run(&mut OneBlockPack { kernel, pack, rotations, out });
        }
    });
}

/// What blocks are computed from: a batch with its rotations, the same number for every pack.
pub(super) type BlockJob<'a> = (Width, RestBatch<'a>, &'a [[Pack; 9]]);

/// Sums of a tile, numbers of the cells of its packs, and their rotations.
type TileOutput<'a> = (TaskRows<'a, DVec3>, (PackRows<'a, Pack>, PackRows<'a, [Pack; 9]>));

/// A kernel on one pack.
struct OneWarpedPack<'a, K, const N: usize> {
    kernel: &'a K,
    pack: usize,
    rotations: &'a mut [[Pack; 9]],
    buffer: &'a mut PackBuffer<N>,
}

impl<K: PackKernel<N>, const N: usize> Kernel for OneWarpedPack<'_, K, N> {
    #[inline(always)]
    fn run<L: Lanes>(&mut self, lanes: L) {
        self.kernel.run(lanes, self.pack, self.rotations, self.buffer);
    }
}

/// A kernel that writes the blocks of one pack.
pub(super) struct OneBlockPack<'a, K> {
    pub(super) kernel: &'a K,
    pub(super) pack: usize,
    pub(super) rotations: &'a [[Pack; 9]],
    pub(super) out: BlockWriter<'a>,
}

impl<K: BlockKernel> Kernel for OneBlockPack<'_, K> {
    #[inline(always)]
    fn run<L: Lanes>(&mut self, lanes: L) {
        self.kernel.run(lanes, self.pack, self.rotations, &mut self.out);
    }
}

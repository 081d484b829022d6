//! Warped stiffness: a constant stiffness that turns with the cell.
//!
//! ```text
//! f = −R K (Rᵀ x − X)        ∂f/∂x ≈ −R K Rᵀ
//! ```
//!
//! Müller & Gross 2004; with one rotation per cell for every degree Bargteil & Cohen 2014, section
//! 3.2; with one per quadrature point Mezger et al. 2007, section 4.3. K is stored for cells with
//! contents alone: straight tetrahedra multiply by it through products of Bernstein gradients, other
//! cells by quadrature, both from the rest data of a cell alone.

mod blocks;
mod hierarchy;
mod kernel;
mod partition;
mod products;
mod rest;
mod snapshot;
mod stored;
mod tiles;

use fearless_simd::dispatch;
use glam::DVec3;
use rayon::prelude::*;

use crate::body::{Batch, Model, Unknowns};
use crate::element::{CellShape, Kind};
use crate::force::gather::Gather;
use crate::force::kernel::PackBuffer;
use crate::force::packs::{FEW_PACKS, PACKS_PER_TASK};
use crate::force::{CellBlocks, Elasticity, Width, pair_count, pair_index};
use crate::material::LawKind;
use crate::math::{LANES, Mat3, One, Pack, Wide};
use crate::persist::{Reader, SnapshotError, Writer};

use blocks::{BlockKernel, BlockWriter, QuadratureBlocks, StraightBlocks};
use kernel::{PackKernel, Quadrature, Straight, Task};
use partition::Partition;
use products::Products;
use rest::{CornerFrame, STRAIGHT, straight_rest};
use stored::{Stored, StoredBlocks, StoredKernel};
use tiles::Tiles;

/// Where a corotated cell measures its rotation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Rotation {
    /// Once, from its corners (Bargteil & Cohen 2014, section 3.2.2).
    #[default]
    Cell,
    /// At every quadrature point (Mezger et al. 2007, section 4.3).
    Point,
    /// Once, from its averaged edges, the first kept in direction and the second in its plane (Nesme et
    /// al. 2006, section 4.1): cheap, and the same through flat and inverted cells, but not the same for
    /// all axes.
    Edges,
}

impl Rotation {
    /// All.
    pub const ALL: [Self; 3] = [Self::Cell, Self::Point, Self::Edges];

    /// The name in scene files.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Cell => "cell",
            Self::Point => "point",
            Self::Edges => "edges",
        }
    }
}

/// Forces of corotated and linear cells, and their stiffness.
#[derive(Debug, Clone)]
pub struct Warped {
    width: Width,
    groups: Vec<Group>,
    /// Rotations of every pack, batch after batch.
    rotations: Vec<[Pack; 9]>,
    /// Sums of the tiles of every batch.
    sums: Vec<DVec3>,
    /// One number of every cell: its energy, or how much it changed.
    cell_numbers: Vec<Pack>,
    gather: Gather,
    /// Where the cells were when a change was last counted from.
    marked: Vec<DVec3>,
    /// The rotations that they had there.
    marked_rotations: Vec<[Pack; 9]>,
    moves: Vec<DVec3>,
    diagonal: Vec<f64>,
    /// Version of the unknowns whose ties the groups know.
    ties: Option<u64>,
}

/// What is known of the cells of a batch besides the batch itself.
#[derive(Debug, Clone)]
struct Group {
    scheme: Scheme,
    /// Rotations stored for a pack.
    rotations: usize,
    /// Whether the cells are linear and never turn.
    fixed: bool,
    /// Whether rotations are measured the cheap way.
    by_edges: bool,
    /// Which midpoints of straight quadratic cells are free.
    partition: Option<Partition>,
    tiles: Tiles,
}

#[derive(Debug, Clone)]
enum Scheme {
    Linear(Box<Products<4, 1>>, Vec<[Pack; STRAIGHT]>),
    Quadratic(Box<Products<10, 4>>, Vec<[Pack; STRAIGHT]>),
    Cubic(Box<Products<20, 10>>, Vec<[Pack; STRAIGHT]>),
    /// With the frame of a cell, if it has one rotation.
    Quadrature(Option<CornerFrame>),
    /// Cells that know what is inside them.
    Stored(Box<Stored>),
}

impl Warped {
    /// Whether all materials of a model are corotated or linear.
    pub fn suits(model: &Model) -> bool {
        let suits = |law| matches!(law, LawKind::Corotated | LawKind::Linear);
        model.batches().iter().all(|batch| suits(batch.law))
    }

    /// Buffers for bodies of this model, whose materials are corotated or linear.
    pub fn new(model: &Model, rotation: Rotation, width: Width) -> Self {
        let groups: Vec<Group> =
            model.batches().iter().map(|batch| Group::new(model, batch, rotation)).collect();
        let sizes = || model.batches().iter().zip(&groups);
        let count = sizes().map(|(batch, group)| batch.pack_count() * group.rotations).sum();
        let packs = model.batches().iter().map(Batch::pack_count).sum();
        let sum_count = groups.iter().map(|group| group.tiles.value_count()).sum();
        let mut warped = Self {
            width,
            rotations: vec![unit_pack(); count],
            sums: vec![DVec3::ZERO; sum_count],
            cell_numbers: vec![[0.0; LANES]; packs],
            gather: gather(model, &groups),
            marked: model.mesh().nodes.clone(),
            marked_rotations: vec![unit_pack(); count],
            moves: vec![DVec3::ZERO; model.mesh().nodes.len()],
            diagonal: Vec::new(),
            ties: None,
            groups,
        };
        // What it is made for, not when, decides: also a body that goes on where another was.
        warped.diagonal = warped.rest_diagonal(&model.unflowed());
        warped
    }

    /// tr K_aa/3 of every node. A rotation does not change it.
    fn rest_diagonal(&mut self, model: &Model) -> Vec<f64> {
        let mut blocks = CellBlocks::new(model);
        self.blocks(model, &mut blocks);
        let mut diagonal = vec![0.0; model.mesh().nodes.len()];
        for (index, batch) in model.batches().iter().enumerate() {
            for cell in 0..batch.cells.len() {
                let start = blocks.cell_start(index, batch, cell);
                for (a, lanes) in batch.pack_nodes(cell / LANES).iter().enumerate() {
                    let block = &blocks.blocks[start + pair_index(a, a)];
                    diagonal[lanes[cell % LANES] as usize] += block.trace() / 3.0;
                }
            }
        }
        diagonal
    }

    /// Lets all packs of quadratic cells know their rotations.
    fn turn_packs(&mut self, model: &Model) {
        let mut rotations = &self.rotations[..];
        for (batch, group) in model.batches().iter().zip(&mut self.groups) {
            let own;
            (own, rotations) = rotations.split_at(batch.pack_count() * group.rotations);
            if let (Some(partition), Scheme::Quadratic(_, rest)) =
                (&mut group.partition, &group.scheme)
            {
                partition.turn(rest, own);
            }
        }
    }

    /// Runs a task on all cells at positions (or moves) `x`.
    fn run(&mut self, model: &Model, x: &[DVec3], task: Task) {
        let (mut sums, mut numbers) = (&mut self.sums[..], &mut self.cell_numbers[..]);
        let mut rotations = &mut self.rotations[..];
        for (batch, group) in model.batches().iter().zip(&self.groups) {
            let packs = batch.pack_count();
            let job = Job {
                batch,
                width: self.width,
                x,
                tiles: &group.tiles,
                sums: sums.split_off_mut(..group.tiles.value_count()).expect("sized alike"),
                numbers: numbers.split_off_mut(..packs).expect("sized alike"),
                rotations: rotations.split_off_mut(..packs * group.rotations).expect("sized alike"),
            };
            let task = match (task, group.fixed) {
                (Task::Forces, true) => Task::LinearForces,
                _ => task,
            };
            group.run(job, task);
        }
    }
}

impl Elasticity for Warped {
    fn forces(&mut self, model: &Model, x: &[DVec3], forces: &mut [DVec3]) -> f64 {
        self.run(model, x, Task::Forces);
        self.groups
            .iter_mut()
            .filter_map(|group| group.partition.as_mut())
            .for_each(Partition::forget_rotations);
        self.gather.sum(&self.sums, forces);
        self.cell_numbers.iter().flatten().sum()
    }

    /// Nothing to be done: K turns with the rotations that the forces have found.
    fn linearise(&mut self, _: &Model, _: &[DVec3]) {}

    fn apply(&mut self, model: &Model, d: &[DVec3], product: &mut [DVec3]) {
        self.turn_packs(model);
        self.run(model, d, Task::Product);
        self.gather.sum(&self.sums, product);
    }

    fn blocks(&mut self, model: &Model, blocks: &mut CellBlocks) {
        let mut rotations = &self.rotations[..];
        for (index, (batch, group)) in model.batches().iter().zip(&self.groups).enumerate() {
            let own;
            (own, rotations) = rotations.split_at(batch.pack_count() * group.rotations);
            let range = blocks.batch_start[index]..blocks.batch_start[index + 1];
            blocks.corners_only[index] = group.active_partition().is_some();
            group.blocks(self.width, batch, own, &mut blocks.blocks[range]);
        }
    }

    fn diagonal(&mut self, _: &Model, diagonal: &mut [f64]) {
        diagonal.iter_mut().zip(&self.diagonal).for_each(|(sum, own)| *sum += own);
    }

    fn change(&mut self, model: &Model, x: &[DVec3]) -> f64 {
        let mut moves = std::mem::take(&mut self.moves);
        let steps = x.iter().zip(&self.marked).map(|(x, marked)| *x - *marked);
        moves.iter_mut().zip(steps).for_each(|(to, step)| *to = step);
        self.run(model, &moves, Task::Change);
        self.moves = moves;
        // A change that is no number counts as endless.
        let larger = |most: f64, change: &f64| {
            if change.is_nan() { f64::INFINITY } else { most.max(*change) }
        };
        self.cell_numbers.iter().flatten().fold(0.0, larger)
    }

    fn turned(&mut self, _: &Model, _: &[DVec3]) -> f64 {
        let pairs = self.rotations.iter().zip(&self.marked_rotations);
        let most = pairs.map(|(now, then)| most_turned(now, then)).fold(0.0, f64::max);
        // A sum is no number where a term is none, which the largest of all would not tell.
        let sound = self.rotations.as_flattened().as_flattened().iter().sum::<f64>().is_finite();
        if sound { most } else { f64::INFINITY }
    }

    fn mark(&mut self, _: &Model, x: &[DVec3]) {
        self.marked.copy_from_slice(x);
        self.marked_rotations.copy_from_slice(&self.rotations);
    }

    fn follow_ties(&mut self, model: &Model, unknowns: &Unknowns) {
        for (batch, group) in model.batches().iter().zip(&mut self.groups) {
            if let Some(partition) = &mut group.partition {
                partition.update(batch, &group.tiles, unknowns);
            }
        }
        self.ties = Some(unknowns.version());
    }

    fn folds_ties(&self, unknowns: &Unknowns) -> bool {
        let known = self.ties == Some(unknowns.version());
        known && self.groups.iter().all(|group| group.partition.is_some())
    }

    fn save(&self, to: &mut Writer) {
        self.save_memory(to);
    }

    fn load(
        &mut self,
        model: &Model,
        unknowns: &Unknowns,
        from: &mut Reader<'_>,
    ) -> Result<(), SnapshotError> {
        self.load_memory(model, unknowns, from)
    }

    fn boxed_clone(&self) -> Box<dyn Elasticity> {
        Box::new(self.clone())
    }
}

/// The largest sum of absolute values in a row of the difference of two rotations, of all lanes.
fn most_turned(now: &[Pack; 9], then: &[Pack; 9]) -> f64 {
    let mut most = 0.0_f64;
    for row in 0..3 {
        let mut sums = [0.0; LANES];
        for column in 0..3 {
            let (now, then) = (&now[3 * column + row], &then[3 * column + row]);
            for (sum, (now, then)) in sums.iter_mut().zip(now.iter().zip(then)) {
                *sum += (now - then).abs();
            }
        }
        most = sums.into_iter().fold(most, f64::max);
    }
    most
}

fn unit_pack() -> [Pack; 9] {
    let (o, i) = ([0.0; LANES], [1.0; LANES]);
    [i, o, o, o, i, o, o, o, i]
}

/// What a task works on.
struct Job<'a> {
    batch: &'a Batch,
    width: Width,
    x: &'a [DVec3],
    tiles: &'a Tiles,
    sums: &'a mut [DVec3],
    numbers: &'a mut [Pack],
    rotations: &'a mut [[Pack; 9]],
}

impl Group {
    fn new(model: &Model, batch: &Batch, rotation: Rotation) -> Self {
        let mesh = model.mesh();
        // Where matter flows, rotations are those of Fᵉ, which the corners do not know.
        let per_cell = rotation != Rotation::Point || (batch.point_count() == 1 && !batch.plastic);
        let products = per_cell && batch.straight && batch.kind.shape() == CellShape::Tetrahedron;
        // Sums over contents are known of boxes that nothing has flowed in.
        let contents = model.boxed_contents().filter(|_| per_cell && !batch.plastic);
        let stored = contents.map(|contents| Box::new(Stored::new(model, contents, batch)));
        let scheme = match (stored, batch.kind) {
            (Some(stored), _) => Scheme::Stored(stored),
            (None, Kind::Tet4) if products => {
                Scheme::Linear(Box::new(Products::new(batch.kind)), straight_rest(mesh, batch))
            }
            (None, Kind::Tet10) if products => {
                Scheme::Quadratic(Box::new(Products::new(batch.kind)), straight_rest(mesh, batch))
            }
            (None, Kind::Tet20) if products => {
                Scheme::Cubic(Box::new(Products::new(batch.kind)), straight_rest(mesh, batch))
            }
            _ => Scheme::Quadrature(per_cell.then(|| CornerFrame::new(mesh, batch))),
        };
        let rotations = if per_cell { 1 } else { batch.point_count() };
        let tiles = Tiles::new(batch);
        let quadratic = matches!(scheme, Scheme::Quadratic(..));
        let partition = quadratic.then(|| Partition::new(batch, &tiles));
        let (fixed, by_edges) = (batch.law == LawKind::Linear, rotation == Rotation::Edges);
        Self { scheme, rotations, fixed, by_edges, partition, tiles }
    }

    /// The partition, while some cells are linear.
    fn active_partition(&self) -> Option<&Partition> {
        self.partition.as_ref().filter(|partition| partition.has_linear())
    }

    fn run(&self, job: Job<'_>, task: Task) {
        let (batch, by_edges) = (job.batch, self.by_edges);
        match &self.scheme {
            Scheme::Linear(table, rest) => {
                self.packs(job, &Straight::<4, 1> { table, rest, task, by_edges });
            }
            Scheme::Quadratic(table, rest) => {
                if let (Task::Product, Some(partition)) = (task, &self.partition) {
                    return partition.products(job);
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

    /// Runs a kernel on all packs of a batch, on several threads if there are many.
    fn packs<const N: usize>(&self, job: Job<'_>, kernel: &impl PackKernel<N>) {
        let Job { batch, width, x, tiles, sums, numbers, rotations } = job;
        let stride = self.rotations;
        let work = |(tile, ((sums, numbers), rotations)): (usize, PackSlices<'_>)| {
            let packs = Packs { batch, width, x, tiles, first: tile * PACKS_PER_TASK };
            run_packs(kernel, packs, sums, numbers, rotations, stride);
        };
        if batch.pack_count() <= FEW_PACKS {
            sums.chunks_mut(tiles.stride)
                .zip(numbers.chunks_mut(PACKS_PER_TASK))
                .zip(rotations.chunks_mut(PACKS_PER_TASK * stride))
                .enumerate()
                .for_each(work);
        } else {
            sums.par_chunks_mut(tiles.stride)
                .zip(numbers.par_chunks_mut(PACKS_PER_TASK))
                .zip(rotations.par_chunks_mut(PACKS_PER_TASK * stride))
                .enumerate()
                .for_each(work);
        }
    }

    fn blocks(&self, width: Width, batch: &Batch, rotations: &[[Pack; 9]], blocks: &mut [Mat3]) {
        match &self.scheme {
            Scheme::Linear(table, rest) => {
                let kernel = StraightBlocks { table, rest };
                self.block_packs(width, batch, rotations, blocks, &kernel);
            }
            Scheme::Quadratic(table, rest) => {
                if let Some(partition) = self.active_partition() {
                    return partition.blocks((width, batch, rotations), table, rest, blocks);
                }
                let kernel = StraightBlocks { table, rest };
                self.block_packs(width, batch, rotations, blocks, &kernel);
            }
            Scheme::Cubic(table, rest) => {
                let kernel = StraightBlocks { table, rest };
                self.block_packs(width, batch, rotations, blocks, &kernel);
            }
            Scheme::Quadrature(frame) => {
                let per_point = frame.is_none();
                match batch.kind {
                    Kind::Tet4 => self.quadrature::<4>(width, batch, rotations, blocks, per_point),
                    Kind::Tet10 => {
                        self.quadrature::<10>(width, batch, rotations, blocks, per_point)
                    }
                    Kind::Tet20 => {
                        self.quadrature::<20>(width, batch, rotations, blocks, per_point)
                    }
                    Kind::Hex8 => self.quadrature::<8>(width, batch, rotations, blocks, per_point),
                    Kind::Hex27 => {
                        self.quadrature::<27>(width, batch, rotations, blocks, per_point)
                    }
                    Kind::Prism6 => {
                        self.quadrature::<6>(width, batch, rotations, blocks, per_point)
                    }
                    Kind::Pyramid5 => {
                        self.quadrature::<5>(width, batch, rotations, blocks, per_point);
                    }
                }
            }
            Scheme::Stored(stored) => {
                self.block_packs(width, batch, rotations, blocks, &StoredBlocks { stored });
            }
        }
    }

    fn quadrature<const N: usize>(
        &self,
        width: Width,
        batch: &Batch,
        rotations: &[[Pack; 9]],
        blocks: &mut [Mat3],
        per_point: bool,
    ) {
        let kernel = QuadratureBlocks::<N> { batch, per_point };
        self.block_packs(width, batch, rotations, blocks, &kernel);
    }

    fn block_packs(
        &self,
        width: Width,
        batch: &Batch,
        rotations: &[[Pack; 9]],
        blocks: &mut [Mat3],
        kernel: &impl BlockKernel,
    ) {
        let pairs = pair_count(batch);
        let stride = self.rotations;
        let work = |(task, blocks): (usize, &mut [Mat3])| {
            for (k, blocks) in blocks.chunks_mut(LANES * pairs).enumerate() {
                let pack = task * PACKS_PER_TASK + k;
                let rotations = &rotations[pack * stride..(pack + 1) * stride];
                run_blocks(
                    kernel,
                    width,
                    pack,
                    rotations,
                    &mut BlockWriter { blocks, pairs, first: 0 },
                );
            }
        };
        let size = PACKS_PER_TASK * LANES * pairs;
        if batch.pack_count() <= FEW_PACKS {
            blocks.chunks_mut(size).enumerate().for_each(work);
        } else {
            blocks.par_chunks_mut(size).enumerate().for_each(work);
        }
    }
}

/// Sums of a tile, numbers of the cells of its packs, and their rotations.
type PackSlices<'a> = ((&'a mut [DVec3], &'a mut [Pack]), &'a mut [[Pack; 9]]);

/// Which packs to run, and on what.
struct Packs<'a> {
    batch: &'a Batch,
    width: Width,
    x: &'a [DVec3],
    tiles: &'a Tiles,
    first: usize,
}

fn run_packs<const N: usize>(
    kernel: &impl PackKernel<N>,
    packs: Packs<'_>,
    sums: &mut [DVec3],
    numbers: &mut [Pack],
    rotations: &mut [[Pack; 9]],
    stride: usize,
) {
    sums.fill(DVec3::ZERO);
    let mut buffer = PackBuffer::new();
    for (k, (number, rotations)) in numbers.iter_mut().zip(rotations.chunks_mut(stride)).enumerate()
    {
        let pack = packs.first + k;
        let nodes = packs.batch.pack_nodes(pack).first_chunk().expect("N nodes a cell");
        buffer.gather(nodes, packs.x);
        match packs.width {
            Width::One => {
                (0..LANES).for_each(|lane| kernel.run(One(lane), pack, rotations, &mut buffer));
            }
            Width::Packs(level) => {
                dispatch!(level, simd => kernel.run(Wide(simd), pack, rotations, &mut buffer));
            }
        }
        for lane in 0..packs.batch.lanes_used(pack) {
            buffer.add_lane(lane, packs.tiles.cell::<N>(pack * LANES + lane), sums);
        }
        *number = buffer.energy;
    }
}

/// Where every node finds its sums.
fn gather(model: &Model, groups: &[Group]) -> Gather {
    Gather::of_slots(model.mesh().nodes.len(), |visit| {
        let mut base = 0;
        for group in groups {
            group.tiles.for_each_slot(base, visit);
            base += group.tiles.value_count();
        }
    })
}

fn run_blocks(
    kernel: &impl BlockKernel,
    width: Width,
    pack: usize,
    rotations: &[[Pack; 9]],
    writer: &mut BlockWriter<'_>,
) {
    match width {
        Width::One => run_blocks_one(kernel, pack, rotations, writer),
        Width::Packs(level) => {
            dispatch!(level, simd => kernel.run(Wide(simd), pack, rotations, writer));
        }
    }
}

/// Lane by lane, each writing its own cell.
fn run_blocks_one(
    kernel: &impl BlockKernel,
    pack: usize,
    rotations: &[[Pack; 9]],
    writer: &mut BlockWriter<'_>,
) {
    let pairs = writer.pairs;
    for (lane, blocks) in writer.blocks.chunks_mut(pairs).enumerate() {
        kernel.run(One(lane), pack, rotations, &mut BlockWriter { blocks, pairs, first: lane });
    }
}

//! Quadratic cells without a free midpoint, worked on as the linear cells they are.

use fearless_simd::dispatch;
use glam::DVec3;
use rayon::prelude::*;

use crate::body::{Batch, Unknowns};
use crate::element::Kind;
use crate::force::kernel::PackBuffer;
use crate::force::packs::FEW_PACKS;
use crate::force::{Width, pair_count};
use crate::math::{LANES, Mat3, One, Pack, Wide};

use super::Job;
use super::blocks::{BlockKernel, BlockWriter, StraightBlocks};
use super::kernel::{PackKernel, Straight, Task};
use super::products::Products;
use super::rest::STRAIGHT;
use super::tiles::TILE;

/// Corner pairs of a cell: the first of its blocks.
const CORNER_PAIRS: usize = 10;

/// Which cells of a batch are quadratic now.
///
/// Every task owns a run of cells and packs those of either degree together anew, so that the eight
/// lanes of a pack do the same work.
#[derive(Debug, Clone)]
pub(super) struct Partition {
    /// Cells of every task: the quadratic ones, then the linear ones.
    cells: Vec<u32>,
    /// How many cells of each task are quadratic.
    quadratic: Vec<u32>,
    table: Box<Products<4, 1>>,
    linear_count: usize,
}

/// Cells packed anew, with all that their kernels read.
struct Repacked {
    cells: [u32; LANES],
    used: usize,
    nodes: [[u32; LANES]; 10],
    rest: [[Pack; STRAIGHT]; 1],
    rotations: [[Pack; 9]; 1],
}

impl Repacked {
    fn new() -> Self {
        Self {
            cells: [0; LANES],
            used: 0,
            nodes: [[0; LANES]; 10],
            rest: [[[0.0; LANES]; STRAIGHT]],
            rotations: [[[0.0; LANES]; 9]],
        }
    }

    /// Takes up to [`LANES`] cells; empty lanes repeat the first.
    fn take(
        &mut self,
        cells: &[u32],
        batch: &Batch,
        rest: &[[Pack; STRAIGHT]],
        rotations: &[[Pack; 9]],
        corners_only: bool,
    ) {
        self.used = cells.len();
        let node_count = if corners_only { 4 } else { 10 };
        for lane in 0..LANES {
            let cell = cells[if lane < self.used { lane } else { 0 }] as usize;
            let (pack, from) = (cell / LANES, cell % LANES);
            self.cells[lane] = cell as u32;
            let nodes = &batch.pack_nodes(pack)[..node_count];
            for (to, node) in self.nodes.iter_mut().zip(nodes) {
                to[lane] = node[from];
            }
            for (to, number) in self.rest[0].iter_mut().zip(&rest[pack]) {
                to[lane] = number[from];
            }
            for (to, number) in self.rotations[0].iter_mut().zip(&rotations[pack]) {
                to[lane] = number[from];
            }
        }
    }
}

impl Partition {
    /// All cells quadratic.
    pub(super) fn new(batch: &Batch) -> Self {
        let count = batch.cells.len();
        let tasks = count.div_ceil(TILE);
        let sizes = (0..tasks).map(|task| (count - task * TILE).min(TILE));
        Self {
            cells: (0..count as u32).collect(),
            quadratic: sizes.map(|size| size as u32).collect(),
            table: Box::new(Products::new(Kind::Tet4)),
            linear_count: 0,
        }
    }

    /// Whether there are linear cells.
    pub(super) fn has_linear(&self) -> bool {
        self.linear_count > 0
    }

    /// Sorts the cells anew.
    pub(super) fn update(&mut self, batch: &Batch, unknowns: &Unknowns) {
        self.linear_count = 0;
        let is_linear = |cell: usize| {
            let mut middles = batch.pack_nodes(cell / LANES)[4..].iter();
            middles.all(|node| unknowns.ends(node[cell % LANES]).is_some())
        };
        for (task, cells) in self.cells.chunks_mut(TILE).enumerate() {
            let first = task * TILE;
            let (mut front, mut back) = (0, cells.len());
            for cell in first..first + cells.len() {
                if is_linear(cell) {
                    back -= 1;
                    cells[back] = cell as u32;
                } else {
                    cells[front] = cell as u32;
                    front += 1;
                }
            }
            self.quadratic[task] = front as u32;
            self.linear_count += cells.len() - front;
        }
    }

    /// K d of all cells.
    pub(super) fn products(
        &self,
        job: Job<'_>,
        table: &Products<10, 4>,
        rest: &[[Pack; STRAIGHT]],
    ) {
        let Job { batch, width, x, sums, rotations, tiles, .. } = job;
        let rotations = &*rotations;
        let work = |(task, sums): (usize, &mut [DVec3])| {
            sums.fill(DVec3::ZERO);
            let mut packed = Repacked::new();
            let (quadratic, linear) = self.task(task);
            let mut buffer = PackBuffer::<10>::new();
            for cells in quadratic.chunks(LANES) {
                packed.take(cells, batch, rest, rotations, false);
                buffer.gather(&packed.nodes, x);
                let kernel = Straight { table, rest: &packed.rest, task: Task::Product };
                run(&kernel, width, &mut packed.rotations, &mut buffer);
                for (lane, cell) in packed.cells[..packed.used].iter().enumerate() {
                    buffer.add_lane(lane, tiles.cell::<10>(*cell as usize), sums);
                }
            }
            let mut buffer = PackBuffer::<4>::new();
            for cells in linear.chunks(LANES) {
                packed.take(cells, batch, rest, rotations, true);
                let nodes = packed.nodes.first_chunk().expect("four corners");
                buffer.gather(nodes, x);
                let table = &*self.table;
                let kernel = Straight { table, rest: &packed.rest, task: Task::Product };
                run(&kernel, width, &mut packed.rotations, &mut buffer);
                for (lane, cell) in packed.cells[..packed.used].iter().enumerate() {
                    buffer.add_lane(lane, &tiles.cell::<10>(*cell as usize)[..4], sums);
                }
            }
        };
        if batch.pack_count() <= FEW_PACKS {
            sums.chunks_mut(tiles.stride).enumerate().for_each(work);
        } else {
            sums.par_chunks_mut(tiles.stride).enumerate().for_each(work);
        }
    }

    /// Blocks of all cells; of linear ones those of their corners alone.
    pub(super) fn blocks(
        &self,
        (width, batch, rotations): (Width, &Batch, &[[Pack; 9]]),
        table: &Products<10, 4>,
        rest: &[[Pack; STRAIGHT]],
        blocks: &mut [Mat3],
    ) {
        let pairs = pair_count(batch);
        let work = |(task, blocks): (usize, &mut [Mat3])| {
            let (first, mut packed) = (task * TILE, Repacked::new());
            let (quadratic, linear) = self.task(task);
            let mut room = [Mat3::ZERO; LANES * 55];
            for cells in quadratic.chunks(LANES) {
                packed.take(cells, batch, rest, rotations, false);
                let kernel = StraightBlocks { table, rest: &packed.rest };
                run_blocks(&kernel, width, &packed, &mut room, pairs);
                for (own, cell) in room.chunks(pairs).zip(&packed.cells[..packed.used]) {
                    let start = (*cell as usize - first) * pairs;
                    blocks[start..start + pairs].copy_from_slice(own);
                }
            }
            for cells in linear.chunks(LANES) {
                packed.take(cells, batch, rest, rotations, true);
                let kernel = StraightBlocks { table: &*self.table, rest: &packed.rest };
                run_blocks(&kernel, width, &packed, &mut room, CORNER_PAIRS);
                for (own, cell) in room.chunks(CORNER_PAIRS).zip(&packed.cells[..packed.used]) {
                    let start = (*cell as usize - first) * pairs;
                    blocks[start..start + CORNER_PAIRS].copy_from_slice(own);
                }
            }
        };
        if batch.pack_count() <= FEW_PACKS {
            blocks.chunks_mut(TILE * pairs).enumerate().for_each(work);
        } else {
            blocks.par_chunks_mut(TILE * pairs).enumerate().for_each(work);
        }
    }

    /// Quadratic and linear cells of a task.
    fn task(&self, task: usize) -> (&[u32], &[u32]) {
        let first = task * TILE;
        let end = (first + TILE).min(self.cells.len());
        self.cells[first..end].split_at(self.quadratic[task] as usize)
    }
}

fn run<const N: usize>(
    kernel: &impl PackKernel<N>,
    width: Width,
    rotations: &mut [[Pack; 9]],
    buffer: &mut PackBuffer<N>,
) {
    match width {
        Width::One => (0..LANES).for_each(|lane| kernel.run(One(lane), 0, rotations, buffer)),
        Width::Packs(level) => {
            dispatch!(level, simd => kernel.run(Wide(simd), 0, rotations, buffer));
        }
    }
}

fn run_blocks(
    kernel: &impl BlockKernel,
    width: Width,
    packed: &Repacked,
    room: &mut [Mat3; LANES * 55],
    pairs: usize,
) {
    let room = &mut room[..packed.used * pairs];
    match width {
        Width::One => {
            for (lane, blocks) in room.chunks_mut(pairs).enumerate() {
                let mut writer = BlockWriter { blocks, pairs, first: lane };
                kernel.run(One(lane), 0, &packed.rotations, &mut writer);
            }
        }
        Width::Packs(level) => {
            let mut writer = BlockWriter { blocks: room, pairs, first: 0 };
            dispatch!(level, simd => kernel.run(Wide(simd), 0, &packed.rotations, &mut writer));
        }
    }
}

//! Quadratic cells sorted by which of their midpoints are free.

use fearless_simd::dispatch;
use glam::DVec3;
use rayon::prelude::*;

use crate::body::{Batch, Unknowns};
use crate::element::Kind;
use crate::force::kernel::PackBuffer;
use crate::force::packs::{FEW_PACKS, PACKS_PER_TASK};
use crate::force::{Width, pair_count};
use crate::math::{LANES, Mat3, One, Pack, Wide};

use super::Job;
use super::blocks::{BlockKernel, BlockWriter, StraightBlocks};
use super::hierarchy::{Packed, Pattern, patterns};
use super::products::Products;
use super::rest::STRAIGHT;
use super::tiles::{TILE, Tiles};

/// Corner pairs of a cell: the first of its blocks.
const CORNER_PAIRS: usize = 10;

/// Which edges of the cells of a batch are free now.
///
/// Every task owns a run of cells and packs those with the same free edges together, so that the
/// eight lanes of a pack do the same work.
#[derive(Debug, Clone)]
pub(super) struct Partition {
    /// Cells of every task: the linear ones, then the others, pattern after pattern.
    cells: Vec<u32>,
    /// How many cells of each task are linear.
    linear: Vec<u32>,
    /// Free edges of every cell, bit by bit.
    free: Vec<u8>,
    patterns: Box<[Pattern; 64]>,
    packs: Vec<Packed>,
    /// Whether the packs know the rotations.
    turned: bool,
    table: Box<Products<4, 1>>,
    linear_count: usize,
}

/// Cells packed anew, with all that blocks are made of.
struct Repacked {
    cells: [u32; LANES],
    used: usize,
    rest: [[Pack; STRAIGHT]; 1],
    rotations: [[Pack; 9]; 1],
}

impl Repacked {
    fn new() -> Self {
        Self {
            cells: [0; LANES],
            used: 0,
            rest: [[[0.0; LANES]; STRAIGHT]],
            rotations: [[[0.0; LANES]; 9]],
        }
    }

    /// Takes up to [`LANES`] cells; empty lanes repeat the first.
    fn take(&mut self, cells: &[u32], rest: &[[Pack; STRAIGHT]], rotations: &[[Pack; 9]]) {
        self.used = cells.len();
        for lane in 0..LANES {
            let cell = cells[if lane < self.used { lane } else { 0 }] as usize;
            let (pack, from) = (cell / LANES, cell % LANES);
            self.cells[lane] = cell as u32;
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
    pub(super) fn new(batch: &Batch, tiles: &Tiles) -> Self {
        let count = batch.cells.len();
        let mut partition = Self {
            cells: (0..count as u32).collect(),
            linear: vec![0; count.div_ceil(TILE)],
            free: vec![ALL; count],
            patterns: patterns(),
            packs: vec![Packed::new(); batch.pack_count()],
            turned: false,
            table: Box::new(Products::new(Kind::Tet4)),
            linear_count: 0,
        };
        partition.for_each_task(true, |mut task| task.pack(batch, tiles));
        partition
    }

    /// Whether there are linear cells.
    pub(super) fn has_linear(&self) -> bool {
        self.linear_count > 0
    }

    /// Sorts the cells anew.
    pub(super) fn update(&mut self, batch: &Batch, tiles: &Tiles, unknowns: &Unknowns) {
        let few = batch.pack_count() <= FEW_PACKS;
        self.for_each_task(few, |mut task| {
            if task.look(batch, unknowns) {
                task.sort();
                task.pack(batch, tiles);
            }
        });
        self.linear_count = self.linear.iter().map(|count| *count as usize).sum();
        self.turned = false;
    }

    fn for_each_task(&mut self, few: bool, work: impl Fn(TaskCells<'_>) + Sync) {
        let patterns = &*self.patterns;
        let call = |(index, (((cells, free), packs), linear)): (usize, TaskSlices<'_>)| {
            work(TaskCells { first: index * TILE, cells, free, packs, linear, patterns });
        };
        if few {
            let cells = self.cells.chunks_mut(TILE).zip(self.free.chunks_mut(TILE));
            let packs = self.packs.chunks_mut(PACKS_PER_TASK);
            cells.zip(packs).zip(&mut self.linear).enumerate().for_each(call);
        } else {
            let cells = self.cells.par_chunks_mut(TILE).zip(self.free.par_chunks_mut(TILE));
            let packs = self.packs.par_chunks_mut(PACKS_PER_TASK);
            cells.zip(packs).zip(&mut self.linear).enumerate().for_each(call);
        }
    }

    /// The rotations have changed.
    pub(super) fn forget_rotations(&mut self) {
        self.turned = false;
    }

    /// Lets the packs know the rotations, if they do not.
    pub(super) fn turn(&mut self, rest: &[[Pack; STRAIGHT]], rotations: &[[Pack; 9]]) {
        if std::mem::replace(&mut self.turned, true) {
            return;
        }
        if self.packs.len() <= FEW_PACKS {
            self.packs.iter_mut().for_each(|pack| pack.turn(rest, rotations));
        } else {
            let tasks = self.packs.par_chunks_mut(PACKS_PER_TASK);
            tasks.flat_map_iter(|packs| packs).for_each(|pack| pack.turn(rest, rotations));
        }
    }

    /// CᵀKC d of all cells: zero at tied nodes, whose moves are not read.
    pub(super) fn products(&self, job: Job<'_>) {
        let Job { width, x, sums, tiles, .. } = job;
        let work = |(packs, sums): (&[Packed], &mut [DVec3])| {
            sums.fill(DVec3::ZERO);
            let mut buffer = PackBuffer::new();
            for pack in packs {
                pack.gather(&mut buffer, x);
                match width {
                    Width::One => (0..LANES).for_each(|lane| pack.product(One(lane), &mut buffer)),
                    Width::Packs(level) => {
                        dispatch!(level, simd => pack.product(Wide(simd), &mut buffer));
                    }
                }
                pack.scatter(&buffer, sums);
            }
        };
        if self.packs.len() <= FEW_PACKS {
            self.packs.chunks(PACKS_PER_TASK).zip(sums.chunks_mut(tiles.stride)).for_each(work);
        } else {
            let packs = self.packs.par_chunks(PACKS_PER_TASK);
            packs.zip(sums.par_chunks_mut(tiles.stride)).for_each(work);
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
            let (linear, quadratic) = self.task(task);
            let mut room = [Mat3::ZERO; LANES * 55];
            for cells in quadratic.chunks(LANES) {
                packed.take(cells, rest, rotations);
                let kernel = StraightBlocks { table, rest: &packed.rest };
                run_blocks(&kernel, width, &packed, &mut room, pairs);
                for (own, cell) in room.chunks(pairs).zip(&packed.cells[..packed.used]) {
                    let start = (*cell as usize - first) * pairs;
                    blocks[start..start + pairs].copy_from_slice(own);
                }
            }
            for cells in linear.chunks(LANES) {
                packed.take(cells, rest, rotations);
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

    /// Linear and other cells of a task.
    fn task(&self, task: usize) -> (&[u32], &[u32]) {
        let first = task * TILE;
        let end = (first + TILE).min(self.cells.len());
        self.cells[first..end].split_at(self.linear[task] as usize)
    }
}

/// All six edges.
const ALL: u8 = 0x3f;

/// Cells, free edges, packs and linear cells of a task.
type TaskSlices<'a> = (((&'a mut [u32], &'a mut [u8]), &'a mut [Packed]), &'a mut u32);

/// What a task owns.
struct TaskCells<'a> {
    first: usize,
    cells: &'a mut [u32],
    free: &'a mut [u8],
    packs: &'a mut [Packed],
    linear: &'a mut u32,
    patterns: &'a [Pattern; 64],
}

impl TaskCells<'_> {
    /// Looks which edges are free; tells whether others are than before.
    fn look(&mut self, batch: &Batch, unknowns: &Unknowns) -> bool {
        let mut changed = false;
        for (cell, free) in (self.first..).zip(&mut *self.free) {
            let middles = &batch.pack_nodes(cell / LANES)[4..];
            let mut now = 0;
            for (edge, node) in middles.iter().enumerate() {
                now |= u8::from(unknowns.ends(node[cell % LANES]).is_none()) << edge;
            }
            changed |= std::mem::replace(free, now) != now;
        }
        changed
    }

    /// Sorts the cells by the code of their pattern, in their order where it is the same.
    fn sort(&mut self) {
        let code = |free: u8| self.patterns[free as usize].edges as usize;
        let mut next = [0; 65];
        self.free.iter().for_each(|free| next[code(*free) + 1] += 1);
        *self.linear = next[1];
        for k in 0..64 {
            next[k + 1] += next[k];
        }
        for (cell, free) in (self.first as u32..).zip(&*self.free) {
            let place = &mut next[code(*free)];
            self.cells[*place as usize] = cell;
            *place += 1;
        }
    }

    fn pack(&mut self, batch: &Batch, tiles: &Tiles) {
        for (pack, cells) in self.packs.iter_mut().zip(self.cells.chunks(LANES)) {
            let mut own = [self.patterns[0]; LANES];
            for (own, cell) in own.iter_mut().zip(cells) {
                *own = self.patterns[self.free[*cell as usize - self.first] as usize];
            }
            pack.take(cells, &own[..cells.len()], batch, tiles);
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

//! Quadratic cells sorted by their free midpoints.

use fearless_simd::Simd;
use glam::DVec3;
use rayon::prelude::*;

use crate::element::Kind;
use crate::lanes::tasks::{FEW_PACKS, PACKS_PER_TASK, TaskRows, for_each_task};
use crate::lanes::{Batch, BlockWriter, Kernel, PackBuffer, SingleKernel, Width, pair_count};
use crate::math::{LANES, Lanes, Mat3, Pack, SingleLanes, SingleNode};

use super::batch::OneBlockPack;
use super::blocks::{BlockKernel, StraightBlocks};
use super::hierarchy::{Packed, Pattern, patterns};
use super::product_buffer::{DoubleBuffer, SingleBuffer};
use super::products::Products;
use super::rest::STRAIGHT;
use super::tiles::{TILE, Tiles};

/// Number of pairs of corners of a cell: the first of its blocks.
const CORNER_PAIRS: usize = 10;

/// The free edges of the cells of a batch.
///
/// Every task owns a run of cells and packs those with the same pattern of free edges together, so that the eight
/// lanes of a pack do the same work.
#[derive(Debug, Clone)]
pub(crate) struct Partition {
    /// Cells of every task: the linear ones, then the others, sorted by pattern.
    cells: Vec<u32>,
    /// Number of linear cells of each task.
    linear: Vec<u32>,
    /// Free edges of every cell, as bits.
    free: Vec<u8>,
    patterns: Box<[Pattern; 64]>,
    packs: Vec<Packed>,
    /// ρ V/210 of every cell, in kg; empty if the densities are not known.
    masses: Vec<f64>,
    /// True if the gradients in the packs are rotated by the current rotations.
    turned: bool,
    table: Box<Products<4, 1>>,
    linear_count: usize,
}

/// Repacked cells, with the data that blocks are computed from.
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

    /// Loads up to [`LANES`] cells; unused lanes repeat the first.
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
    /// Creates a partition in which all cells are quadratic, with ρ V/210 of every cell, or none.
    pub(crate) fn new(batch: &Batch, tiles: &Tiles, masses: Vec<f64>) -> Self {
        let count = batch.cells.len();
        let mut partition = Self {
            cells: (0..count as u32).collect(),
            linear: vec![0; count.div_ceil(TILE)],
            free: vec![ALL; count],
            patterns: patterns(),
            packs: vec![Packed::new(); batch.pack_count()],
            masses,
            turned: false,
            table: Box::new(Products::new(Kind::Tet4)),
            linear_count: 0,
        };
        partition.for_each_task(true, |mut task| task.pack(batch, tiles));
        partition
    }

    /// Returns true if products can contain the masses.
    pub(crate) fn has_masses(&self) -> bool {
        !self.masses.is_empty()
    }

    /// Returns true if there are linear cells.
    pub(crate) fn has_linear(&self) -> bool {
        self.linear_count > 0
    }

    /// Sorts the cells again after ties have changed.
    pub(crate) fn update(
        &mut self,
        batch: &Batch,
        tiles: &Tiles,
        is_free: &(dyn Fn(u32) -> bool + Sync),
    ) {
        let few = batch.pack_count() <= FEW_PACKS;
        self.for_each_task(few, |mut task| {
            if task.look(batch, is_free) {
                task.sort();
                task.pack(batch, tiles);
            }
        });
        self.linear_count = self.linear.iter().map(|count| *count as usize).sum();
        self.turned = false;
    }

    fn for_each_task(&mut self, few: bool, work: impl Fn(TaskCells<'_>) + Sync) {
        let (patterns, masses) = (&*self.patterns, &self.masses[..]);
        let call = |(index, (((cells, free), packs), linear)): (usize, TaskSlices<'_>)| {
            let first = index * TILE;
            work(TaskCells { first, cells, free, packs, linear, patterns, masses });
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

    /// Marks the rotations as changed.
    pub(crate) fn forget_rotations(&mut self) {
        self.turned = false;
    }

    /// Rotates the gradients in the packs, unless they are up to date.
    pub(crate) fn turn(&mut self, rest: &[[Pack; STRAIGHT]], rotations: &[[Pack; 9]]) {
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

    /// Computes Cᵀ(K + `inertia` · M)C d of all cells: zero at tied nodes, whose displacements are not read. `stride` is the number of
    /// sums per tile.
    pub(crate) fn products(
        &self,
        width: Width,
        (d, inertia): (&[DVec3], f64),
        (sums, stride): (&mut [DVec3], usize),
    ) {
        let out = TaskRows { values: sums, per_task: stride };
        for_each_task(self.packs.len(), out, &|packs, out: TaskRows<'_, DVec3>| {
            out.values.fill(DVec3::ZERO);
            let mut buffer = PackBuffer::new();
            for pack in &self.packs[packs] {
                width.run(&mut PackedProduct { pack, d, inertia, buffer: &mut buffer });
                pack.scatter(&buffer, out.values);
            }
        });
    }

    /// The same in single precision.
    pub(crate) fn products_single(
        &self,
        width: Width,
        (d, inertia): (&[SingleNode], f64),
        (sums, stride): (&mut [SingleNode], usize),
    ) {
        let out = TaskRows { values: sums, per_task: stride };
        for_each_task(self.packs.len(), out, &|packs, out: TaskRows<'_, SingleNode>| {
            out.values.fill(SingleNode::ZERO);
            let packs = &self.packs[packs];
            width.run_single(&mut SingleProducts { packs, d, inertia, sums: out.values });
        });
    }

    /// Writes the blocks of all cells; for linear cells only those of their corners.
    pub(crate) fn blocks(
        &self,
        (width, batch, rotations): (Width, &Batch, &[[Pack; 9]]),
        table: &Products<10, 4>,
        rest: &[[Pack; STRAIGHT]],
        blocks: &mut [Mat3],
    ) {
        let pairs = pair_count(batch);
        let out = TaskRows { values: blocks, per_task: TILE * pairs };
        for_each_task(batch.pack_count(), out, &|packs, out: TaskRows<'_, Mat3>| {
            let (task, mut packed) = (packs.start / PACKS_PER_TASK, Repacked::new());
            let (linear, quadratic) = self.task(task);
            let mut room = [Mat3::ZERO; LANES * 55];
            let mut write = |cells: &[u32], count: usize, kernel: &dyn Fn(&Repacked, &mut Room)| {
                packed.take(cells, rest, rotations);
                kernel(&packed, &mut room);
                for (own, cell) in room.chunks(count).zip(cells) {
                    let start = (*cell as usize - task * TILE) * pairs;
                    out.values[start..start + count].copy_from_slice(own);
                }
            };
            for cells in quadratic.chunks(LANES) {
                write(cells, pairs, &|packed, room| {
                    let kernel = StraightBlocks { table, rest: &packed.rest };
                    run_blocks(&kernel, width, packed, room, pairs);
                });
            }
            for cells in linear.chunks(LANES) {
                write(cells, CORNER_PAIRS, &|packed, room| {
                    let kernel = StraightBlocks { table: &*self.table, rest: &packed.rest };
                    run_blocks(&kernel, width, packed, room, CORNER_PAIRS);
                });
            }
        });
    }

    /// The linear cells and the other cells of a task.
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

/// The data owned by a task.
struct TaskCells<'a> {
    first: usize,
    cells: &'a mut [u32],
    free: &'a mut [u8],
    packs: &'a mut [Packed],
    linear: &'a mut u32,
    patterns: &'a [Pattern; 64],
    masses: &'a [f64],
}

impl TaskCells<'_> {
    /// Updates the free edges; returns true if some have changed.
    fn look(&mut self, batch: &Batch, is_free: &dyn Fn(u32) -> bool) -> bool {
        let mut changed = false;
        for (cell, free) in (self.first..).zip(&mut *self.free) {
            let middles = &batch.pack_nodes(cell / LANES)[4..];
            let mut now = 0;
            for (edge, node) in middles.iter().enumerate() {
                now |= u8::from(is_free(node[cell % LANES])) << edge;
            }
            changed |= std::mem::replace(free, now) != now;
        }
        changed
    }

    /// Sorts the cells by the edge bits of their pattern (a stable counting sort).
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
            pack.take((cells, self.masses), &own[..cells.len()], batch, tiles);
        }
    }
}

/// The blocks of a pack of quadratic cells.
type Room = [Mat3; LANES * 55];

fn run_blocks(
    kernel: &impl BlockKernel,
    width: Width,
    packed: &Repacked,
    room: &mut Room,
    pairs: usize,
) {
    let out = BlockWriter { blocks: &mut room[..packed.used * pairs], pairs };
    width.run(&mut OneBlockPack { kernel, pack: 0, rotations: &packed.rotations, out });
}

/// (K + `inertia` · M) d of one pack.
struct PackedProduct<'a> {
    pack: &'a Packed,
    d: &'a [DVec3],
    inertia: f64,
    buffer: &'a mut PackBuffer<10>,
}

impl Kernel for PackedProduct<'_> {
    #[inline(always)]
    fn run<L: Lanes>(&mut self, lanes: L) {
        let mut buffer = DoubleBuffer { d: self.d, forces: self.buffer };
        self.pack.product(lanes, self.inertia, &mut buffer);
    }
}

/// (K + `inertia` · M) d of the packs of a tile in single precision, added to the sums of their nodes.
struct SingleProducts<'a> {
    packs: &'a [Packed],
    d: &'a [SingleNode],
    inertia: f64,
    sums: &'a mut [SingleNode],
}

impl SingleKernel for SingleProducts<'_> {
    #[inline(always)]
    fn run<S: Simd>(&mut self, lanes: SingleLanes<S>) {
        let mut buffer = SingleBuffer::new(self.d);
        for pack in self.packs {
            pack.product(lanes, self.inertia, &mut buffer);
            pack.scatter_single(&buffer, self.sums);
        }
    }
}

//! Products of curved quadratic cells in single precision, with a stored stiffness.
//!
//! ```text
//! q = (R K Rᵀ + s M) d        K_ab of Parker & O'Brien 2009, eq. 2, integrated once
//! ```
//!
//! A quadrature takes twice the operations at its eight points, and in single precision K is half as large: that of a thousand cells takes
//! 2 MB, and is read faster than it is computed.

use fearless_simd::Simd;

use crate::element::Kind;
use crate::lanes::tasks::{PACKS_PER_TASK, TaskRows, for_each_task};
use crate::lanes::{Batch, RestBatch, SingleKernel, Width, pair_count};
use crate::math::{
    LANES, Lane, Lanes, Mat3, Pack, SingleLane, SingleLanes, SingleNode, SinglePack, Vec3,
};

use super::batch::quadrature_blocks;
use super::product_buffer::{ProductBuffer, SingleBuffer};
use super::rotation::unit_pack;
use super::tiles::Tiles;

/// Nodes of a cell, and pairs of them.
const NODES: usize = 10;
const PAIRS: usize = NODES * (NODES + 1) / 2;

/// The most bytes of a stored stiffness: it must stay in the last cache, or reading it takes as long as quadrature.
const MOST_BYTES: usize = 16 << 20;

/// The stiffness of the cells of a batch in single precision, and their present rotations.
#[derive(Debug, Clone)]
pub(crate) struct SingleStored {
    /// Blocks (a, b), a ≤ b, of every pack, by columns.
    blocks: Vec<[[SinglePack; 9]; PAIRS]>,
    /// The masses of the same pairs.
    masses: Vec<[SinglePack; PAIRS]>,
    nodes: Vec<[[u32; LANES]; NODES]>,
    turns: Vec<[SinglePack; 9]>,
    /// True if `turns` are the present rotations.
    has_turned: bool,
}

impl SingleStored {
    /// True if a batch of cells with one rotation each is to have such products.
    pub(crate) fn suits(batch: &Batch) -> bool {
        let bytes = batch.pack_count() * size_of::<[[SinglePack; 9]; PAIRS]>();
        batch.kind == Kind::Tet10 && !batch.straight && !batch.plastic && bytes <= MOST_BYTES
    }

    /// Integrates the stiffness of a batch that [`SingleStored::suits`]; its pairs of nodes have these masses.
    pub(crate) fn new(batch: RestBatch<'_>, of_pairs: &[f64]) -> Self {
        let count = batch.pack_count();
        let mut of_cells = vec![Mat3::ZERO; batch.cells.len() * pair_count(&batch)];
        quadrature_blocks(
            (Width::default(), batch, &vec![unit_pack(); count]),
            &mut of_cells,
            false,
        );
        let mut blocks = vec![[[[0.0; LANES]; 9]; PAIRS]; count];
        for (cell, of_cell) in of_cells.chunks_exact(PAIRS).enumerate() {
            for (slots, block) in blocks[cell / LANES].iter_mut().zip(of_cell) {
                let numbers = block.0.iter().flat_map(|column| column.0);
                slots.iter_mut().zip(numbers).for_each(|(slot, k)| slot[cell % LANES] = k as f32);
            }
        }
        let mut masses = vec![[[0.0; LANES]; PAIRS]; count];
        for (cell, of_cell) in of_pairs.chunks_exact(PAIRS).enumerate() {
            let slots = masses[cell / LANES].iter_mut().zip(of_cell);
            slots.for_each(|(slot, mass)| slot[cell % LANES] = *mass as f32);
        }
        let nodes = (0..count).map(|pack| *batch.pack_nodes(pack).first_chunk().expect("ten"));
        let turns = vec![[[0.0; LANES]; 9]; count];
        Self { blocks, masses, nodes: nodes.collect(), turns, has_turned: false }
    }

    /// Marks the rotations as changed.
    pub(crate) fn forget_rotations(&mut self) {
        self.has_turned = false;
    }

    /// Takes over the rotations, if they have changed.
    pub(crate) fn turn(&mut self, rotations: &[[Pack; 9]]) {
        if std::mem::replace(&mut self.has_turned, true) {
            return;
        }
        for (turn, rotation) in self.turns.iter_mut().zip(rotations) {
            for (to, from) in turn.as_flattened_mut().iter_mut().zip(rotation.as_flattened()) {
                *to = *from as f32;
            }
        }
    }

    /// Writes the sums of every tile of (K + `inertia` · M) d.
    pub(crate) fn products(
        &self,
        width: Width,
        (d, inertia): (&[SingleNode], f64),
        (sums, tiles): (&mut [SingleNode], &Tiles),
    ) {
        let out = TaskRows { values: sums, per_task: tiles.stride };
        for_each_task(self.blocks.len(), out, &|packs, out: TaskRows<'_, SingleNode>| {
            debug_assert!(packs.start % PACKS_PER_TASK == 0, "a tile is a task");
            out.values.fill(SingleNode::ZERO);
            let mut buffer = SingleBuffer::new(d);
            for pack in packs {
                let mut product =
                    StoredProduct { stored: self, pack, inertia, buffer: &mut buffer };
                width.run_single(&mut product);
                for (lane, places) in tiles.pack(pack, NODES).enumerate() {
                    buffer.add_lane(lane, places, out.values);
                }
            }
        });
    }
}

/// (R K Rᵀ + `inertia` · M) d of one pack.
struct StoredProduct<'a, 'b> {
    stored: &'a SingleStored,
    pack: usize,
    inertia: f64,
    buffer: &'a mut SingleBuffer<'b>,
}

impl SingleKernel for StoredProduct<'_, '_> {
    #[inline(always)]
    fn run<S: Simd>(&mut self, lanes: SingleLanes<S>) {
        let (stored, pack) = (self.stored, self.pack);
        let turn = load_matrix(lanes, &stored.turns[pack]);
        let back = turn.transpose();
        let nodes = &stored.nodes[pack];
        // The masses are the same in a turned frame.
        let mut moves = [Vec3([lanes.splat(0.0); 3]); NODES];
        for a in 0..NODES {
            moves[a] = back.fused_mul_vec(self.buffer.read(lanes, &nodes[a]));
        }
        let matrices = (&stored.blocks[pack], &stored.masses[pack]);
        let products = products(lanes, matrices, lanes.splat(self.inertia), &moves);
        for (a, product) in products.iter().enumerate() {
            self.buffer.store(lanes, a, turn.fused_mul_vec(*product));
        }
    }
}

/// (K + `inertia` · M) u.
#[inline(always)]
fn products<S: Simd>(
    lanes: SingleLanes<S>,
    (blocks, masses): (&[[SinglePack; 9]; PAIRS], &[SinglePack; PAIRS]),
    inertia: SingleLane<S>,
    moves: &[Vec3<SingleLane<S>>; NODES],
) -> [Vec3<SingleLane<S>>; NODES] {
    // Stiffness acts on displacements relative to the first node, so that a translation has no force.
    let mut relative = *moves;
    for u in &mut relative {
        *u = *u - moves[0];
    }
    let mut products = [Vec3([lanes.splat(0.0); 3]); NODES];
    let mut pair = 0;
    for b in 0..NODES {
        let mut row = Vec3([lanes.splat(0.0); 3]);
        for a in 0..b {
            let (block, mass) =
                (load_matrix(lanes, &blocks[pair]), lanes.load_single(&masses[pair]) * inertia);
            products[a] = add_product(&block, relative[b], products[a]).add_scaled(moves[b], mass);
            row = add_transposed(&block, relative[a], row).add_scaled(moves[a], mass);
            pair += 1;
        }
        let (block, mass) =
            (load_matrix(lanes, &blocks[pair]), lanes.load_single(&masses[pair]) * inertia);
        products[b] = add_product(&block, relative[b], row).add_scaled(moves[b], mass);
        pair += 1;
    }
    products
}

#[inline(always)]
fn load_matrix<S: Simd>(lanes: SingleLanes<S>, packs: &[SinglePack; 9]) -> Mat3<SingleLane<S>> {
    let [a, b, c, d, e, f, g, h, i] = packs;
    let column = |x, y, z| Vec3([lanes.load_single(x), lanes.load_single(y), lanes.load_single(z)]);
    Mat3([column(a, b, c), column(d, e, f), column(g, h, i)])
}

/// s + A v.
#[inline(always)]
fn add_product<R: Lane>(matrix: &Mat3<R>, v: Vec3<R>, s: Vec3<R>) -> Vec3<R> {
    let ([a, b, c], [x, y, z]) = (matrix.0, v.0);
    s.add_scaled(a, x).add_scaled(b, y).add_scaled(c, z)
}

/// s + Aᵀ v.
#[inline(always)]
fn add_transposed<R: Lane>(matrix: &Mat3<R>, v: Vec3<R>, s: Vec3<R>) -> Vec3<R> {
    let [x, y, z] = v.0;
    let mut sum = s;
    for (sum, Vec3([a, b, c])) in sum.0.iter_mut().zip(matrix.0) {
        *sum = c.mul_add(z, b.mul_add(y, a.mul_add(x, *sum)));
    }
    sum
}

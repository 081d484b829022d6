//! Cells whose stiffness is kept whole: those that know what is inside them.
//!
//! ```text
//! K_ab = ∫ λ g_a ⊗ g_b + μ g_b ⊗ g_a + μ (g_a · g_b) I dX       g_a = J⁻ᵀ ∂B_a/∂ξ
//! f    = −R K (Rᵀ x − X)
//! ```
//!
//! μ and λ are those of the leaves. K is what popping up the stiffness of the leaves level by level
//! gives, K = Σ Lᵀ K_leaf L (Nesme et al. 2006, section 5.3), found by moments instead.

use rayon::prelude::*;

use crate::body::{Batch, Contents, Model};
use crate::element::{Moments, PairProducts, PartIntegrals};
use crate::force::kernel::{PackBuffer, load};
use crate::force::pair_index;
use crate::math::{LANES, Lanes, Mat3, Pack, Vec3};

use super::blocks::{BlockKernel, BlockWriter};
use super::kernel::{PackKernel, Task, corner_f, follow, load_matrix, row_sum};
use super::rest::CornerFrame;

/// Stiffness and rest shape of the cells of a batch.
#[derive(Debug, Clone)]
pub(super) struct Stored {
    /// Blocks (a, b) with a ≤ b of every pack, by columns.
    blocks: Vec<[Pack; 9]>,
    /// Rest positions of every pack, from its first node.
    rest: Vec<[Pack; 3]>,
    frame: CornerFrame,
}

impl Stored {
    /// The stiffness of a batch of a model whose cells have contents.
    pub(super) fn new(model: &Model, contents: &Contents, batch: &Batch) -> Self {
        let (n, mesh) = (batch.kind.node_count(), model.mesh());
        let pairs = n * (n + 1) / 2;
        let popper = Popper::new(model, contents, batch);
        let mut blocks = vec![[[0.0; LANES]; 9]; batch.pack_count() * pairs];
        blocks.par_chunks_mut(pairs).enumerate().for_each(|(pack, blocks)| {
            for (lane, cell) in batch.pack_cells(pack).iter().enumerate() {
                popper.stiffness(*cell as usize, |pair, block| {
                    let numbers = block.0.iter().flat_map(|column| column.0);
                    blocks[pair].iter_mut().zip(numbers).for_each(|(slot, k)| slot[lane] = k);
                });
            }
        });
        let mut rest = vec![[[0.0; LANES]; 3]; batch.pack_count() * n];
        for (nodes, rest) in batch.nodes.chunks_exact(n).zip(rest.chunks_exact_mut(n)) {
            for (lanes, slot) in nodes.iter().zip(rest) {
                for lane in 0..LANES {
                    let [node, first] = [lanes[lane], nodes[0][lane]].map(|k| k as usize);
                    let from_first = (mesh.nodes[node] - mesh.nodes[first]).to_array();
                    slot.iter_mut().zip(from_first).for_each(|(slot, x)| slot[lane] = x);
                }
            }
        }
        Self { blocks, rest, frame: CornerFrame::new(mesh, batch) }
    }
}

/// Pops the stiffness of leaves up to their cell.
struct Popper<'a> {
    model: &'a Model,
    contents: &'a Contents,
    products: PairProducts,
    parts: PartIntegrals,
    node_count: usize,
}

impl<'a> Popper<'a> {
    fn new(model: &'a Model, contents: &'a Contents, batch: &Batch) -> Self {
        Self {
            model,
            contents,
            products: PairProducts::new(batch.kind),
            parts: PartIntegrals::new(batch.kind, contents.resolution as usize),
            node_count: batch.kind.node_count(),
        }
    }

    fn moments(&self, cell: usize, modulus: impl Fn(u32) -> f64) -> Moments {
        self.contents.moments(&self.parts, cell, modulus)
    }

    /// Hands the blocks of a cell to `write`, each with its `pair_index`.
    fn stiffness(&self, cell: usize, mut write: impl FnMut(usize, &Mat3)) {
        let lame = |material: u32| self.model.materials()[material as usize].constants();
        let mu = self.moments(cell, |material| lame(material).mu);
        let lambda = self.moments(cell, |material| lame(material).lambda);
        let j = self.model.mesh().straight_jacobian(cell);
        let (to_world, volume) = (j.inverse().transpose(), j.det());
        let turned = |g: Mat3| to_world * g * to_world.transpose() * volume;
        for b in 0..self.node_count {
            for a in 0..=b {
                let shear = turned(self.products.gradients(&mu, a, b));
                let bulk = turned(self.products.gradients(&lambda, a, b));
                let block = (bulk + shear.transpose()).add_diagonal(shear.trace());
                write(pair_index(a, b), &block);
            }
        }
    }
}

/// Works on packs of cells with a stored stiffness.
pub(super) struct StoredKernel<'a> {
    pub(super) stored: &'a Stored,
    pub(super) task: Task,
    pub(super) by_edges: bool,
}

impl<const N: usize> PackKernel<N> for StoredKernel<'_> {
    #[inline(always)]
    fn run<L: Lanes>(
        &self,
        lanes: L,
        pack: usize,
        rotations: &mut [[Pack; 9]],
        buffer: &mut PackBuffer<N>,
    ) {
        if self.task == Task::Change {
            let f = corner_f(lanes, &self.stored.frame, pack, buffer);
            lanes.store(row_sum(&f), &mut buffer.energy);
            return;
        }
        if self.task == Task::Forces {
            let f = corner_f(lanes, &self.stored.frame, pack, buffer);
            follow(lanes, &f, lanes.splat(1.0), self.by_edges, &mut rotations[0]);
        }
        let turn = load_matrix(lanes, &rotations[0], 0);
        let moves = self.moves(lanes, pack, &turn, buffer);
        let products: [Vec3<L::Lane>; N] = self.product(lanes, pack, &moves);
        self.write(lanes, &turn, &moves, &products, buffer);
    }
}

impl StoredKernel<'_> {
    /// Rᵀ (x_a − x₀) − (X_a − X₀): displacements in the frame of the cell, or moves turned into it.
    #[inline(always)]
    fn moves<L: Lanes, const N: usize>(
        &self,
        lanes: L,
        pack: usize,
        turn: &Mat3<L::Lane>,
        buffer: &PackBuffer<N>,
    ) -> [Vec3<L::Lane>; N] {
        let mut moves = [Vec3([lanes.splat(0.0); 3]); N];
        let first = load(lanes, &buffer.x[0], 0);
        let rest = &self.stored.rest[pack * N..(pack + 1) * N];
        for a in 0..N {
            let mut x = turn.transpose_mul_vec(load(lanes, &buffer.x[a], 0) - first);
            if self.task.is_forces() {
                x = x - load(lanes, &rest[a], 0);
            }
            moves[a] = x;
        }
        moves
    }

    /// K u.
    #[inline(always)]
    fn product<L: Lanes, const N: usize>(
        &self,
        lanes: L,
        pack: usize,
        moves: &[Vec3<L::Lane>; N],
    ) -> [Vec3<L::Lane>; N] {
        let mut products = [Vec3([lanes.splat(0.0); 3]); N];
        let pairs = N * (N + 1) / 2;
        let blocks = &self.stored.blocks[pack * pairs..(pack + 1) * pairs];
        let mut pair = 0;
        for b in 0..N {
            let mut row = Vec3([lanes.splat(0.0); 3]);
            for a in 0..b {
                let block = load_matrix(lanes, &blocks[pair], 0);
                products[a] += block.mul_vec(moves[b]);
                row += block.transpose_mul_vec(moves[a]);
                pair += 1;
            }
            row += load_matrix(lanes, &blocks[pair], 0).mul_vec(moves[b]);
            products[b] += row;
            pair += 1;
        }
        products
    }

    /// Forces −R K u and the energy ½ uᵀ K u, or the product R K Rᵀ d.
    #[inline(always)]
    fn write<L: Lanes, const N: usize>(
        &self,
        lanes: L,
        turn: &Mat3<L::Lane>,
        moves: &[Vec3<L::Lane>; N],
        products: &[Vec3<L::Lane>; N],
        buffer: &mut PackBuffer<N>,
    ) {
        let is_forces = self.task.is_forces();
        let sign = lanes.splat(if is_forces { -1.0 } else { 1.0 });
        let mut energy = lanes.splat(0.0);
        let mut forces = [Vec3([lanes.splat(0.0); 3]); N];
        for a in 0..N {
            energy += moves[a].dot(products[a]);
            forces[a] = turn.mul_vec(products[a]) * sign;
        }
        buffer.store_forces(lanes, &forces);
        if is_forces {
            lanes.store(energy * 0.5, &mut buffer.energy);
        }
    }
}

/// Writes R K_ab Rᵀ.
pub(super) struct StoredBlocks<'a> {
    pub(super) stored: &'a Stored,
}

impl BlockKernel for StoredBlocks<'_> {
    #[inline(always)]
    fn run<L: Lanes>(
        &self,
        lanes: L,
        pack: usize,
        rotations: &[[Pack; 9]],
        out: &mut BlockWriter<'_>,
    ) {
        let turn = load_matrix(lanes, &rotations[0], 0);
        let back = turn.transpose();
        let blocks = &self.stored.blocks[pack * out.pairs..(pack + 1) * out.pairs];
        for (pair, block) in blocks.iter().enumerate() {
            let block = turn * load_matrix(lanes, block, 0) * back;
            out.write(lanes, pair, &block);
        }
    }
}

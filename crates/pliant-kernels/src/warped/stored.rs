//! Cells with a stored stiffness matrix: those that are partly filled.
//!
//! ```text
//! f = −R K (Rᵀ x − X)
//! ```
//!
//! R is the rotation of the mean of F over the material, weighted by its stiffness; in an evenly filled cell this is
//! the F of the averaged edges (Nesme et al. 2006, section 4.1). Nodes far from the material of a cell move almost
//! freely. If all edges counted equally, R would follow those nodes, and forces that rotate with it would twist the
//! body.

use crate::lanes::{BlockWriter, PackBuffer, load, load_matrix};
use crate::math::{Lanes, Mat3, Pack, Vec3};

use super::blocks::BlockKernel;
use super::kernel::{PackKernel, Task, follow, row_sum};

/// Stiffness and rest shape of the cells of a batch.
#[derive(Debug, Clone)]
pub struct Stored {
    /// Blocks (a, b), a ≤ b, of every pack, by columns.
    pub blocks: Vec<[Pack; 9]>,
    /// Rest positions of every pack, relative to its first node.
    pub rest: Vec<[Pack; 3]>,
    /// ∫ m ∂B_a/∂X divided by ∫ m, for every pack and node.
    pub gradients: Vec<[Pack; 3]>,
}

/// The kernel on packs of cells with a stored stiffness.
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
            let f = self.mean_f(lanes, pack, buffer);
            lanes.store(row_sum(&f), &mut buffer.energy);
            return;
        }
        if self.task == Task::Forces {
            let f = self.mean_f(lanes, pack, buffer);
            follow(lanes, &f, lanes.splat(1.0), self.by_edges, &mut rotations[0]);
        }
        let turn = load_matrix(lanes, &rotations[0], 0);
        let moves = self.moves(lanes, pack, &turn, buffer);
        let products: [Vec3<L::Lane>; N] = self.product(lanes, pack, &moves);
        self.write(lanes, &turn, &moves, &products, buffer);
    }
}

impl StoredKernel<'_> {
    /// Returns F̄ = Σₐ xₐ ⊗ ∂Bₐ/∂X, averaged over the material.
    #[inline(always)]
    fn mean_f<L: Lanes, const N: usize>(
        &self,
        lanes: L,
        pack: usize,
        buffer: &PackBuffer<N>,
    ) -> Mat3<L::Lane> {
        let mut sum = Mat3([Vec3([lanes.splat(0.0); 3]); 3]);
        let gradients = &self.stored.gradients[pack * N..(pack + 1) * N];
        for (x, gradient) in buffer.x.iter().zip(gradients) {
            let (x, gradient) = (load(lanes, x, 0), load(lanes, gradient, 0));
            sum.0[0] += x * gradient.0[0];
            sum.0[1] += x * gradient.0[1];
            sum.0[2] += x * gradient.0[2];
        }
        sum
    }

    /// Returns Rᵀ (x_a − x₀) − (X_a − X₀): displacements in the frame of the cell; or, for products, the rotated
    /// input.
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

    /// Returns K u.
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

    /// Writes the forces −R K u and the energy ½ uᵀ K u, or the product R K Rᵀ d.
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

/// The kernel that writes the blocks R K_ab Rᵀ.
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

//! Stiffness blocks of packs of warped cells.

use crate::lanes::{BlockWriter, RestBatch, load_matrix, rest_point, table};
use crate::math::{Lane, Lanes, Mat3, Pack, Vec3};

use super::products::Products;
use super::rest::{LAMBDA, MU, STRAIGHT, VOLUME};

/// A kernel that writes the stiffness blocks of a pack.
pub(crate) trait BlockKernel: Sync {
    /// Passes the block of every pair, in the order of `pair_index`, to `out`.
    fn run<L: Lanes>(
        &self,
        lanes: L,
        pack: usize,
        rotations: &[[Pack; 9]],
        out: &mut BlockWriter<'_>,
    );
}

/// λ a ⊗ b + μ b ⊗ a + μ (a·b) I: the stiffness block of two nodes with gradients a and b (Bargteil & Cohen 2014, eq.
/// 10; Parker & O'Brien 2009, eq. 2).
#[inline(always)]
fn answer<R: Lane>(mu: R, lambda: R, a: Vec3<R>, b: Vec3<R>) -> Mat3<R> {
    (Mat3::outer(a, b) * lambda + Mat3::outer(b, a) * mu).add_diagonal(mu * a.dot(b))
}

/// Straight tetrahedra, by products of Bernstein gradients.
pub(crate) struct StraightBlocks<'a, const N: usize, const M: usize> {
    pub(super) table: &'a Products<N, M>,
    pub(super) rest: &'a [[Pack; STRAIGHT]],
}

impl<const N: usize, const M: usize> BlockKernel for StraightBlocks<'_, N, M> {
    #[inline(always)]
    fn run<L: Lanes>(
        &self,
        lanes: L,
        pack: usize,
        rotations: &[[Pack; 9]],
        out: &mut BlockWriter<'_>,
    ) {
        let rest = &self.rest[pack];
        let volume = lanes.load(&rest[VOLUME]);
        let (mu, lambda) = (lanes.load(&rest[MU]) * volume, lanes.load(&rest[LAMBDA]) * volume);
        let turn = load_matrix(lanes, &rotations[0], 0);
        // Rows of β are the gradients of the barycentric coordinates 1, 2, 3; here rotated to the world.
        let [a, b, c] = (turn * load_matrix(lanes, rest, 0).transpose()).0;
        let directions = [-(a + b + c), a, b, c];
        let zero = lanes.splat(0.0);
        let mut answers = [[Mat3([Vec3([zero; 3]); 3]); 4]; 4];
        for i in 0..4 {
            for j in 0..4 {
                answers[i][j] = answer(mu, lambda, directions[i], directions[j]);
            }
        }
        for (pair, range) in self.table.term_start.windows(2).enumerate() {
            let mut block = Mat3([Vec3([zero; 3]); 3]);
            for &(i, j, weight) in &self.table.terms[range[0] as usize..range[1] as usize] {
                block += answers[i as usize][j as usize] * lanes.splat(weight);
            }
            out.write(lanes, pair, &block);
        }
    }
}

/// Any cell with `N` nodes, by quadrature.
pub(crate) struct QuadratureBlocks<'a, const N: usize> {
    pub(super) batch: RestBatch<'a>,
    pub(super) per_point: bool,
}

impl<const N: usize> BlockKernel for QuadratureBlocks<'_, N> {
    #[inline(always)]
    fn run<L: Lanes>(
        &self,
        lanes: L,
        pack: usize,
        rotations: &[[Pack; 9]],
        out: &mut BlockWriter<'_>,
    ) {
        let zero = lanes.splat(0.0);
        let [mu, lambda] = self.batch.pack_constants(pack);
        let (mu, lambda) = (lanes.load(mu), lanes.load(lambda));
        let rest = self.batch.pack_rest(pack);
        // One column of blocks at a time: all blocks would not fit on the stack of a thread.
        for b in 0..N {
            let mut column = [Mat3([Vec3([zero; 3]); 3]); N];
            for point in 0..self.batch.point_count() {
                let table = table(&self.batch, N, point);
                let (inverse, volume) = rest_point(lanes, &self.batch, rest, point);
                let slot = if self.per_point { point } else { 0 };
                let turn = load_matrix(lanes, &rotations[slot], 0);
                let to_world = turn * inverse.transpose();
                let gradient_b = gradient(lanes, &to_world, &table[b]) * volume;
                for (block, gradient_a) in column[..=b].iter_mut().zip(table) {
                    let gradient_a = gradient(lanes, &to_world, gradient_a);
                    *block += answer(mu, lambda, gradient_a, gradient_b);
                }
            }
            for (a, block) in column[..=b].iter().enumerate() {
                out.write(lanes, b * (b + 1) / 2 + a, block);
            }
        }
    }
}

#[inline(always)]
fn gradient<L: Lanes>(lanes: L, to_world: &Mat3<L::Lane>, g: &[f64; 3]) -> Vec3<L::Lane> {
    to_world.mul_vec(Vec3([lanes.splat(g[0]), lanes.splat(g[1]), lanes.splat(g[2])]))
}

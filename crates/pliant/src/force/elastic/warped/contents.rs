//! The stiffness of partly filled cells.
//!
//! ```text
//! K_ab = ∫ λ g_a ⊗ g_b + μ g_b ⊗ g_a + μ (g_a · g_b) I dX       g_a = J⁻ᵀ ∂B_a/∂ξ
//! ```
//!
//! μ and λ are those of the leaves. K equals the sum of the leaf stiffnesses, transferred level by level, K = Σ Lᵀ
//! K_leaf L (Nesme et al. 2006, section 5.3), but it is computed from moments.

use pliant_kernels::lanes::pair_index;
use pliant_kernels::warped::{Rotation, Stored, WarpedBatch};
use rayon::prelude::*;

use crate::body::{Batch, Contents, Model};
use pliant_kernels::element::{Moments, PairProducts, PartIntegrals};
use pliant_kernels::math::{LANES, Mat3, Vec3};

/// The stiffness of the cells of a batch, if they have contents and have not flowed: the moments are known for boxes in
/// their original shape only.
pub(super) fn stored_stiffness(model: &Model, batch: &Batch, rotation: Rotation) -> Option<Stored> {
    let turns = WarpedBatch::turns_by_cell(batch, rotation);
    let contents = model.boxed_contents().filter(|_| turns && !batch.plastic)?;
    Some(stored(model, contents, batch))
}

fn stored(model: &Model, contents: &Contents, batch: &Batch) -> Stored {
    let (n, mesh) = (batch.kind.node_count(), model.mesh());
    let pairs = n * (n + 1) / 2;
    let popper = Popper::new(model, contents, batch);
    let mut blocks = vec![[[0.0; LANES]; 9]; batch.pack_count() * pairs];
    let mut gradients = vec![[[0.0; LANES]; 3]; batch.pack_count() * n];
    let rows = blocks.par_chunks_mut(pairs).zip(gradients.par_chunks_mut(n));
    rows.enumerate().for_each(|(pack, (blocks, gradients))| {
        for (lane, cell) in batch.pack_cells(pack).iter().enumerate() {
            let matter = popper.matter(*cell as usize);
            popper.stiffness(&matter, |pair, block| {
                let numbers = block.0.iter().flat_map(|column| column.0);
                blocks[pair].iter_mut().zip(numbers).for_each(|(slot, k)| slot[lane] = k);
            });
            for (a, slot) in gradients.iter_mut().enumerate() {
                let gradient = popper.mean_gradient(&matter, a).0;
                slot.iter_mut().zip(gradient).for_each(|(slot, g)| slot[lane] = g);
            }
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
    Stored { blocks, rest, gradients }
}

/// Moments of the material of a cell.
struct CellMatter {
    mu: Moments,
    lambda: Moments,
    /// ∂X/∂ξ.
    jacobian: Mat3,
}

/// Sums the stiffness of leaves over their cell.
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

    fn matter(&self, cell: usize) -> CellMatter {
        let lame = |material: u32| self.model.materials()[material as usize].constants();
        let share = self.model.stiffness_share(cell);
        CellMatter {
            mu: self.moments(cell, |material| share * lame(material).mu),
            lambda: self.moments(cell, |material| share * lame(material).lambda),
            jacobian: self.model.mesh().straight_jacobian(cell),
        }
    }

    /// Passes the blocks of a cell to `write`, each with its `pair_index`.
    fn stiffness(&self, matter: &CellMatter, mut write: impl FnMut(usize, &Mat3)) {
        let CellMatter { mu, lambda, jacobian } = matter;
        let (to_world, volume) = (jacobian.inverse().transpose(), jacobian.det());
        let turned = |g: Mat3| to_world * g * to_world.transpose() * volume;
        for b in 0..self.node_count {
            for a in 0..=b {
                let shear = turned(self.products.gradients(mu, a, b));
                let bulk = turned(self.products.gradients(lambda, a, b));
                let block = (bulk + shear.transpose()).add_diagonal(shear.trace());
                write(pair_index(a, b), &block);
            }
        }
    }

    /// The gradient of a basis function, averaged over the material.
    fn mean_gradient(&self, matter: &CellMatter, a: usize) -> Vec3 {
        let mean = self.products.gradient(&matter.mu, a) * (1.0 / matter.mu.total());
        matter.jacobian.inverse().transpose_mul_vec(mean)
    }
}

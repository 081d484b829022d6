//! Degree elevation between the linear level and the body.

use glam::DVec3;

use crate::body::{Model, Unknowns};
use crate::solver::linear::vectors::for_chunks;
use pliant_kernels::element::{Kind, barycentric_weights, lattice};
use pliant_kernels::math::Rows;

/// Degree elevation from the corners, in the unknowns, and its transpose.
#[derive(Debug, Clone)]
pub(super) struct Prolongation {
    /// The corners of every unknown, with weights. Single precision is enough, as long as both directions have the same numbers.
    corners: Rows<(u32, f32)>,
    /// The unknowns of every corner, with weights: the transpose.
    unknowns: Rows<(u32, f32)>,
}

impl Prolongation {
    pub(super) fn new(
        model: &Model,
        unknowns: &Unknowns,
        corners: &[u32],
        coarse: &Unknowns,
    ) -> Self {
        let mut corner_of = vec![u32::MAX; unknowns.node_count()];
        (0u32..).zip(corners).for_each(|(corner, node)| corner_of[*node as usize] = corner);
        let mut rows: Vec<Vec<(u32, f32)>> = vec![Vec::new(); unknowns.count()];
        for block in &model.mesh().blocks {
            let weights = elevation_weights(block.kind);
            for nodes in block.cells() {
                for (node, weights) in nodes.iter().zip(&weights) {
                    let Some(unknown) = unknowns.own(*node) else { continue };
                    let row = &mut rows[unknown as usize];
                    if !row.is_empty() {
                        continue;
                    }
                    for (corner, weight) in nodes.iter().zip(weights).filter(|(_, w)| **w > 0.0) {
                        if let Some(own) = coarse.own(corner_of[*corner as usize]) {
                            row.push((own, *weight as f32));
                        }
                    }
                }
            }
        }
        let transposed = || {
            let rows = (0u32..).zip(&rows);
            rows.flat_map(|(unknown, row)| {
                row.iter().map(move |(own, weight)| (*own as usize, (unknown, *weight)))
            })
        };
        let unknowns = Rows::from_pairs(coarse.count(), transposed);
        Self { unknowns, corners: rows.into_iter().collect() }
    }

    pub(super) fn at(&self, unknown: usize, coarse: &[DVec3]) -> DVec3 {
        let row = self.corners.row(unknown);
        row.iter().map(|(own, weight)| f64::from(*weight) * coarse[*own as usize]).sum()
    }

    pub(super) fn restrict(&self, fine: &[DVec3], coarse: &mut [DVec3]) {
        for_chunks(coarse, |first, coarse| {
            for (k, sum) in coarse.iter_mut().enumerate() {
                let terms = self.unknowns.row(first + k).iter();
                *sum = terms
                    .map(|(unknown, weight)| f64::from(*weight) * fine[*unknown as usize])
                    .sum();
            }
        });
    }
}

/// Weights of the corners at every node of a kind.
pub(super) fn elevation_weights(kind: Kind) -> Vec<Vec<f64>> {
    let weights = |point| {
        let weights = barycentric_weights(kind.shape(), kind.degree(), point);
        let total: usize = weights.iter().sum();
        weights.iter().map(|weight| *weight as f64 / total as f64).collect()
    };
    lattice(kind).into_iter().map(weights).collect()
}

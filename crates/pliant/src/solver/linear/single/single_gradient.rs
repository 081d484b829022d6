//! Conjugate gradients in single precision.

use glam::DVec3;
use pliant_kernels::math::SingleNode;

use crate::body::Model;
use crate::force::Warped;
use crate::solver::linear::nodes::MatrixFree;
use crate::solver::linear::vectors::{chunk_count, for_chunks};

use super::single_system::SingleSystem;
use super::single_vectors::{sum_chunks, weighted_square};

/// Conjugate gradients with the diagonal as preconditioner in single precision, with their buffers.
///
/// They solve for corrections: the residual is in double precision before and after, so that rounding limits the progress of one call only, and
/// not the accuracy of a solution.
#[derive(Debug, Clone)]
pub(in crate::solver::linear) struct SingleGradient {
    system: SingleSystem,
    r: Vec<SingleNode>,
    p: Vec<SingleNode>,
    q: Vec<SingleNode>,
    y: Vec<SingleNode>,
    partial: Vec<f64>,
}

impl SingleGradient {
    /// Buffers for the systems of a model; `None` if its cells have no products in single precision.
    pub(in crate::solver::linear) fn new(model: &Model) -> Option<Self> {
        let node_count = model.mesh().nodes.len();
        let zero = || vec![SingleNode::ZERO; node_count];
        Warped::has_single_products(model).then(|| Self {
            system: SingleSystem::new(node_count),
            r: zero(),
            p: zero(),
            q: zero(),
            y: zero(),
            partial: vec![0.0; chunk_count(node_count)],
        })
    }

    /// Prepares corrections for this system with the inverse diagonal `weights`; false if it has none in single precision.
    pub(in crate::solver::linear) fn open(
        &mut self,
        free: &MatrixFree<'_, '_>,
        weights: &[f64],
    ) -> bool {
        self.system.open(free.parts, free.scales, weights)
    }

    /// Writes z ≈ A⁻¹ r, where the norm of r − A z is about `reduction` times that of r; returns the iterations.
    pub(in crate::solver::linear) fn correct(
        &mut self,
        free: &mut MatrixFree<'_, '_>,
        r: &[DVec3],
        (reduction, most): (f64, u32),
        z: &mut [DVec3],
    ) -> u32 {
        let nodes = free.parts.unknowns.nodes();
        self.r.fill(SingleNode::ZERO);
        self.y.fill(SingleNode::ZERO);
        for (node, r) in nodes.iter().zip(r) {
            self.r[*node as usize] = (self.system.unit * *r).extend(0.0).as_vec4();
        }
        let iterations = self.iterate(free, reduction, most);
        for (node, z) in nodes.iter().zip(z) {
            *z = self.y[*node as usize].as_dvec4().truncate();
        }
        iterations
    }

    fn iterate(&mut self, free: &mut MatrixFree<'_, '_>, reduction: f64, most: u32) -> u32 {
        let mut square = self.start();
        let enough = reduction * reduction * square;
        let mut iterations = 0;
        while square > enough && iterations < most {
            let Self { system, p, q, partial, .. } = self;
            let alpha = square / system.apply(free.parts, p, q, partial);
            if !(alpha.is_finite() && alpha > 0.0) {
                break;
            }
            let before = std::mem::replace(&mut square, self.advance(alpha as f32));
            self.turn((square / before) as f32);
            iterations += 1;
        }
        iterations
    }

    /// p = D⁻¹ r; returns r · D⁻¹ r.
    fn start(&mut self) -> f64 {
        let Self { system, r, p, partial, .. } = self;
        let w = &system.weights;
        sum_chunks((p, r), partial, |first, p, r| {
            let w = &w[first..first + r.len()];
            p.iter_mut().zip(w.iter().zip(&*r)).for_each(|(p, (w, r))| *p = *w * *r);
            weighted_square(w, r)
        })
    }

    /// y += α p and r −= α q; returns r · D⁻¹ r.
    fn advance(&mut self, alpha: f32) -> f64 {
        let Self { system, r, p, q, y, partial } = self;
        let w = &system.weights;
        sum_chunks((y, r), partial, |first, y, r| {
            let last = first + r.len();
            y.iter_mut().zip(&p[first..]).for_each(|(y, p)| *y += alpha * *p);
            r.iter_mut().zip(&q[first..]).for_each(|(r, q)| *r -= alpha * *q);
            weighted_square(&w[first..last], r)
        })
    }

    /// p = D⁻¹ r + β p.
    fn turn(&mut self, beta: f32) {
        let Self { system, r, p, .. } = self;
        let w = &system.weights;
        for_chunks(p, |first, p| {
            let terms = w[first..].iter().zip(&r[first..]);
            p.iter_mut().zip(terms).for_each(|(p, (w, r))| *p = *w * *r + beta * *p);
        });
    }
}

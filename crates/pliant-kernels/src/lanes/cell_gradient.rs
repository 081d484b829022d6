//! ∂x/∂ξ at the points of a cell, and its transpose.

use super::Batch;
use super::gather::{add_applied, reference_gradient, table};
use crate::element::{
    CUBIC_DERIVATIVE, Kind, LINEAR_DERIVATIVE, QUADRATIC_DERIVATIVE, bernstein_simplex,
    derivative_nodes, lattice,
};
use crate::math::{Lane, Mat3, Vec3};
use glam::DVec3;

/// True for cells with so many nodes whose points share differences of nodes: for tetrahedra with more than one point.
#[inline(always)]
pub(crate) const fn has_form(node_count: usize) -> bool {
    derivative_nodes(node_count).len() > 1
}

/// p Bₖ of every coefficient k at these points, for tetrahedra.
pub(super) fn form_values(kind: Kind, points: &[DVec3]) -> Vec<f64> {
    let (p, nodes) = (kind.degree(), lattice(kind));
    // Node k + e₀ has the powers (x, y, z) of k.
    let power = |of: &[usize; 4]| {
        let [x, y, z] = nodes[of[0]];
        [p - 1 - x - y - z, x, y, z]
    };
    let mut values = Vec::new();
    for point in points {
        let lambda = [1.0 - point.element_sum(), point.x, point.y, point.z];
        let value = |of: &[usize; 4]| p as f64 * bernstein_simplex(power(of), lambda);
        values.extend(derivative_nodes(nodes.len()).iter().map(value));
    }
    values
}

/// Writes ∂x/∂ξ at a run of points, from `start` on, of a cell whose nodes are the first `node_count` entries of `x`.
///
/// That of a tetrahedron is a Bernstein form of one degree less, whose coefficients are differences of nodes ([`derivative_nodes`]).
/// For a quadratic cell with four points these are 36 differences and 144 multiplications; they are 360 with a table for every node, which serves all
/// other cells. Either way the entries are computed one after the other, or row by row: a whole matrix of packs does not fit in the registers of most processors.
#[inline(always)]
pub(crate) fn gradients<R: Lane, const ROOM: usize>(
    (batch, node_count): (&Batch, usize),
    x: &[Vec3<R>; ROOM],
    start: usize,
    out: &mut [Mat3<R>],
) {
    match node_count {
        4 => form_gradients(&LINEAR_DERIVATIVE, batch, x, start, out),
        10 => form_gradients(&QUADRATIC_DERIVATIVE, batch, x, start, out),
        20 => form_gradients(&CUBIC_DERIVATIVE, batch, x, start, out),
        n => {
            for (k, out) in out.iter_mut().enumerate() {
                *out = reference_gradient(&x[..n], table(batch, n, start + k));
            }
        }
    }
}

/// Adds the gradient with respect to the nodes to `nodes`, for gradients `h` with respect to ∂x/∂ξ at a run of points: the transpose of [`gradients`].
#[inline(always)]
pub(crate) fn add_gradients<R: Lane, const ROOM: usize>(
    (batch, node_count): (&Batch, usize),
    start: usize,
    h: &[Mat3<R>],
    nodes: &mut [Vec3<R>; ROOM],
) {
    match node_count {
        4 => add_form_gradients(&LINEAR_DERIVATIVE, batch, start, h, nodes),
        10 => add_form_gradients(&QUADRATIC_DERIVATIVE, batch, start, h, nodes),
        20 => add_form_gradients(&CUBIC_DERIVATIVE, batch, start, h, nodes),
        n => {
            for (k, h) in h.iter().enumerate() {
                add_applied(&mut nodes[..n], h, table(batch, n, start + k));
            }
        }
    }
}

/// p Bₖ of all coefficients at the points from `start` on.
#[inline(always)]
fn values_from<const M: usize>(batch: &Batch, start: usize) -> &[[f64; M]] {
    &batch.form.as_chunks().0[start..]
}

// Counted loops: the compiler unrolls them and folds the table of nodes into the code.
#[inline(always)]
fn form_gradients<R: Lane, const ROOM: usize, const M: usize>(
    of: &[[usize; 4]; M],
    batch: &Batch,
    x: &[Vec3<R>; ROOM],
    start: usize,
    out: &mut [Mat3<R>],
) {
    let values = values_from::<M>(batch, start);
    let zero = x[0].0[0].zero();
    for i in 0..3 {
        for j in 0..3 {
            let mut form = [zero; M];
            for k in 0..M {
                form[k] = x[of[k][1 + j]].0[i] - x[of[k][0]].0[i];
            }
            for (out, values) in out.iter_mut().zip(values) {
                let mut sum = form[0] * zero.like(values[0]);
                for k in 1..M {
                    sum = form[k].mul_add(zero.like(values[k]), sum);
                }
                out.0[j].0[i] = sum;
            }
        }
    }
}

#[inline(always)]
fn add_form_gradients<R: Lane, const ROOM: usize, const M: usize>(
    of: &[[usize; 4]; M],
    batch: &Batch,
    start: usize,
    h: &[Mat3<R>],
    nodes: &mut [Vec3<R>; ROOM],
) {
    let values = values_from::<M>(batch, start);
    let zero = nodes[0].0[0].zero();
    for i in 0..3 {
        for j in 0..3 {
            let mut form = [zero; M];
            for (h, values) in h.iter().zip(values) {
                for k in 0..M {
                    form[k] = h.0[j].0[i].mul_add(zero.like(values[k]), form[k]);
                }
            }
            for k in 0..M {
                nodes[of[k][0]].0[i] -= form[k];
                nodes[of[k][1 + j]].0[i] += form[k];
            }
        }
    }
}

//! Operations on long vectors of nodes in single precision, with the same bits for any number of threads.

use pliant_kernels::math::SingleNode;
use rayon::prelude::*;

use crate::solver::linear::vectors::{CHUNK, LONG};

/// Nodes whose products are summed in single precision before the sum goes on in double precision.
const RUN: usize = 32;

/// Σ of the results of `work(first, chunk, other chunk)` for all chunks of two vectors, in order.
pub(super) fn sum_chunks(
    (a, b): (&mut [SingleNode], &mut [SingleNode]),
    partial: &mut [f64],
    work: impl Fn(usize, &mut [SingleNode], &mut [SingleNode]) -> f64 + Sync,
) -> f64 {
    let partial = &mut partial[..a.len().div_ceil(CHUNK)];
    let task = |(k, (slot, (a, b))): (usize, (&mut f64, (&mut [_], &mut [_])))| {
        *slot = work(k * CHUNK, a, b);
    };
    if a.len() < LONG {
        let chunks = a.chunks_mut(CHUNK).zip(b.chunks_mut(CHUNK));
        partial.iter_mut().zip(chunks).enumerate().for_each(task);
    } else {
        let chunks = a.par_chunks_mut(CHUNK).zip(b.par_chunks_mut(CHUNK));
        partial.par_iter_mut().zip(chunks).enumerate().for_each(task);
    }
    partial.iter().sum()
}

/// Σ a · b.
pub(super) fn dot(a: &[SingleNode], b: &[SingleNode]) -> f64 {
    let runs = a.chunks(RUN).zip(b.chunks(RUN));
    runs.map(|(a, b)| sum(a.iter().zip(b).map(|(a, b)| *a * *b))).sum()
}

/// Σ w r · r.
pub(super) fn weighted_square(w: &[SingleNode], r: &[SingleNode]) -> f64 {
    let runs = w.chunks(RUN).zip(r.chunks(RUN));
    runs.map(|(w, r)| sum(w.iter().zip(r).map(|(w, r)| *w * *r * *r))).sum()
}

/// The sum of all numbers of a few vectors.
fn sum(vectors: impl Iterator<Item = SingleNode>) -> f64 {
    let [x, y, z, _] = vectors.fold(SingleNode::ZERO, |sum, v| sum + v).to_array();
    f64::from((x + y) + z)
}

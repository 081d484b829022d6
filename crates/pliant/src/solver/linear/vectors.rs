//! Operations on long vectors, with the same bits for any number of threads.

use std::ops::Range;

use glam::DVec3;
use rayon::prelude::*;

/// Length of a chunk: sums are sums of sums over chunks.
pub(super) const CHUNK: usize = 1024;

/// Length from which chunks are distributed over threads. Worlds with as many nodes step inside the thread pool, where a fork is cheap.
pub(super) const LONG: usize = 4 * CHUNK;

/// Number of chunks, and so of partial sums, of a vector.
pub(super) fn chunk_count(length: usize) -> usize {
    length.div_ceil(CHUNK)
}

/// Σ a · b.
pub(super) fn dot(a: &[DVec3], b: &[DVec3], partial: &mut [f64]) -> f64 {
    sum(a.len(), partial, |range| chunk_dot(&a[range.clone()], &b[range]))
}

/// Σ w |a|².
pub(super) fn weighted_square(weights: &[f64], a: &[DVec3], partial: &mut [f64]) -> f64 {
    sum(a.len(), partial, |range| chunk_square(&weights[range.clone()], &a[range]))
}

/// y += α p and r −= α q; returns Σ w |r|².
pub(super) fn advance(
    alpha: f64,
    [p, q]: [&[DVec3]; 2],
    [y, r]: [&mut [DVec3]; 2],
    weights: &[f64],
    partial: &mut [f64],
) -> f64 {
    let step = |k: usize, y: &mut [DVec3], r: &mut [DVec3]| {
        let first = k * CHUNK;
        y.iter_mut().zip(&p[first..]).for_each(|(y, p)| *y += alpha * *p);
        r.iter_mut().zip(&q[first..]).for_each(|(r, q)| *r -= alpha * *q);
        chunk_square(&weights[first..first + r.len()], r)
    };
    let partial = &mut partial[..chunk_count(y.len())];
    if y.len() < LONG {
        let chunks = y.chunks_mut(CHUNK).zip(r.chunks_mut(CHUNK));
        partial.iter_mut().zip(chunks).enumerate().for_each(|(k, (s, (y, r)))| *s = step(k, y, r));
    } else {
        let chunks = y.par_chunks_mut(CHUNK).zip(r.par_chunks_mut(CHUNK));
        let each = partial.par_iter_mut().zip(chunks).enumerate();
        each.for_each(|(k, (s, (y, r)))| *s = step(k, y, r));
    }
    partial.iter().sum()
}

/// p = z + β p.
pub(super) fn turn(z: &[DVec3], beta: f64, p: &mut [DVec3]) {
    for_chunks(p, |first, p| {
        p.iter_mut().zip(&z[first..]).for_each(|(p, z)| *p = *z + beta * *p);
    });
}

/// The largest absolute number of a vector; not finite if one of its numbers is not.
pub(super) fn largest(a: &[DVec3], partial: &mut [f64]) -> f64 {
    // A maximum would not show numbers that are not.
    let of_chunk = |range: Range<usize>| {
        let largest = |most: f64, a: &DVec3| {
            let size = a.abs().max_element();
            if a.is_finite() { most.max(size) } else { f64::INFINITY }
        };
        a[range].iter().fold(0.0, largest)
    };
    each_chunk(a.len(), partial, of_chunk).iter().copied().fold(0.0, f64::max)
}

/// Writes `values` to the places `places` of `all`, which ascend.
pub(super) fn scatter(places: &[u32], values: &[DVec3], all: &mut [DVec3]) {
    scatter_from(0, places, values, all);
}

/// The same, with the first entry of `all` at place `base`: halved until one chunk is left.
fn scatter_from(base: usize, places: &[u32], values: &[DVec3], all: &mut [DVec3]) {
    if places.len() < LONG {
        let pairs = places.iter().zip(values);
        return pairs.for_each(|(place, value)| all[*place as usize - base] = *value);
    }
    let half = places.len() / 2;
    let middle = places[half] as usize;
    let (places, later_places) = places.split_at(half);
    let (values, later_values) = values.split_at(half);
    let (all, later) = all.split_at_mut(middle - base);
    rayon::join(
        || scatter_from(base, places, values, all),
        || scatter_from(middle, later_places, later_values, later),
    );
}

/// Calls `work(first, chunk)` for all chunks of a vector.
pub(super) fn for_chunks<T: Send>(v: &mut [T], work: impl Fn(usize, &mut [T]) + Sync) {
    let is_long = v.len() >= LONG;
    for_parts(v, CHUNK, is_long, work);
}

/// Calls `work(first, part)` for all parts of `size` values of a vector, on several threads if that is worth it.
pub(super) fn for_parts<T: Send>(
    v: &mut [T],
    size: usize,
    is_long: bool,
    work: impl Fn(usize, &mut [T]) + Sync,
) {
    if is_long {
        v.par_chunks_mut(size).enumerate().for_each(|(k, part)| work(k * size, part));
    } else {
        work(0, v);
    }
}

/// Sum of the results of `work(first, chunk)` for all chunks of a vector, in order.
pub(super) fn sum_chunks(
    v: &mut [DVec3],
    partial: &mut [f64],
    work: impl Fn(usize, &mut [DVec3]) -> f64 + Sync,
) -> f64 {
    let partial = &mut partial[..chunk_count(v.len())];
    if v.len() < LONG {
        let each = partial.iter_mut().zip(v.chunks_mut(CHUNK)).enumerate();
        each.for_each(|(k, (slot, chunk))| *slot = work(k * CHUNK, chunk));
    } else {
        let each = partial.par_iter_mut().zip(v.par_chunks_mut(CHUNK)).enumerate();
        each.for_each(|(k, (slot, chunk))| *slot = work(k * CHUNK, chunk));
    }
    partial.iter().sum()
}

/// Sum of the results of `chunk` for the ranges of all chunks, in order.
fn sum(length: usize, partial: &mut [f64], chunk: impl Fn(Range<usize>) -> f64 + Sync) -> f64 {
    each_chunk(length, partial, chunk).iter().sum()
}

/// The results of `chunk` for the ranges of all chunks, in order.
fn each_chunk(
    length: usize,
    partial: &mut [f64],
    chunk: impl Fn(Range<usize>) -> f64 + Sync,
) -> &[f64] {
    let range = |k: usize| k * CHUNK..((k + 1) * CHUNK).min(length);
    let partial = &mut partial[..chunk_count(length)];
    if length < LONG {
        partial.iter_mut().enumerate().for_each(|(k, slot)| *slot = chunk(range(k)));
    } else {
        partial.par_iter_mut().enumerate().for_each(|(k, slot)| *slot = chunk(range(k)));
    }
    partial
}

/// Four independent sums, so that additions can overlap.
pub(super) fn chunk_dot(a: &[DVec3], b: &[DVec3]) -> f64 {
    let ((a, a_rest), (b, b_rest)) = (a.as_chunks::<4>(), b.as_chunks::<4>());
    let mut sums = [0.0; 4];
    for (a, b) in a.iter().zip(b) {
        for (sum, (a, b)) in sums.iter_mut().zip(a.iter().zip(b)) {
            *sum += a.dot(*b);
        }
    }
    let rest: f64 = a_rest.iter().zip(b_rest).map(|(a, b)| a.dot(*b)).sum();
    sums.iter().sum::<f64>() + rest
}

fn chunk_square(weights: &[f64], a: &[DVec3]) -> f64 {
    let ((w, w_rest), (a, a_rest)) = (weights.as_chunks::<4>(), a.as_chunks::<4>());
    let mut sums = [0.0; 4];
    for (w, a) in w.iter().zip(a) {
        for (sum, (w, a)) in sums.iter_mut().zip(w.iter().zip(a)) {
            *sum += *w * a.length_squared();
        }
    }
    let rest: f64 = w_rest.iter().zip(a_rest).map(|(w, a)| *w * a.length_squared()).sum();
    sums.iter().sum::<f64>() + rest
}

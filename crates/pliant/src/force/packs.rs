//! Runs kernels over the packs of a batch: compiled for its kind of cell and for the width of the
//! lanes, and shared out among threads.

use fearless_simd::{Level, dispatch};

use crate::body::Batch;
use crate::element::Kind;
use crate::math::{LANES, Lanes, One, Wide};

/// How many cells a kernel works on at once. The bits of the result are the same.
#[derive(Debug, Clone, Copy)]
pub enum Width {
    /// One cell after the other.
    One,
    /// A pack of cells, with the best instructions of the processor.
    Packs(Level),
}

impl Default for Width {
    fn default() -> Self {
        Self::Packs(Level::new())
    }
}

/// Packs that one task works on: some ten microseconds of work, well above the cost of a fork.
pub(super) const PACKS_PER_TASK: usize = 32;

/// Packs below which one thread does it all: waking another takes as long as its share of the work.
pub(super) const FEW_PACKS: usize = 8 * PACKS_PER_TASK;

/// Work on packs of cells with `N` nodes, each of which writes an `Out` of its own.
pub(super) trait PackKernel<const N: usize, Out>: Sync {
    /// Works on the cells of `pack` that `lanes` selects, and writes theirs alone.
    fn run<L: Lanes>(&self, lanes: L, pack: usize, out: &mut Out);
}

/// A kernel for every kind of cell.
pub(super) trait AnyKernel<Out>:
    PackKernel<4, Out>
    + PackKernel<5, Out>
    + PackKernel<6, Out>
    + PackKernel<8, Out>
    + PackKernel<10, Out>
    + PackKernel<20, Out>
    + PackKernel<27, Out>
{
}

impl<Out, K> AnyKernel<Out> for K where
    K: PackKernel<4, Out>
        + PackKernel<5, Out>
        + PackKernel<6, Out>
        + PackKernel<8, Out>
        + PackKernel<10, Out>
        + PackKernel<20, Out>
        + PackKernel<27, Out>
{
}

/// What packs write, pack after pack.
pub(super) trait Output: Send + Sized {
    /// The part of the first `packs` packs, and the rest.
    fn split(self, packs: usize) -> (Self, Self);
}

/// As many values for every pack; the last may have fewer.
#[derive(Debug)]
pub(super) struct Rows<'a, T> {
    pub(super) values: &'a mut [T],
    pub(super) per_pack: usize,
}

impl<T: Send> Output for Rows<'_, T> {
    fn split(self, packs: usize) -> (Self, Self) {
        let Self { values, per_pack } = self;
        let (first, rest) = values.split_at_mut((packs * per_pack).min(values.len()));
        (Self { values: first, per_pack }, Self { values: rest, per_pack })
    }
}

impl<A: Output, B: Output> Output for (A, B) {
    fn split(self, packs: usize) -> (Self, Self) {
        let ((a, a_rest), (b, b_rest)) = (self.0.split(packs), self.1.split(packs));
        ((a, b), (a_rest, b_rest))
    }
}

/// Runs a kernel over all packs of a batch.
pub(super) fn run_batch<Out: Output>(
    kernel: &impl AnyKernel<Out>,
    width: Width,
    batch: &Batch,
    out: Out,
) {
    let count = batch.pack_count();
    match batch.kind {
        Kind::Tet4 => run_packs::<4, _>(kernel, width, 0, count, out),
        Kind::Tet10 => run_packs::<10, _>(kernel, width, 0, count, out),
        Kind::Tet20 => run_packs::<20, _>(kernel, width, 0, count, out),
        Kind::Hex8 => run_packs::<8, _>(kernel, width, 0, count, out),
        Kind::Hex27 => run_packs::<27, _>(kernel, width, 0, count, out),
        Kind::Prism6 => run_packs::<6, _>(kernel, width, 0, count, out),
        Kind::Pyramid5 => run_packs::<5, _>(kernel, width, 0, count, out),
    }
}

/// Runs a kernel over `count` packs from `first` on, halving them into tasks.
pub(super) fn run_packs<const N: usize, Out: Output>(
    kernel: &impl PackKernel<N, Out>,
    width: Width,
    first: usize,
    count: usize,
    out: Out,
) {
    if count <= PACKS_PER_TASK || (first == 0 && count <= FEW_PACKS) {
        return run_task(kernel, width, first, count, out);
    }
    let half = count / 2;
    let (left, right) = out.split(half);
    rayon::join(
        || run_packs(kernel, width, first, half, left),
        || run_packs(kernel, width, first + half, count - half, right),
    );
}

fn run_task<const N: usize, Out: Output>(
    kernel: &impl PackKernel<N, Out>,
    width: Width,
    first: usize,
    count: usize,
    mut out: Out,
) {
    for pack in first..first + count {
        let (mut one, rest) = out.split(1);
        match width {
            Width::One => (0..LANES).for_each(|lane| kernel.run(One(lane), pack, &mut one)),
            Width::Packs(level) => dispatch!(level, simd => kernel.run(Wide(simd), pack, &mut one)),
        }
        out = rest;
    }
}

//! Runs a kernel over all packs of a batch.

use std::ops::Range;

use super::tasks::{Output, for_each_task};
use super::{Batch, Kernel, Width};
use crate::math::Lanes;

/// Work on the packs of a batch, each of which writes an `Out` of its own.
///
/// `ROOM` is at least the number of nodes of a cell. A kernel is compiled for three of them and not for each kind of cell: loops
/// over nodes are as fast when they are counted at run time, and room that is too large only has to be cleared.
pub(crate) trait CellKernel<Out>: Sync {
    /// Works on the cells of `pack` that `lanes` selects, and writes theirs alone.
    fn run<L: Lanes, const ROOM: usize>(&self, lanes: L, pack: usize, out: &mut Out);
}

/// Runs a kernel over all packs of a batch.
pub(crate) fn run_batch<Out: Output>(
    kernel: &impl CellKernel<Out>,
    width: Width,
    batch: &Batch,
    out: Out,
) {
    for_each_task(batch.pack_count(), out, &|packs, out| match batch.kind.node_count() {
        ..=4 => run_task::<_, _, 4>(kernel, width, packs, out),
        ..=10 => run_task::<_, _, 10>(kernel, width, packs, out),
        _ => run_task::<_, _, 27>(kernel, width, packs, out),
    });
}

fn run_task<K: CellKernel<Out>, Out: Output, const ROOM: usize>(
    kernel: &K,
    width: Width,
    packs: Range<usize>,
    mut out: Out,
) {
    for pack in packs {
        let (one, rest) = out.split(1);
        width.run(&mut OnePack::<_, _, ROOM> { kernel, pack, out: one });
        out = rest;
    }
}

/// A kernel on one pack.
struct OnePack<'a, K, Out, const ROOM: usize> {
    kernel: &'a K,
    pack: usize,
    out: Out,
}

impl<K: CellKernel<Out>, Out, const ROOM: usize> Kernel for OnePack<'_, K, Out, ROOM> {
    #[inline(always)]
    fn run<L: Lanes>(&mut self, lanes: L) {
        self.kernel.run::<L, ROOM>(lanes, self.pack, &mut self.out);
    }
}

//! Runs kernels over all packs of a batch.

use std::ops::Range;

use super::tasks::{Output, for_each_heavy_task, for_each_task};
use super::{Batch, Kernel, Width};
use crate::element::{Kind, MAX_NODES};
use crate::math::{LANES, Lanes, One};

/// A kernel on the packs of a batch, each of which writes its own part of `Out`.
///
/// Whole packs use kernels compiled for the number of nodes of a cell. Single lanes use one kernel for any number of
/// nodes: its loops over nodes are counted at run time, which takes 3 to 15 % longer (60 % on linear tetrahedra) but
/// saves compiling six copies.
pub(crate) trait CellKernel<Out>: Sync {
    /// True for kernels that take microseconds a cell: threads share them from fewer packs on.
    const IS_HEAVY: bool = false;

    /// Processes the cells of `pack` selected by `lanes`, and writes only their results.
    fn run<L: Lanes, C: NodeCount<ROOM>, const ROOM: usize>(
        &self,
        lanes: L,
        pack: usize,
        out: &mut Out,
    );
}

/// The number of nodes of a cell, at most `ROOM`.
pub(crate) trait NodeCount<const ROOM: usize>: Sync {
    /// Returns the number for the cells of a batch.
    fn of(batch: &Batch) -> usize;
}

/// Exactly `ROOM` nodes, known at compile time.
pub(crate) struct Exactly;

impl<const ROOM: usize> NodeCount<ROOM> for Exactly {
    #[inline(always)]
    fn of(_: &Batch) -> usize {
        ROOM
    }
}

/// The number of nodes of the cell kind, known at run time.
pub(crate) struct Any;

impl NodeCount<MAX_NODES> for Any {
    #[inline(always)]
    fn of(batch: &Batch) -> usize {
        batch.kind.node_count()
    }
}

/// Runs a kernel over all packs of a batch.
pub(crate) fn run_batch<Out: Output, K: CellKernel<Out>>(
    kernel: &K,
    width: Width,
    batch: &Batch,
    out: Out,
) {
    let task = |packs, out| match (width, batch.kind) {
        (Width::One, _) => run_lanes(kernel, packs, out),
        (_, Kind::Tet4) => run_task::<_, _, 4>(kernel, width, packs, out),
        (_, Kind::Tet10) => run_task::<_, _, 10>(kernel, width, packs, out),
        (_, Kind::Tet20) => run_task::<_, _, 20>(kernel, width, packs, out),
        (_, Kind::Hex8) => run_task::<_, _, 8>(kernel, width, packs, out),
        (_, Kind::Hex27) => run_task::<_, _, 27>(kernel, width, packs, out),
        (_, Kind::Prism6) => run_task::<_, _, 6>(kernel, width, packs, out),
        (_, Kind::Pyramid5) => run_task::<_, _, 5>(kernel, width, packs, out),
    };
    if K::IS_HEAVY {
        for_each_heavy_task(batch.pack_count(), out, &task);
    } else {
        for_each_task(batch.pack_count(), out, &task);
    }
}

/// Runs the kernel lane by lane.
fn run_lanes<Out: Output>(kernel: &impl CellKernel<Out>, packs: Range<usize>, mut out: Out) {
    for pack in packs {
        let (mut one, rest) = out.split(1);
        for lane in 0..LANES {
            kernel.run::<_, Any, MAX_NODES>(One(lane), pack, &mut one);
        }
        out = rest;
    }
}

fn run_task<K: CellKernel<Out>, Out: Output, const ROOM: usize>(
    kernel: &K,
    width: Width,
    packs: Range<usize>,
    mut out: Out,
) {
    for pack in packs {
        let (one, rest) = out.split(1);
        width.run_packs(&mut OnePack::<_, _, ROOM> { kernel, pack, out: one });
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
        self.kernel.run::<L, Exactly, ROOM>(lanes, self.pack, &mut self.out);
    }
}

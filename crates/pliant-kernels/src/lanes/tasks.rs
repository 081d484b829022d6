//! Distribution of packs among threads: the one driver of all kernels with separate output per pack.

use std::ops::Range;

/// Number of packs per task: about ten microseconds of work, well above the cost of a fork.
pub const PACKS_PER_TASK: usize = 32;

/// Largest number of packs that are processed by one thread: waking another takes as long as its share of the work.
pub const FEW_PACKS: usize = 8 * PACKS_PER_TASK;

/// The same two numbers for kernels that take microseconds a cell, as linearisations do.
const HEAVY_PACKS_PER_TASK: usize = 8;
const FEW_HEAVY_PACKS: usize = 3 * HEAVY_PACKS_PER_TASK;

/// Output written pack after pack.
pub(crate) trait Output: Send + Sized {
    /// Splits off the output of the first `packs` packs.
    fn split(self, packs: usize) -> (Self, Self);
}

/// A fixed number of values per pack; the last pack may have fewer.
#[derive(Debug)]
pub(crate) struct PackRows<'a, T> {
    pub(crate) values: &'a mut [T],
    pub(crate) per_pack: usize,
}

impl<'a, T> PackRows<'a, T> {
    pub(crate) fn new(values: &'a mut [T], per_pack: usize) -> Self {
        Self { values, per_pack }
    }

    /// Returns the values of every pack.
    pub(crate) fn packs(self) -> impl Iterator<Item = &'a mut [T]> {
        self.values.chunks_mut(self.per_pack)
    }
}

impl<T: Send> Output for PackRows<'_, T> {
    fn split(self, packs: usize) -> (Self, Self) {
        let Self { values, per_pack } = self;
        let (first, rest) = values.split_at_mut((packs * per_pack).min(values.len()));
        (Self { values: first, per_pack }, Self { values: rest, per_pack })
    }
}

/// A fixed number of values per task.
#[derive(Debug)]
pub(crate) struct TaskRows<'a, T> {
    pub(crate) values: &'a mut [T],
    pub(crate) per_task: usize,
}

impl<T: Send> Output for TaskRows<'_, T> {
    fn split(self, packs: usize) -> (Self, Self) {
        let Self { values, per_task } = self;
        let tasks = packs.div_ceil(PACKS_PER_TASK);
        let (first, rest) = values.split_at_mut((tasks * per_task).min(values.len()));
        (Self { values: first, per_task }, Self { values: rest, per_task })
    }
}

impl<A: Output, B: Output> Output for (A, B) {
    fn split(self, packs: usize) -> (Self, Self) {
        let ((a, a_rest), (b, b_rest)) = (self.0.split(packs), self.1.split(packs));
        ((a, b), (a_rest, b_rest))
    }
}

/// Calls `work` for runs of [`PACKS_PER_TASK`] packs, each with its part of `out`: sequentially if there are few
/// packs, else on several threads.
pub(crate) fn for_each_task<Out: Output>(
    packs: usize,
    mut out: Out,
    work: &(impl Fn(Range<usize>, Out) + Sync),
) {
    if packs > FEW_PACKS {
        return halve(0..packs, PACKS_PER_TASK, out, work);
    }
    for first in (0..packs).step_by(PACKS_PER_TASK) {
        let task = first..(first + PACKS_PER_TASK).min(packs);
        let (own, rest) = out.split(task.len());
        work(task, own);
        out = rest;
    }
}

/// The same for kernels that take microseconds a cell, and whose output has no task rows.
pub(crate) fn for_each_heavy_task<Out: Output>(
    packs: usize,
    out: Out,
    work: &(impl Fn(Range<usize>, Out) + Sync),
) {
    if packs > FEW_HEAVY_PACKS {
        halve(0..packs, HEAVY_PACKS_PER_TASK, out, work);
    } else {
        work(0..packs, out);
    }
}

/// Halves the packs recursively until one task is left.
fn halve<Out: Output>(
    packs: Range<usize>,
    per_task: usize,
    out: Out,
    work: &(impl Fn(Range<usize>, Out) + Sync),
) {
    let tasks = packs.len().div_ceil(per_task);
    if tasks <= 1 {
        return work(packs, out);
    }
    let half = tasks / 2 * per_task;
    let middle = packs.start + half;
    let (left, right) = out.split(half);
    rayon::join(
        || halve(packs.start..middle, per_task, left, work),
        || halve(middle..packs.end, per_task, right, work),
    );
}

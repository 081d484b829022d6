//! Work in stages, shared by threads without a barrier.

use std::hint;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

/// Checks of the counter before a waiting thread yields the processor.
const SPINS: u32 = 2_000;

/// Tasks in stages: the tasks of a stage may run in parallel, and a stage starts when all earlier ones are finished.
///
/// A free thread draws the next task, in order, waits until the earlier stages are finished, and runs it. A task that
/// was drawn is always being run, so the first unfinished task never waits. Any number of threads works, threads may
/// join late, and no thread is waited for that never joined. The result does not depend on the threads if the tasks do
/// not.
#[derive(Debug, Default)]
pub(super) struct Relay {
    /// For every task, the number of tasks that must be finished before it: those of all earlier stages.
    before: Vec<usize>,
    drawn: AtomicUsize,
    done: AtomicUsize,
}

impl Relay {
    /// Stages with these numbers of tasks.
    pub(super) fn new(stages: impl Iterator<Item = usize>) -> Self {
        let mut before = Vec::new();
        for tasks in stages {
            before.extend(vec![before.len(); tasks]);
        }
        Self { before, ..Self::default() }
    }

    /// Runs all tasks, on at most `threads` threads of the current pool.
    pub(super) fn run(&mut self, threads: usize, task: &(impl Fn(usize) + Sync)) {
        if threads <= 1 {
            return (0..self.before.len()).for_each(task);
        }
        *self.drawn.get_mut() = 0;
        *self.done.get_mut() = 0;
        self.share(threads, task);
    }

    fn share(&self, threads: usize, task: &(impl Fn(usize) + Sync)) {
        if threads <= 1 {
            return self.help(task);
        }
        let half = threads / 2;
        rayon::join(|| self.share(half, task), || self.share(threads - half, task));
    }

    /// Draws and runs tasks until none is left.
    fn help(&self, task: &(impl Fn(usize) + Sync)) {
        loop {
            let drawn = self.drawn.fetch_add(1, Ordering::Relaxed);
            let Some(before) = self.before.get(drawn) else { return };
            self.wait_for(*before);
            let _done = Done(&self.done);
            task(drawn);
        }
    }

    fn wait_for(&self, before: usize) {
        let mut spins = 0;
        while self.done.load(Ordering::Acquire) < before {
            spins += 1;
            if spins < SPINS { hint::spin_loop() } else { thread::yield_now() }
        }
    }
}

impl Clone for Relay {
    fn clone(&self) -> Self {
        Self { before: self.before.clone(), ..Self::default() }
    }
}

/// Counts a task as finished when dropped, also if it panics, because other threads would otherwise wait forever.
struct Done<'a>(&'a AtomicUsize);

impl Drop for Done<'_> {
    fn drop(&mut self) {
        self.0.fetch_add(1, Ordering::Release);
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicU32;

    use super::*;

    /// No task begins before all earlier stages are finished, for any number of threads.
    #[test]
    fn stages_keep_their_order() {
        let sizes = [3, 1, 0, 17, 5, 64];
        let mut relay = Relay::new(sizes.into_iter());
        let stage_of: Vec<usize> =
            sizes.iter().enumerate().flat_map(|(stage, size)| vec![stage; *size]).collect();
        for threads in [1, 2, 3, 8] {
            let finished: Vec<AtomicU32> = sizes.iter().map(|_| AtomicU32::new(0)).collect();
            relay.run(threads, &|task| {
                let stage = stage_of[task];
                for (earlier, size) in sizes[..stage].iter().enumerate() {
                    assert_eq!(finished[earlier].load(Ordering::Relaxed), *size as u32);
                }
                finished[stage].fetch_add(1, Ordering::Relaxed);
            });
            let counts = finished.iter().map(|count| count.load(Ordering::Relaxed) as usize);
            assert!(counts.eq(sizes));
        }
    }
}

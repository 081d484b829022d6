//! Steps on one thread, and their processor time.

use std::time::Duration;

use anyhow::Result;
use cpu_time::ThreadTime;
use pliant::World;
use pliant::world::StepReport;
use rayon::{ThreadPool, ThreadPoolBuilder};

/// A thread for the steps of a world. Its processor time does not count the time of other programs, which take turns with it.
pub(super) struct OneThread {
    pool: ThreadPool,
    spent: Duration,
    steps: u32,
}

impl OneThread {
    pub(super) fn new() -> Result<Self> {
        let pool = ThreadPoolBuilder::new().num_threads(1).build()?;
        Ok(Self { pool, spent: Duration::ZERO, steps: 0 })
    }

    /// Steps a world on the thread.
    pub(super) fn step(&mut self, world: &mut World) -> StepReport {
        let (report, spent) = self.pool.install(|| {
            let begin = ThreadTime::now();
            (world.step(), begin.elapsed())
        });
        self.spent += spent;
        self.steps += 1;
        report
    }

    /// The time of all steps so far, in s.
    pub(super) fn seconds(&self) -> f64 {
        self.spent.as_secs_f64()
    }

    /// The mean time of a step so far, in ms.
    pub(super) fn ms(&self) -> f64 {
        1e3 * self.spent.as_secs_f64() / f64::from(self.steps.max(1))
    }
}

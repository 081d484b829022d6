//! Several runs of a scene, on all threads, on one and on two.

use anyhow::{Context as _, Result};

use super::run::Run;
use crate::bench::Progress;

/// Number of runs on each number of threads.
pub(super) const RUNS: usize = 3;

/// Runs of one scene.
#[derive(Debug)]
pub(super) struct Recording {
    pub(super) scene: &'static str,
    /// Number of available threads.
    pub(super) threads: usize,
    /// Runs with their numbers of threads, in order of time.
    runs: Vec<(usize, Run)>,
}

impl Recording {
    /// Runs a scene on each number of threads in turn, since the load from other processes changes over time.
    pub(super) fn of(scene: &'static str, progress: Progress<'_>) -> Result<Self> {
        let threads = rayon::current_num_threads();
        let others = [1, 2].into_iter().filter(|count| *count != threads);
        let counts: Vec<usize> = std::iter::once(threads).chain(others).collect();
        let mut runs = Vec::new();
        for turn in 1..=RUNS {
            for count in &counts {
                progress(&format!("{scene}, {count} threads, run {turn} of {RUNS}"));
                runs.push((*count, Run::of(scene, *count)?));
            }
        }
        Ok(Self { scene, threads, runs })
    }

    /// The first run, when the process has done nothing else before.
    pub(super) fn first(&self) -> Result<&Run> {
        self.runs.first().map(|(_, run)| run).context("there are runs")
    }

    /// The runs on this number of threads.
    pub(super) fn on(&self, threads: usize) -> impl Iterator<Item = &Run> {
        self.runs.iter().filter(move |(count, _)| *count == threads).map(|(_, run)| run)
    }

    /// The fastest version of each frame on this number of threads: every run computes the same bits, so the fastest
    /// time of a frame is its cost; longer times come from other processes.
    pub(super) fn fastest(&self, threads: usize) -> Result<Run> {
        let mut runs = self.on(threads);
        let mut fastest = runs.next().context("there are runs on so many threads")?.clone();
        runs.for_each(|run| fastest.keep_fastest(run));
        Ok(fastest)
    }

    /// True if all runs ended with the same bits after the same number of frames.
    pub(super) fn is_same(&self) -> Result<bool> {
        let first = self.first()?;
        let same = |run: &Run| run.hash == first.hash && run.frames.len() == first.frames.len();
        Ok(self.runs.iter().all(|(_, run)| same(run)))
    }
}

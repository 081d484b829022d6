//! Runs all jobs, as many at a time as there are threads, and reports them in order.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;

use anyhow::Result;

use super::super::Progress;
use super::engine::Job;
use super::run::{self, Outcome};

/// Runs the jobs, each on one thread, and calls `report` for each of them, in their order.
pub(super) fn run_in_order(
    jobs: &[Job<'_>],
    progress: Progress<'_>,
    mut report: impl FnMut(&Job<'_>, Outcome) -> Result<()>,
) -> Result<()> {
    let next = AtomicUsize::new(0);
    let (sender, receiver) = mpsc::channel();
    std::thread::scope(|scope| {
        for _ in 0..rayon::current_num_threads() {
            let (sender, next) = (sender.clone(), &next);
            scope.spawn(move || {
                while let Some((index, job)) = take(jobs, next) {
                    // The receiver is gone if a row cannot be printed; then no more rows are needed.
                    if sender.send((index, run::outcome(job))).is_err() {
                        break;
                    }
                }
            });
        }
        drop(sender);
        let (mut done, mut waiting, mut first) = (0, BTreeMap::new(), 0);
        for (index, outcome) in receiver {
            done += 1;
            progress(&format!("{done} of {} runs, last: {}", jobs.len(), jobs[index].name()));
            waiting.insert(index, outcome);
            while let Some(outcome) = waiting.remove(&first) {
                report(&jobs[first], outcome)?;
                first += 1;
            }
        }
        Ok(())
    })
}

/// The next job that no thread has taken.
fn take<'a, 'b>(jobs: &'a [Job<'b>], next: &AtomicUsize) -> Option<(usize, &'a Job<'b>)> {
    let index = next.fetch_add(1, Ordering::Relaxed);
    jobs.get(index).map(|job| (index, job))
}

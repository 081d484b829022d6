//! Runs a job and measures it.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;

use anyhow::Result;
use pliant_io::scene::Scene;

use super::engine::{Engine, Job};
use super::figures::Figures;
use super::rapier;
use super::watch::Watch;
use crate::bench::one_thread::OneThread;

/// Processor time after which a run is stopped, in s.
const LIMIT: f64 = 60.0;

/// The figures of a run, or in words why there are none.
pub(super) type Outcome = Result<Figures, String>;

/// Runs a job.
pub(super) fn outcome(job: &Job<'_>) -> Outcome {
    match job.engine {
        // A panic of the engine is a row that fails, not the end of the benchmark.
        Engine::Pliant { .. } => match catch_unwind(AssertUnwindSafe(|| measure(job))) {
            Ok(measured) => measured.map_err(|error| format!("{error:#}")),
            Err(_) => Err("the engine panicked".to_owned()),
        },
        Engine::Rapier => rapier::measure(job),
    }
}

fn measure(job: &Job<'_>) -> Result<Figures> {
    let case = job.case;
    let mut world = Scene::parse(&case.name, &job.scene_text())?.build(Path::new("."))?.world;
    let mut watch = Watch::new(&world);
    let mut thread = OneThread::new()?;
    let start = watch.sample(&world, 0);
    let mut figures = Figures::new(start, watch.lift(&world));
    let steps = (case.seconds * f64::from(job.rate)).round() as usize;
    for _ in 0..steps {
        let report = if watch.asleep { world.step() } else { thread.step(&mut world) };
        let sample = watch.sample(&world, report.resets);
        figures.add(sample, &case.bars, case.seconds);
        if thread.seconds() > LIMIT {
            figures.cut_off = Some(world.time());
            break;
        }
    }
    figures.ms = thread.ms();
    Ok(figures)
}

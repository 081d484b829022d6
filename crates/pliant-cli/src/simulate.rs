//! Steps a world and measures the time.

use std::time::{Duration, Instant};

use anyhow::Result;
use pliant::solver::{LinearReport, StaticReport};
use pliant::world::Compromises;
use pliant_io::scene::{BuiltScene, Mode, Scene};

use crate::event_log::EventLog;
use crate::history::History;
use crate::outputs::Outputs;
use crate::progress::bar;
use pliant_viewer::{PhaseClock, StepBudget};

/// Times and statistics of a simulation.
#[derive(Debug, Default)]
pub(crate) struct Timing {
    /// Time of each frame, without its output.
    pub(crate) frames: Vec<Duration>,
    /// Time of all frames, by phase.
    pub(crate) phases: PhaseClock,
    /// Time of all output.
    pub(crate) output: Duration,
    /// Contacts between bodies: sum over the steps, and the most in a step.
    pub(crate) contacts: (usize, usize),
    /// Statistics of the linear solves: total work, largest size.
    pub(crate) linear: LinearReport,
    /// Sum of the unknowns over all frames; their number changes where the degree adapts.
    pub(crate) unknowns: usize,
    /// Constraint sweeps in all frames.
    pub(crate) sweeps: u64,
    /// Residual of the constraint equations after the last frame, and its sum over all frames.
    pub(crate) sweep_residual: f64,
    pub(crate) sweep_residuals: f64,
    /// Work that steps have skipped to keep the budget of the scene.
    pub(crate) compromises: Compromises,
    /// Problems that the engine recovered from.
    pub(crate) events: EventLog,
    /// Energies and momenta over time, if they are wanted.
    pub(crate) history: Option<History>,
    /// Report of the static solver for each body.
    pub(crate) statics: Vec<StaticReport>,
}

/// Runs a dynamic scene for `frames` frames, or a static scene to its equilibrium. A dynamic scene has a history if one is
/// `wanted`.
pub(crate) fn simulate(
    scene: &Scene,
    built: &mut BuiltScene,
    frames: u64,
    outputs: &mut Outputs,
    wanted: bool,
) -> Result<Timing> {
    match scene.mode {
        Mode::Dynamic => {
            let history = wanted.then(|| History::new(&built.world, frames));
            motion(scene, built, frames, outputs, history)
        }
        Mode::Static => equilibrium(scene, built, outputs),
    }
}

fn motion(
    scene: &Scene,
    built: &mut BuiltScene,
    frames: u64,
    outputs: &mut Outputs,
    history: Option<History>,
) -> Result<Timing> {
    let bar = bar(frames, "{msg} {wide_bar} {pos}/{len} frames, {eta} left");
    bar.set_message("simulating");
    let mut timing = Timing { history, ..Timing::default() };
    let mut step_budget = StepBudget::default();
    record(&mut timing, outputs, built, 0)?;
    for frame in 1..=frames {
        step_budget.begin_step(scene.budget, &mut built.world);
        let start = Instant::now();
        let phases = &timing.phases;
        let report = built.world.step_with(&|phase| phases.begin_phase(phase));
        let took = start.elapsed();
        step_budget.end_step(took, &report);
        timing.frames.push(took);
        timing.compromises += report.compromises;
        timing.contacts.0 += report.contacts;
        timing.contacts.1 = timing.contacts.1.max(report.contacts);
        timing.linear.add_step(&report.linear);
        timing.unknowns += report.linear.unknowns;
        timing.sweeps += u64::from(report.sweeps.sweeps);
        timing.sweep_residual = report.sweeps.residual;
        timing.sweep_residuals += report.sweeps.residual;
        timing.events.record(&built.world, frame);
        timing.history.iter_mut().for_each(|history| history.record(&built.world, frame));
        record(&mut timing, outputs, built, frame)?;
        bar.inc(1);
    }
    bar.finish_and_clear();
    Ok(timing)
}

fn record(
    timing: &mut Timing,
    outputs: &mut Outputs,
    built: &BuiltScene,
    frame: u64,
) -> Result<()> {
    let start = Instant::now();
    outputs.record(built, frame)?;
    timing.output += start.elapsed();
    Ok(())
}

/// Steps of the progress bar of a static solution.
const BAR_STEPS: u64 = 1000;

fn equilibrium(scene: &Scene, built: &mut BuiltScene, outputs: &mut Outputs) -> Result<Timing> {
    let bar = bar(BAR_STEPS, "{msg} {wide_bar} {percent} % of the load");
    let mut timing = Timing::default();
    record(&mut timing, outputs, built, 0)?;
    let start = Instant::now();
    timing.statics = built.world.solve_static(&scene.statics, &mut |progress| {
        bar.set_position((progress.load * BAR_STEPS as f64) as u64);
        bar.set_message(format!("residual {:.1e}", progress.residual));
    })?;
    timing.frames.push(start.elapsed());
    bar.finish_and_clear();
    record(&mut timing, outputs, built, 1)?;
    Ok(timing)
}

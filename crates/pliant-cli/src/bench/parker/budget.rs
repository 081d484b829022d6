//! The glass cell with a time budget below its unrestricted cost.

use std::fmt::Write as _;
use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::Result;
use pliant::world::{Budget, Compromises, World};

use super::recording::{RUNS, Recording};
use crate::bench::Progress;
use crate::bench::spread::Spread;
use crate::scene_source::SceneSource;

/// Results of a scene with a budget.
struct BudgetRun {
    /// Time of every frame, in ms.
    times: Vec<f64>,
    compromises: Compromises,
    end: Heap,
}

/// The heap of fragments at the end.
#[derive(Debug, Clone, Copy)]
struct Heap {
    pieces: usize,
    /// Highest and lowest point, in m.
    top: f64,
    bottom: f64,
    /// Energies, in J.
    kinetic: f64,
    elastic: f64,
    /// Volume over that at rest.
    volume: f64,
}

impl Heap {
    fn of(world: &World) -> Self {
        let heights = || world.bodies().flat_map(|(_, body)| body.state.x.iter().map(|x| x.y));
        let energy = world.energy();
        Self {
            pieces: world.bodies().count(),
            top: heights().fold(f64::NEG_INFINITY, f64::max),
            bottom: heights().fold(f64::INFINITY, f64::min),
            kinetic: energy.kinetic,
            elastic: energy.elastic,
            volume: world.volume_ratio(),
        }
    }
}

/// Frame times with a budget of the unrestricted 99th percentile, and of half of it.
pub(super) fn table(cell: &Recording, progress: Progress<'_>) -> Result<String> {
    let wanted = wanted(cell);
    let mut text = format!(
        "\n## A budget\n\n\
         `Budget` limits iterations, breaks and steps at full rate by the measured cost of earlier steps. Target: 99 \
         % of the frames within the budget, and a plausible heap at the end. The first budget, {wanted:.1} ms, is \
         the time of a frame without a budget: the 99th percentile of the median run above, because these are single \
         runs as well; the second is half of it. Three runs each; they differ because measured times differ.\n\n\
         | budget, ms | frames within it | mean, ms | median | 99th percentile | longest | solves cut short | breaks postponed | steps skipped | bodies and fragments | top, m | bottom | kinetic, J | elastic, J | volume |\n\
         |---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|\n"
    );
    for budget in [f64::INFINITY, wanted, 0.5 * wanted] {
        for turn in 1..=RUNS {
            progress(&format!("{}, {budget:.1} ms a frame, run {turn} of {RUNS}", cell.scene));
            row(&mut text, budget, &run(cell.scene, budget)?)?;
            if budget == f64::INFINITY {
                break;
            }
        }
    }
    Ok(text)
}

/// The unrestricted time of a frame, in ms: the 99th percentile of the median run without a budget.
fn wanted(cell: &Recording) -> f64 {
    let wanted = cell.on(cell.threads).map(|run| {
        let frames = &run.frames[..run.length.min(run.frames.len())];
        Spread::of(frames.iter().map(|frame| frame.time).collect()).ninety_ninth
    });
    let mut wanted: Vec<f64> = wanted.collect();
    wanted.sort_by(f64::total_cmp);
    wanted[wanted.len() / 2]
}

fn row(text: &mut String, budget: f64, kept: &BudgetRun) -> Result<()> {
    let BudgetRun {
        times,
        compromises: Compromises { solves, breaks, finished_double_steps: landed },
        end,
    } = kept;
    let within = times.iter().filter(|time| **time <= budget).count();
    let share = 100.0 * within as f64 / times.len().max(1) as f64;
    let name = if budget.is_finite() { format!("{budget:.1}") } else { "none".to_owned() };
    let Heap { pieces, top, bottom, kinetic, elastic, volume } = *end;
    writeln!(
        text,
        "| {name} | {share:.1} % | {} | {solves} | {breaks} | {landed} | {pieces} | {top:.2} | {bottom:.3} | {kinetic:.1e} | {elastic:.1} | {volume:.4} |",
        Spread::of(times.clone())
    )?;
    Ok(())
}

/// Runs a scene with a budget of `budget` ms per frame.
fn run(scene: &str, budget: f64) -> Result<BudgetRun> {
    let (scene, built) = SceneSource::find(Path::new(scene))?.open()?;
    let mut world = built.world;
    let mut keeper =
        budget.is_finite().then(|| Budget::new(Duration::from_secs_f64(1e-3 * budget)));
    let (mut times, mut compromises) = (Vec::new(), Compromises::default());
    while world.time() < scene.duration {
        if let Some(keeper) = &keeper {
            world.set_limits(keeper.limits());
        }
        let begin = Instant::now();
        let report = world.step();
        let took = begin.elapsed();
        keeper.iter_mut().for_each(|keeper| keeper.note(took, &report));
        times.push(1e3 * took.as_secs_f64());
        compromises += report.compromises;
    }
    Ok(BudgetRun { times, compromises, end: Heap::of(&world) })
}

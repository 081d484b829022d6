//! Cost of contact: frame times, scaling, threads, sleep.

mod heap;
mod scenes;

use std::fmt::Write as _;
use std::path::Path;
use std::time::Instant;

use anyhow::{Context, Result};
use pliant::solver::Phase;
use pliant::world::World;

use super::Progress;
use super::plot::{self, Curve, Line, Plot};
use super::spread::Spread;
use heap::{CELLS_EACH, Layout};
use pliant_viewer::PhaseClock;
pub(super) use scenes::table as scenes_table;

/// All tables.
pub(super) fn tables(progress: Progress<'_>) -> Result<String> {
    let mut text = String::new();
    text += &frames(progress)?;
    text += &sleep(progress)?;
    text += &threads(progress)?;
    text += &growth(progress)?;
    Ok(text)
}

/// Number of frames of a run, and of runs.
const FRAMES: usize = 600;
const RUNS: usize = 3;

/// Frame times of 24 bodies that fall on each other (Parker & O'Brien 2009, figure 7).
///
/// Every run computes the same bits in each frame, so the fastest time of a frame is its cost; longer times come from
/// other processes.
fn frames(progress: Progress<'_>) -> Result<String> {
    let clock = PhaseClock::default();
    let mut fastest = vec![f64::INFINITY; FRAMES];
    let mut text = format!(
        "## Frames of 24 bodies of {CELLS_EACH} linear tetrahedra, dropped in a heap, {FRAMES} frames of 1/60 s, {} threads\n\n\
         | run | mean, ms | median | 99th percentile | longest |\n|---|---|---|---|---|\n",
        rayon::current_num_threads(),
    );
    for run in 1..=RUNS {
        progress(&format!("24 bodies in a heap, run {run} of {RUNS}"));
        let times = frame_times(&clock)?;
        fastest.iter_mut().zip(&times).for_each(|(fastest, time)| *fastest = fastest.min(*time));
        writeln!(text, "| {run} | {} |", Spread::of(times))?;
    }
    writeln!(text, "| fastest of each frame | {} |", Spread::of(fastest))?;
    text += "\n| phase | ms a frame, threads together |\n|---|---|\n";
    for (name, phase) in PHASES {
        let ms = 1e3 * clock.spent(phase).as_secs_f64() / (RUNS * FRAMES) as f64;
        writeln!(text, "| {name} | {ms:.3} |")?;
    }
    Ok(text)
}

/// Times of all frames of the heap, in ms.
fn frame_times(clock: &PhaseClock) -> Result<Vec<f64>> {
    let mut world = heap::world(24, Layout::Heaped, false)?;
    let time = |_| {
        let start = Instant::now();
        world.step_with(&|phase| clock.begin_phase(phase));
        1e3 * start.elapsed().as_secs_f64()
    };
    Ok((0..FRAMES).map(time).collect())
}

const PHASES: [(&str, Phase); 5] = [
    ("contact", Phase::Contact),
    ("forces", Phase::Forces),
    ("assembly", Phase::Assembly),
    ("solve", Phase::Solve),
    ("update", Phase::Update),
];

/// Time until a pile sleeps, and the cost of a sleeping frame.
fn sleep(progress: Progress<'_>) -> Result<String> {
    const MAX_FRAMES: usize = 1200;
    progress("a pile that falls asleep");
    let mut world = heap::world(20, Layout::Heaped, true)?;
    let mut awake = Vec::new();
    let asleep = (0..MAX_FRAMES).find(|_| {
        let start = Instant::now();
        world.step();
        awake.push(start.elapsed().as_secs_f64());
        all_asleep(&world)
    });
    let when = asleep.map_or_else(
        || "not within 20 s".to_owned(),
        |frame| format!("after {:.1} s", (frame + 1) as f64 / 60.0),
    );
    let (awake, asleep) =
        (median(awake), median((0..200).map(|_| mean_time(&mut world, 1)).collect()));
    Ok(format!(
        "\n## A pile of 20 such bodies\n\n\
         All bodies asleep: {when}. A frame then takes {:.2} µs, {:.3} % of the {:.2} ms before (medians).\n",
        1e6 * asleep,
        100.0 * asleep / awake,
        1e3 * awake,
    ))
}

fn median(mut times: Vec<f64>) -> f64 {
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}

fn all_asleep(world: &World) -> bool {
    world.bodies().all(|(body, _)| world.is_asleep(body) == Some(true))
}

/// The name of a case, and a function that makes its world.
type Case = (&'static str, fn() -> Result<World>);

/// Two threads against one.
fn threads(progress: Progress<'_>) -> Result<String> {
    let mut text = String::from(
        "\n## Two threads compared with one\n\n\
         | bodies | ms a frame, one | two | ratio | same bits |\n|---|---|---|---|---|\n",
    );
    let cases: [Case; 3] = [
        ("100 apart", || heap::world(100, Layout::Spread, false)),
        ("100 heaped", || heap::world(100, Layout::Heaped, false)),
        ("one of 15,000 cells", heap::large),
    ];
    for (name, world) in cases {
        progress(name);
        let [(one, hash), (two, other)] = [1, 2]
            .map(|count_threads| {
                let pool = rayon::ThreadPoolBuilder::new().num_threads(count_threads).build();
                timed(pool.ok(), world()?)
            })
            .into_iter()
            .collect::<Result<Vec<_>>>()?
            .try_into()
            .ok()
            .context("two runs")?;
        let same = if hash == other { "yes" } else { "NO" };
        writeln!(text, "| {name} | {one:.2} | {two:.2} | {:.2} | {same} |", one / two)?;
    }
    Ok(text)
}

/// Mean time of a frame after one second of falling, in ms, and the hash of the state.
fn timed(pool: Option<rayon::ThreadPool>, mut world: World) -> Result<(f64, u64)> {
    let pool = pool.context("cannot create threads")?;
    Ok(pool.install(|| {
        mean_time(&mut world, 60);
        (1e3 * mean_time(&mut world, 60), world.state_hash())
    }))
}

/// Mean time of a step, in s.
fn mean_time(world: &mut World, steps: u32) -> f64 {
    let start = Instant::now();
    for _ in 0..steps {
        world.step();
    }
    start.elapsed().as_secs_f64() / f64::from(steps)
}

/// Cost against the number of bodies.
fn growth(progress: Progress<'_>) -> Result<String> {
    let mut text = String::from(
        "\n## Growth\n\nThe chart is in `contact-growth.svg`; its third line is proportional to n log n.\n\n\
         | bodies | spread, ms a frame | µs a body | heaped, ms a frame | µs a body |\n|---|---|---|---|---|\n",
    );
    let [mut apart, mut heap, mut guide] = [const { Vec::new() }; 3];
    for count in [10, 100, 1000] {
        progress(&format!("{count} bodies"));
        let steps = if count < 1000 { 60 } else { 20 };
        let [spread, heaped] = [Layout::Spread, Layout::Heaped].map(|layout| -> Result<f64> {
            let mut world = heap::world(count, layout, false)?;
            mean_time(&mut world, 60);
            Ok(1e3 * mean_time(&mut world, steps))
        });
        let (spread, heaped) = (spread?, heaped?);
        let n = f64::from(count as u32);
        apart.push([n, spread]);
        heap.push([n, heaped]);
        guide.push([n, heap[0][1] * 0.1 * n * n.log10()]);
        let each = |ms: f64| 1e3 * ms / count as f64;
        writeln!(
            text,
            "| {count} | {spread:.2} | {:.1} | {heaped:.2} | {:.1} |",
            each(spread),
            each(heaped)
        )?;
    }
    let curves = [("apart", apart), ("heaped", heap), ("n log n", guide)].into_iter().enumerate();
    let curves = curves
        .map(|(colour, (name, points))| Curve { name, colour, line: Line::Solid, points })
        .collect();
    let plot = Plot { title: "time of a frame, ms", x: "bodies", curves };
    plot::write(Path::new("contact-growth.svg"), &[plot])?;
    Ok(text)
}

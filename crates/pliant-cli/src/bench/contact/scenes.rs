//! Whether anything goes through anything: the scenes of contact, from jittered starts.

use std::fmt::Write as _;
use std::path::Path;
use std::time::Instant;

use anyhow::{Result, anyhow};
use glam::DVec3;
use pliant::contact::ContactLevel;
use pliant::math::SplitMix;
use pliant::world::{StepReport, World};

use super::super::Progress;
use super::judge::{Judge, Verdict};
use crate::scene_source::SceneSource;

/// What is run.
const SCENES: [&str; 10] = [
    "contact/spike-on-spike",
    "contact/spike-in-crack",
    "contact/wedge",
    "contact/internal-edges",
    "contact/overlapping",
    "contact/jellies",
    "contact/gripper",
    "contact/ratios",
    "contact/twisted-mat",
    "bargteil/chickens",
];

/// Starts of every scene, and frames of each.
const STARTS: u64 = 10;
const FRAMES: usize = 150;

/// How far bodies that are free are moved at the start, in m.
const JITTER: f64 = 1e-3;

/// Counts intersecting triangles after every step of every scene, at both levels.
pub(in crate::bench) fn table(progress: Progress<'_>) -> Result<String> {
    let mut text = format!(
        "Triangles of skins that intersect at the end of a step, {STARTS} starts of each scene moved by up to {:.0} mm, {FRAMES} steps of each. \
         All pairs of triangles whose boxes overlap are looked at, of two bodies or of one that meets itself, and every vertex that may be inside another body. \
         Times are those of one thread, without the looking.\n\n\
         | scene | level | steps | with intersections | most in a step | deepest, mm | steps with zones | nodes in zones, mean | bodies set back \
         | pairs left out | not finite | ms a step | longest |\n|---|---|---|---|---|---|---|---|---|---|---|---|---|\n",
        1e3 * JITTER
    );
    for scene in SCENES {
        for level in [ContactLevel::Game, ContactLevel::Safe] {
            progress(&format!("{scene}, {}", level.name()));
            let sum = starts(scene, level)?;
            writeln!(text, "| {scene} | {} | {} |", level.name(), sum.cells())?;
        }
    }
    Ok(text)
}

/// Runs all starts, side by side, each in one thread.
fn starts(scene: &str, level: ContactLevel) -> Result<Count> {
    let workers = rayon::current_num_threads() as u64;
    let some = |worker: u64| -> Result<Vec<Count>> {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build()?;
        let starts = (0..STARTS).filter(|start| start % workers == worker);
        pool.install(|| starts.map(|start| run(scene, level, start)).collect())
    };
    let counts: Vec<Result<Vec<Count>>> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..workers).map(|k| scope.spawn(move || some(k))).collect();
        let broken = |_| Err(anyhow!("a thread of the bench broke off"));
        threads.into_iter().map(|thread| thread.join().unwrap_or_else(broken)).collect()
    });
    let mut sum = Count::default();
    for count in counts {
        count?.iter().for_each(|count| sum.add(count));
    }
    Ok(sum)
}

/// What went through what, and what it took that nothing did.
#[derive(Debug, Default)]
struct Count {
    steps: usize,
    /// Steps that ended with intersections, and the most pairs of triangles.
    through: usize,
    most: usize,
    /// In m.
    deepest: f64,
    zone_steps: usize,
    zoned: usize,
    set_back: usize,
    left_out: usize,
    resets: usize,
    /// In s, of all steps and of the longest.
    time: f64,
    longest: f64,
}

impl Count {
    fn add(&mut self, other: &Self) {
        self.steps += other.steps;
        self.through += other.through;
        self.most = self.most.max(other.most);
        self.deepest = self.deepest.max(other.deepest);
        self.zone_steps += other.zone_steps;
        self.zoned += other.zoned;
        self.set_back += other.set_back;
        self.left_out += other.left_out;
        self.resets += other.resets;
        self.time += other.time;
        self.longest = self.longest.max(other.longest);
    }

    /// A step, what it ended with, and how many seconds it took.
    fn add_step(&mut self, report: &StepReport, verdict: &Verdict, seconds: f64) {
        let safe = &report.safe;
        self.add(&Self {
            steps: 1,
            through: usize::from(verdict.through > 0),
            most: verdict.through,
            deepest: verdict.deepest,
            zone_steps: usize::from(safe.zoned > 0),
            zoned: safe.zoned,
            set_back: safe.set_back,
            left_out: safe.left_out,
            resets: report.resets,
            time: seconds,
            longest: seconds,
        });
    }

    fn cells(&self) -> String {
        let Self { steps, through, most, zone_steps, set_back, left_out, resets, .. } = self;
        let zoned = self.zoned as f64 / (*zone_steps).max(1) as f64;
        let (mean, longest) = (1e3 * self.time / *steps as f64, 1e3 * self.longest);
        format!(
            "{steps} | {through} | {most} | {:.3} | {zone_steps} | {zoned:.0} | {set_back} | {left_out} | {resets} | {mean:.2} | {longest:.1}",
            1e3 * self.deepest
        )
    }
}

fn run(scene: &str, level: ContactLevel, start: u64) -> Result<Count> {
    let (_, built) = SceneSource::find(Path::new(scene))?.open()?;
    let mut world = built.world;
    let mut config = *world.config();
    config.contact = level;
    world.set_config(config)?;
    jitter(&mut world, start);
    let mut judge = Judge::new(&world);
    let mut count = Count::default();
    for _ in 0..FRAMES {
        let begin = Instant::now();
        let report = world.step();
        let seconds = begin.elapsed().as_secs_f64();
        count.add_step(&report, &judge.look(&world), seconds);
    }
    Ok(count)
}

/// Moves all bodies that no pin holds.
fn jitter(world: &mut World, start: u64) {
    let mut random = SplitMix::new(start);
    let free: Vec<_> = world
        .bodies()
        .filter(|(_, body)| body.pins().is_empty())
        .map(|(handle, _)| handle)
        .collect();
    for handle in free {
        let by = JITTER
            * DVec3::from([(); 3].map(|()| random.signed_unit()))
            * DVec3::new(1.0, 0.0, 1.0);
        if let Some(body) = world.body_mut(handle)
            && start > 0
        {
            body.state.x.iter_mut().for_each(|x| *x += by);
        }
    }
}

//! Counts intersections in the contact scenes, from random initial positions.

use std::path::Path;
use std::time::Instant;

use anyhow::{Result, anyhow};
use glam::DVec3;
use pliant::contact::ContactLevel;
use pliant::world::{StepReport, World};
use pliant_kernels::math::SplitMix;

use super::super::Progress;
use crate::args::BenchArgs;
use crate::bench::intersection_check::{IntersectionCheck, Intersections};
use crate::scene_source::SceneSource;
use crate::terminal::print;

/// The scenes and their numbers of steps: until their bodies have met, or come to rest.
const SCENES: [(&str, usize); 15] = [
    ("contact/spike-on-spike", 150),
    ("contact/spike-in-crack", 150),
    ("contact/wedge", 150),
    ("contact/internal-edges", 150),
    ("contact/overlapping", 150),
    ("contact/jellies", 150),
    ("contact/gripper", 240),
    ("contact/ratios", 150),
    ("contact/twisted-mat", 240),
    ("contact/terrain", 150),
    ("parker/pile", 150),
    ("parker/spool", 300),
    ("parker/trestle", 120),
    ("bargteil/helices", 60),
    ("bargteil/chickens", 150),
];

/// Default number of starts of every scene.
const STARTS: u64 = 10;

/// Largest random displacement of free bodies at the start, in m.
const JITTER: f64 = 1e-3;

/// Counts intersecting triangles after every step of every scene, at both levels.
pub(in crate::bench) fn table(args: &BenchArgs, progress: Progress<'_>) -> Result<()> {
    let starts = args.starts.unwrap_or(STARTS);
    print(&head(starts))?;
    for (scene, frames) in SCENES {
        for level in [ContactLevel::Game, ContactLevel::Safe] {
            let name = format!("{scene}, {}", level.name());
            if args.only.as_ref().is_none_or(|text| name.contains(text)) {
                progress(&name);
                let sum = sum_of_starts(scene, frames, level, starts)?;
                print(&format!("| {scene} | {} | {} |\n", level.name(), sum.cells()))?;
            }
        }
    }
    Ok(())
}

fn head(starts: u64) -> String {
    format!(
        "Intersecting triangles of skins at the end of each step, for {starts} starts of each scene with the bodies \
         moved by up to {:.0} mm. All pairs of triangles whose boxes overlap are tested, of two bodies or of one \
         with self-contact, and every vertex that may be inside another body. Bodies that intersect at the start are \
         counted separately until they have separated. Times are those of one thread, without these tests.\n\n\
         | scene | level | steps | with intersections | most in a step | deepest, mm | steps with pairs that intersect since the start | steps with zones | nodes in zones, mean | bodies rolled back | pairs excluded | crushed | not finite | ms a step | longest |\n\
         |---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|\n",
        1e3 * JITTER
    )
}

/// Runs all starts in parallel, each on one thread.
fn sum_of_starts(scene: &str, frames: usize, level: ContactLevel, starts: u64) -> Result<Count> {
    let workers = rayon::current_num_threads() as u64;
    let some = |worker: u64| -> Result<Vec<Count>> {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build()?;
        let starts = (0..starts).filter(|start| start % workers == worker);
        pool.install(|| starts.map(|start| run(scene, frames, level, start)).collect())
    };
    let counts: Vec<Result<Vec<Count>>> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..workers).map(|k| scope.spawn(move || some(k))).collect();
        let broken = |_| Err(anyhow!("a thread of the benchmark panicked"));
        threads.into_iter().map(|thread| thread.join().unwrap_or_else(broken)).collect()
    });
    let mut sum = Count::default();
    for count in counts {
        count?.iter().for_each(|count| sum.add(count));
    }
    Ok(sum)
}

/// Intersections, and the measures taken to prevent them.
#[derive(Debug, Default)]
struct Count {
    steps: usize,
    /// Steps that ended with intersections, and the largest number of intersecting pairs of triangles.
    triangle_pairs: usize,
    most: usize,
    /// Largest depth of a vertex inside another body, in m.
    depth: f64,
    /// Steps that ended with bodies that have intersected since the start.
    from_start: usize,
    zone_steps: usize,
    zoned: usize,
    set_back: usize,
    left_out: usize,
    crushed: usize,
    resets: usize,
    /// Total time of all steps and time of the longest, in s.
    time: f64,
    longest: f64,
}

impl Count {
    fn add(&mut self, other: &Self) {
        self.steps += other.steps;
        self.triangle_pairs += other.triangle_pairs;
        self.most = self.most.max(other.most);
        self.depth = self.depth.max(other.depth);
        self.from_start += other.from_start;
        self.zone_steps += other.zone_steps;
        self.zoned += other.zoned;
        self.set_back += other.set_back;
        self.left_out += other.left_out;
        self.crushed += other.crushed;
        self.resets += other.resets;
        self.time += other.time;
        self.longest = self.longest.max(other.longest);
    }

    /// Adds a step with its intersections and its time in seconds.
    fn add_step(&mut self, report: &StepReport, found: &Intersections, seconds: f64) {
        let safe = &report.safe;
        self.add(&Self {
            steps: 1,
            triangle_pairs: usize::from(found.triangle_pairs > 0),
            most: found.triangle_pairs,
            depth: found.depth,
            from_start: usize::from(found.from_start > 0),
            zone_steps: usize::from(safe.zoned > 0),
            zoned: safe.zoned,
            set_back: safe.rolled_back,
            left_out: safe.left_out,
            crushed: usize::from(safe.crushed),
            resets: report.resets,
            time: seconds,
            longest: seconds,
        });
    }

    fn cells(&self) -> String {
        let Self { steps, triangle_pairs, most, from_start, zone_steps, .. } = self;
        let Self { set_back, left_out, crushed, resets, .. } = self;
        let zoned = self.zoned as f64 / (*zone_steps).max(1) as f64;
        let (mean, longest) = (1e3 * self.time / *steps as f64, 1e3 * self.longest);
        format!(
            "{steps} | {triangle_pairs} | {most} | {:.3} | {from_start} | {zone_steps} | {zoned:.0} | {set_back} | {left_out} | {crushed} | {resets} | {mean:.2} | {longest:.1}",
            1e3 * self.depth
        )
    }
}

fn run(scene: &str, frames: usize, level: ContactLevel, start: u64) -> Result<Count> {
    let (_, built) = SceneSource::find(Path::new(scene))?.open()?;
    let mut world = built.world;
    let mut config = *world.config();
    config.contact = level;
    world.set_config(config)?;
    jitter(&mut world, start);
    let mut check = IntersectionCheck::new(&world);
    let mut count = Count::default();
    for _ in 0..frames {
        let begin = Instant::now();
        let report = world.step();
        let seconds = begin.elapsed().as_secs_f64();
        let found = check.find(&world);
        count.add_step(&report, &found, seconds);
    }
    Ok(count)
}

/// Moves all bodies without pins by a random offset; start 0 stays unchanged.
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
        if let Some(body) = world.get_mut(handle)
            && start > 0
        {
            body.state.x.iter_mut().for_each(|x| *x += by);
        }
    }
}

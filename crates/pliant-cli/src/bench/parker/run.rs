//! Runs a scene until all bodies sleep, and measures it.

use std::path::Path;
use std::time::Instant;

use anyhow::{Context as _, Result};
use pliant::solver::Phase;
use pliant::world::{StepReport, World};
use pliant_viewer::PhaseClock;

use super::super::memory::resident;
use super::workload::Workload;
use crate::scene_source::SceneSource;

/// The largest number of frames of a run: 30 s.
const MAX_FRAMES: usize = 1800;

/// Number of frames that are run after everything sleeps.
const FRAMES_ASLEEP: usize = 120;

/// Time and workload of a frame.
#[derive(Debug, Clone, Copy)]
pub(super) struct Frame {
    /// Time, in ms.
    pub(super) time: f64,
    /// Time by phase, in ms, summed over threads.
    pub(super) phases: [f64; Phase::COUNT],
    pub(super) work: Workload,
    /// Memory of the process after the frame, in MB, if the system reports it.
    pub(super) memory: Option<f64>,
}

/// All frames of a run.
#[derive(Debug, Clone)]
pub(super) struct Run {
    pub(super) frames: Vec<Frame>,
    /// Number of frames within the duration of the scene, and the length of one, in s.
    pub(super) length: usize,
    pub(super) dt: f64,
    /// Number of frames until everything slept; `None` if it did not.
    asleep: Option<usize>,
    /// Initial workload, and the memory of the process before and after the scene was opened, in MB.
    pub(super) start: Workload,
    pub(super) memory: [Option<f64>; 2],
    /// Size of snapshots at the start and at the end, in bytes.
    pub(super) snapshots: [usize; 2],
    /// Hash of the state at the end.
    pub(super) hash: u64,
}

impl Run {
    /// Runs a scene on this number of threads.
    pub(super) fn of(scene: &str, threads: usize) -> Result<Self> {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build()?;
        pool.install(|| Self::in_this_pool(scene))
    }

    fn in_this_pool(scene: &str) -> Result<Self> {
        let before = resident();
        let (scene, built) = SceneSource::find(Path::new(scene))?.open()?;
        let (mut world, opened) = (built.world, resident());
        let start = Workload::of(&world, &StepReport::default());
        let begin = world.snapshot().len();
        let (frames, asleep) = frames(&mut world);
        let dt = world.config().dt;
        Ok(Self {
            frames,
            length: (scene.duration / dt).round() as usize,
            dt,
            asleep,
            start,
            memory: [before, opened],
            snapshots: [begin, world.snapshot().len()],
            hash: world.state_hash(),
        })
    }

    /// The frames before everything sleeps.
    pub(super) fn awake(&self) -> &[Frame] {
        &self.frames[..self.asleep.unwrap_or(self.frames.len())]
    }

    /// True if everything sleeps at the end.
    pub(super) fn is_asleep(&self) -> bool {
        self.asleep.is_some()
    }

    /// Describes the frames of [`Run::awake`].
    pub(super) fn awake_name(&self) -> String {
        let count = self.awake().len();
        match self.asleep {
            Some(_) => format!("all {count} until all bodies sleep"),
            None => format!("all {count}; not all bodies sleep"),
        }
    }

    /// Frames that are drawn in charts: at most twice the duration of the scene.
    pub(super) fn drawn(&self) -> &[Frame] {
        &self.frames[..self.frames.len().min(2 * self.length)]
    }

    /// The last frames, asleep or not.
    pub(super) fn ending(&self) -> &[Frame] {
        &self.frames[self.frames.len().saturating_sub(FRAMES_ASLEEP)..]
    }

    /// Replaces frames by those of another run of the same scene if they were faster.
    pub(super) fn keep_fastest(&mut self, other: &Self) {
        for (own, other) in self.frames.iter_mut().zip(&other.frames) {
            if other.time < own.time {
                *own = *other;
            }
        }
    }

    /// The last frame.
    pub(super) fn last(&self) -> Result<&Frame> {
        self.frames.last().context("a run has frames")
    }
}

/// Runs until some frames after everything sleeps; returns the frames, and their number until then.
fn frames(world: &mut World) -> (Vec<Frame>, Option<usize>) {
    let clock = PhaseClock::default();
    let (mut frames, mut asleep) = (Vec::with_capacity(MAX_FRAMES), None);
    while frames.len() < asleep.map_or(MAX_FRAMES, |slept| MAX_FRAMES.min(slept + FRAMES_ASLEEP)) {
        let frame = frame(world, &clock);
        frames.push(frame);
        asleep = asleep.or(Some(frames.len())).filter(|_| frame.work.awake == 0);
    }
    (frames, asleep)
}

fn frame(world: &mut World, clock: &PhaseClock) -> Frame {
    let before = spent(clock);
    let start = Instant::now();
    let report = world.step_with(&|phase| clock.begin_phase(phase));
    let time = 1e3 * start.elapsed().as_secs_f64();
    let after = spent(clock);
    let phases = std::array::from_fn(|phase| after[phase] - before[phase]);
    Frame { time, phases, work: Workload::of(world, &report), memory: resident() }
}

/// All phases with their names, in order.
pub(super) const PHASES: [(&str, Phase); Phase::COUNT] = [
    ("contact", Phase::Contact),
    ("forces", Phase::Forces),
    ("degree", Phase::Degree),
    ("assembly", Phase::Assembly),
    ("factor", Phase::Factor),
    ("solve", Phase::Solve),
    ("flow", Phase::Flow),
    ("fracture", Phase::Fracture),
    ("update", Phase::Update),
];

/// Accumulated time by phase, in ms.
fn spent(clock: &PhaseClock) -> [f64; Phase::COUNT] {
    PHASES.map(|(_, phase)| 1e3 * clock.spent(phase).as_secs_f64())
}

//! A scene, run until all of it sleeps, with a clock.

use std::path::Path;
use std::time::Instant;

use anyhow::{Context as _, Result};
use pliant::solver::Phase;
use pliant::world::{StepReport, World};
use pliant_viewer::PhaseClock;

use super::memory;
use super::workload::Workload;
use crate::scene_source::SceneSource;

/// Most frames of a run: 30 s.
const MOST: usize = 1800;

/// Frames that a run goes on for once everything sleeps.
const SLEEPING: usize = 120;

/// What a frame took, and why.
#[derive(Debug, Clone, Copy)]
pub(super) struct Frame {
    /// In ms.
    pub(super) time: f64,
    /// By phase, in ms, threads together.
    pub(super) phases: [f64; Phase::COUNT],
    pub(super) work: Workload,
    /// What the process holds after it, in MB, if the system tells.
    pub(super) memory: Option<f64>,
}

/// All frames of a run.
#[derive(Debug, Clone)]
pub(super) struct Run {
    pub(super) frames: Vec<Frame>,
    /// Frames of the scene itself, and the length of one, in s.
    pub(super) length: usize,
    pub(super) dt: f64,
    /// Frames until everything slept, if it did.
    asleep: Option<usize>,
    /// How it began, and what the process held before the scene was opened and after that.
    pub(super) start: Workload,
    pub(super) memory: [Option<f64>; 2],
    /// Bytes of snapshots at the start and at the end.
    pub(super) snapshots: [usize; 2],
    /// Fingerprint of the state at the end.
    pub(super) hash: u64,
}

impl Run {
    /// Runs a scene on so many threads.
    pub(super) fn of(scene: &str, threads: usize) -> Result<Self> {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build()?;
        pool.install(|| Self::here(scene))
    }

    fn here(scene: &str) -> Result<Self> {
        let before = memory::resident();
        let (scene, built) = SceneSource::find(Path::new(scene))?.open()?;
        let (mut world, opened) = (built.world, memory::resident());
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

    /// Frames until everything sleeps.
    pub(super) fn awake(&self) -> &[Frame] {
        &self.frames[..self.asleep.unwrap_or(self.frames.len())]
    }

    /// Whether everything sleeps in the end.
    pub(super) fn is_asleep(&self) -> bool {
        self.asleep.is_some()
    }

    /// What those frames are, in words.
    pub(super) fn awake_name(&self) -> String {
        let count = self.awake().len();
        match self.asleep {
            Some(_) => format!("all {count} until everything sleeps"),
            None => format!("all {count} there were, without everything asleep"),
        }
    }

    /// Frames that are drawn: until a while after everything sleeps, or as many again as the scene has.
    pub(super) fn drawn(&self) -> &[Frame] {
        &self.frames[..self.frames.len().min(2 * self.length)]
    }

    /// The last frames, asleep or not.
    pub(super) fn ending(&self) -> &[Frame] {
        &self.frames[self.frames.len().saturating_sub(SLEEPING)..]
    }

    /// Takes over the frames that another run of the same was faster in.
    pub(super) fn take_faster(&mut self, other: &Self) {
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

/// Frames until a while after everything sleeps, and how many there were until then.
fn frames(world: &mut World) -> (Vec<Frame>, Option<usize>) {
    let clock = PhaseClock::default();
    let (mut frames, mut asleep) = (Vec::with_capacity(MOST), None);
    while frames.len() < asleep.map_or(MOST, |slept| MOST.min(slept + SLEEPING)) {
        let frame = frame(world, &clock);
        frames.push(frame);
        asleep = asleep.or(Some(frames.len())).filter(|_| frame.work.awake == 0);
    }
    (frames, asleep)
}

fn frame(world: &mut World, clock: &PhaseClock) -> Frame {
    let before = spent(clock);
    let start = Instant::now();
    let report = world.step_with(&|phase| clock.tell(phase));
    let time = 1e3 * start.elapsed().as_secs_f64();
    let after = spent(clock);
    let phases = std::array::from_fn(|phase| after[phase] - before[phase]);
    Frame { time, phases, work: Workload::of(world, &report), memory: memory::resident() }
}

/// All phases by name, in their order.
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

/// Time so far by phase, in ms.
fn spent(clock: &PhaseClock) -> [f64; Phase::COUNT] {
    PHASES.map(|(_, phase)| 1e3 * clock.spent(phase).as_secs_f64())
}

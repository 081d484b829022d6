//! Measures the frames of a dragged body.

use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use anyhow::{Context, Result};
use glam::DVec3;
use pliant::body::{Body, Pin};
use pliant::material::Material;
use pliant::solver::{MethodConfig, Phase};
use pliant::world::{World, WorldConfig};
use pliant_viewer::PhaseClock;

use crate::scene_source::SceneSource;

/// Number of runs; the fastest time of every frame counts, since all runs compute the same.
const RUNS: usize = 5;

/// A scene with one body and its method.
pub(super) struct Drag {
    pub(super) body: Body,
    pub(super) config: WorldConfig,
    pub(super) method: MethodConfig,
    pub(super) frames: usize,
}

/// Times of a frame, in ms.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Frame {
    /// Rotations, forces and the matrix.
    pub(super) matrix: f64,
    pub(super) factor: f64,
    pub(super) solve: f64,
    pub(super) flow: f64,
    /// Interpolation of the detailed surface.
    pub(super) surface: f64,
    /// Total.
    pub(super) total: f64,
    /// True if the matrix was factored in this frame.
    pub(super) factored: bool,
    /// Number of unknown nodes, each with three components.
    pub(super) unknowns: usize,
}

impl Drag {
    /// Opens a scene of this paper.
    pub(super) fn open(name: &str) -> Result<Self> {
        let (scene, built) = SceneSource::find(Path::new(&format!("mezger/{name}")))?.open()?;
        let (handle, body) = built.world.bodies().next().context("the scene has a body")?;
        let (body, config) = (body.clone(), *built.world.config());
        let method = *built.world.method(handle).context("the body has a method")?;
        let frames = (scene.duration / config.dt).round() as usize;
        Ok(Self { body, config, method, frames })
    }

    /// The same body with elastic materials.
    pub(super) fn elastic(&self) -> Result<Self> {
        let model = self.body.model();
        let elastic = |material: &Material| Material { plastic: None, ..*material };
        let materials = model.materials().iter().map(elastic).collect();
        let model = Arc::new(model.with_materials(materials)?);
        let body = Body::new(self.body.name(), model, self.body.pins().to_vec())?;
        Ok(Self { body, ..*self })
    }

    /// The same body with pins changed by `change`.
    pub(super) fn with_pins(&self, change: impl Fn(&mut [Pin])) -> Result<Self> {
        let mut pins = self.body.pins().to_vec();
        change(&mut pins);
        let body = Body::new(self.body.name(), self.body.model().clone(), pins)?;
        Ok(Self { body, ..*self })
    }

    /// The same body with another threshold for lazy corotation: the change of a deformation gradient at which the
    /// matrix is factored again.
    pub(super) fn lazy(&self, refactor_threshold: f64) -> Self {
        let method = MethodConfig { refactor_threshold, ..self.method };
        Self { body: self.body.clone(), method, ..*self }
    }

    pub(super) fn vertices(&self) -> usize {
        self.body.model().skin().map_or(0, |skin| skin.vertex_count())
    }

    pub(super) fn cells(&self) -> usize {
        self.body.model().mesh().cell_count()
    }

    /// The frames on this number of threads, each the fastest of several runs.
    pub(super) fn frames_on(&self, threads: usize) -> Result<Vec<Frame>> {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build()?;
        pool.install(|| {
            let mut best = self.run()?;
            for _ in 1..RUNS {
                for (best, frame) in best.iter_mut().zip(self.run()?) {
                    if frame.total < best.total {
                        *best = frame;
                    }
                }
            }
            Ok(best)
        })
    }

    /// Node positions in every frame.
    pub(super) fn motion(&self) -> Result<Vec<Vec<DVec3>>> {
        let mut world = World::new(self.config)?;
        let handle = world.add_with(self.body.clone(), self.method)?;
        let mut positions = Vec::with_capacity(self.frames);
        for _ in 0..self.frames {
            world.step();
            positions.push(world.get(handle).context("the body stays")?.state.x.clone());
        }
        Ok(positions)
    }

    fn run(&self) -> Result<Vec<Frame>> {
        let mut world = World::new(self.config)?;
        let handle = world.add_with(self.body.clone(), self.method)?;
        let skin = self.body.model().skin().cloned().unwrap_or_default();
        let (clock, mut before) = (PhaseClock::default(), [0.0; 5]);
        let mut vertices = Vec::new();
        let mut frames = Vec::with_capacity(self.frames);
        for _ in 0..self.frames {
            let begin = Instant::now();
            let report = world.step_with(&|phase| clock.begin_phase(phase));
            let stepped = Instant::now();
            if let Some(body) = world.get(handle) {
                skin.interpolate(&body.state.x, &mut vertices);
            }
            let (surface, total) = (stepped.elapsed(), begin.elapsed());
            let now = spent(&clock);
            let [forces, assembly, factor, solve, flow] =
                [0, 1, 2, 3, 4].map(|k: usize| now[k] - before[k]);
            before = now;
            frames.push(Frame {
                matrix: forces + assembly,
                factor,
                solve,
                flow,
                surface: 1e3 * surface.as_secs_f64(),
                total: 1e3 * total.as_secs_f64(),
                factored: report.linear.factorisations > 0,
                unknowns: report.linear.unknowns,
            });
        }
        Ok(frames)
    }
}

/// Accumulated time of the phases of Table 1, in ms.
fn spent(clock: &PhaseClock) -> [f64; 5] {
    [Phase::Forces, Phase::Assembly, Phase::Factor, Phase::Solve, Phase::Flow]
        .map(|phase| 1e3 * clock.spent(phase).as_secs_f64())
}

/// Mean of a quantity over frames.
pub(super) fn mean<'a>(frames: impl Iterator<Item = &'a Frame>, of: impl Fn(&Frame) -> f64) -> f64 {
    let (sum, count) = frames.fold((0.0, 0), |(sum, count), frame| (sum + of(frame), count + 1));
    sum / f64::from(count.max(1))
}

/// The quantile `share` of the total frame times, in ms.
pub(super) fn rank(frames: &[Frame], share: f64) -> f64 {
    let mut totals: Vec<f64> = frames.iter().map(|frame| frame.total).collect();
    totals.sort_by(f64::total_cmp);
    let place = (share * totals.len().saturating_sub(1) as f64).round() as usize;
    totals.get(place).copied().unwrap_or_default()
}

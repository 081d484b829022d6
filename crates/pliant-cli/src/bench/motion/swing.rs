//! A clamped bar that swings under its weight.

use std::sync::Arc;
use std::time::Instant;

use anyhow::{Context as _, Result, bail};
use glam::DVec3;
use pliant::body::MaterialPoint;
use pliant::mesh::generate::{BoxConfig, Split, box_mesh};
use pliant::solver::Mass;
use pliant::{
    Body, BodyHandle, LawKind, Material, MethodConfig, Model, Pin, Stepper, World, WorldConfig,
};

use super::extrema::turning_points;

/// Duration of the motion, in s.
pub(super) const DURATION: f64 = 6.0;

/// Steps per second of the reference.
pub(super) const REFERENCE_RATE: f64 = 960.0;

/// The swing of the end of the bar.
pub(super) struct Swing {
    /// Its period, in s.
    pub(super) period: f64,
    /// The first and lowest position, from the rest position, in m.
    pub(super) peak: f64,
    /// The mean loss of amplitude in a period, as a share.
    pub(super) loss: f64,
    /// Time of a frame, in ms.
    pub(super) ms: f64,
    /// Iterations of the linear solver per frame; zero for other engines.
    pub(super) iterations: f64,
}

/// The converged motion: the midpoint rule, which has no numerical damping, in short steps.
pub(super) fn reference() -> Result<Swing> {
    let method = MethodConfig {
        stepper: Stepper::Variational,
        mass: Mass::Consistent,
        tolerance: 1e-8,
        max_iterations: 2000,
        ..Default::default()
    };
    run(method, 1.0 / REFERENCE_RATE)
}

/// The motion under a method.
pub(super) fn measure(method: MethodConfig, h: f64) -> Result<Swing> {
    run(method, h)
}

fn run(method: MethodConfig, h: f64) -> Result<Swing> {
    let (mut world, bar, end) = clamped_bar(method, h)?;
    let height = |world: &World| world.get(bar).map(|body| end.position(&body.state.x).y);
    let start = height(&world).context("the bar is in the world")?;
    let mut heights = vec![0.0];
    let begin = Instant::now();
    let mut iterations = 0;
    for _ in 0..(DURATION / h).round() as usize {
        iterations += world.step().linear.iterations;
        heights.push(height(&world).context("the bar is in the world")? - start);
    }
    let ms = 1e3 * begin.elapsed().as_secs_f64() / heights.len() as f64;
    let iterations = f64::from(iterations) / heights.len() as f64;
    Ok(Swing { iterations, ..Swing::of(&heights, h, ms)? })
}

impl Swing {
    /// The swing of an end at these heights, every `h` seconds, from its rest position.
    pub(super) fn of(heights: &[f64], h: f64, ms: f64) -> Result<Self> {
        let points = turning_points(heights, h);
        let lows: Vec<(f64, f64)> = points.iter().skip(1).step_by(2).copied().collect();
        let [first, .., last] = lows[..] else {
            let (lowest, end) =
                (heights.iter().copied().fold(0.0, f64::min), heights.last().unwrap_or(&0.0));
            bail!("it does not swing: lowest at {lowest:.3} m, at {end:.3} m in the end");
        };
        let period = (last.0 - first.0) / (lows.len() as f64 - 1.0);
        let swings: Vec<f64> =
            points.windows(2).map(|pair| (pair[1].1 - pair[0].1).abs()).collect();
        // Two swings are a period. The geometric mean over all periods does not depend on the beat with higher modes.
        let periods = 0.5 * (swings.len() as f64 - 1.0);
        let loss = 1.0 - (swings[swings.len() - 1] / swings[0]).powf(1.0 / periods);
        Ok(Self { period, peak: first.1, loss, ms, iterations: 0.0 })
    }
}

fn clamped_bar(method: MethodConfig, h: f64) -> Result<(World, BodyHandle, MaterialPoint)> {
    let config = BoxConfig {
        size: [4.0, 1.0, 1.0],
        cells: [8, 2, 2],
        split: Split::Tet5,
        degree: 2,
        ..Default::default()
    };
    let mesh = box_mesh(&config)?;
    let wall = mesh.node_set("x-").map(|set| set.nodes.clone()).unwrap_or_default();
    let material = Material {
        law: LawKind::RestStable,
        young: 1e7,
        poisson: 0.3,
        density: 1000.0,
        ..Default::default()
    };
    let model = Arc::new(Model::uniform(mesh, material)?);
    let end = model.locate(DVec3::new(4.0, 0.5, 0.5)).context("the end is in the bar")?;
    let body = Body::new("bar", model, vec![Pin { nodes: wall, ..Default::default() }])?;
    let gravity = DVec3::new(0.0, -9.81, 0.0);
    let mut world = World::new(WorldConfig { dt: h, gravity, ..Default::default() })?;
    let bar = world.add_with(body, method)?;
    Ok((world, bar, end))
}

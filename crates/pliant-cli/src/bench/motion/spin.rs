//! A free bar that spins.

use std::f64::consts::TAU;
use std::sync::Arc;

use anyhow::{Context as _, Result};
use glam::DVec3;
use pliant::{
    Body, BodyHandle, LawKind, Material, MethodConfig, Model, Stepper, World, WorldConfig,
};

use super::FRAME;
use super::grid::Grid;
use crate::bench::one_thread::OneThread;

/// Steps per second of the reference.
pub(super) const REFERENCE_RATE: f64 = 480.0;

/// The end of the interval over which the length is averaged, in s: a bar that is set in motion oscillates about its length.
const WINDOW: f64 = 4.0;

/// A bar that spins.
#[derive(Debug, Clone, Copy)]
pub(in crate::bench) struct SpinCase {
    pub(in crate::bench) grid: Grid,
    pub(in crate::bench) law: LawKind,
    /// Young's modulus, in Pa.
    pub(in crate::bench) young: f64,
    /// Revolutions per second.
    pub(in crate::bench) rate: f64,
    /// Duration of the motion, in s.
    pub(in crate::bench) seconds: f64,
}

/// The spin of a bar.
pub(in crate::bench) struct Spin {
    /// Angular momentum after 1 s and at the end, as shares of the initial one.
    pub(in crate::bench) after_second: f64,
    pub(in crate::bench) after: f64,
    /// The largest total energy, as a share of the initial one; `None` if an engine does not give it.
    pub(in crate::bench) energy: Option<f64>,
    /// Mean length from 1 to 4 s, or over the last three quarters of a shorter motion, in m.
    pub(in crate::bench) length: f64,
    /// Processor time of a frame, in ms.
    pub(in crate::bench) ms: f64,
    /// Resets of a state that was not finite.
    pub(in crate::bench) resets: usize,
}

/// The mean length of the bar in a motion with short steps.
pub(in crate::bench) fn reference(case: &SpinCase) -> Result<f64> {
    let method = MethodConfig {
        stepper: Stepper::Bdf2,
        tolerance: 1e-7,
        max_iterations: 2000,
        ..Default::default()
    };
    let case = SpinCase { seconds: case.seconds.min(WINDOW), ..*case };
    Ok(run(&case, method, 1.0 / REFERENCE_RATE)?.length)
}

/// The spin in single steps of a frame.
pub(in crate::bench) fn measure(case: &SpinCase, method: MethodConfig) -> Result<Spin> {
    run(case, method, FRAME)
}

fn run(case: &SpinCase, method: MethodConfig, h: f64) -> Result<Spin> {
    let (mut world, bar, ends) = spinning_bar(case, method, h)?;
    let length = |world: &World| {
        let x = world.get(bar).map(|body| &body.state.x);
        x.map_or(f64::NAN, |x| x[ends[0] as usize].distance(x[ends[1] as usize]))
    };
    let energy = |world: &World| world.energy().elastic + world.energy().kinetic;
    let sample = |world: &World| [angular_momentum(world, bar), length(world)];
    let start = energy(&world);
    let (mut samples, mut largest, mut resets) = (vec![sample(&world)], 1.0_f64, 0);
    let mut thread = OneThread::new()?;
    for _ in 0..(case.seconds / h).round() as usize {
        resets += thread.step(&mut world).resets;
        largest = largest.max(energy(&world) / start);
        samples.push(sample(&world));
    }
    Ok(Spin { energy: Some(largest), resets, ..Spin::of(&samples, h, thread.ms()) })
}

impl Spin {
    /// The spin of a bar with these angular momenta and lengths, every `h` seconds from the start.
    pub(in crate::bench) fn of(samples: &[[f64; 2]], h: f64, ms: f64) -> Self {
        let last = samples.len() - 1;
        let share = |index: usize| samples[index][0] / samples[0][0];
        let end = last.min((WINDOW / h).round() as usize);
        let late = &samples[end / 4..=end];
        Self {
            after_second: share(last.min((1.0 / h).round() as usize)),
            after: share(last),
            energy: None,
            length: late.iter().map(|[_, length]| length).sum::<f64>() / late.len() as f64,
            ms,
            resets: 0,
        }
    }
}

/// The angular momentum about z through the centre of mass, in N·m·s.
fn angular_momentum(world: &World, bar: BodyHandle) -> f64 {
    let centre = world.get(bar).map(Body::centre_of_mass).unwrap_or_default();
    (world.angular_momentum() - centre.cross(world.momentum())).z
}

fn spinning_bar(
    case: &SpinCase,
    method: MethodConfig,
    h: f64,
) -> Result<(World, BodyHandle, [u32; 2])> {
    let SpinCase { grid, law, young, rate, .. } = *case;
    let mesh = grid.mesh([2.0, 0.4, 0.4])?;
    let corner = |at: DVec3| {
        let nodes = mesh.nodes.iter().position(|node| node.distance(at) < 1e-9);
        nodes.map(|node| node as u32).context("a corner")
    };
    let ends = [corner(DVec3::ZERO)?, corner(DVec3::new(2.0, 0.0, 0.0))?];
    let material = Material { law, young, poisson: 0.3, density: 1000.0, ..Default::default() };
    let mut body = Body::new("bar", Arc::new(Model::uniform(mesh, material)?), vec![])?;
    body.set_motion(DVec3::ZERO, TAU * rate * DVec3::Z)?;
    let mut world = World::new(WorldConfig { dt: h, gravity: DVec3::ZERO, ..Default::default() })?;
    let bar = world.add_with(body, method)?;
    Ok((world, bar, ends))
}

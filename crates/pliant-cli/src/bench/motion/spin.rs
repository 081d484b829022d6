//! A free bar that spins.

use std::f64::consts::TAU;
use std::sync::Arc;

use anyhow::{Context as _, Result};
use glam::DVec3;
use pliant::mesh::generate::{BoxConfig, Split, box_mesh};
use pliant::{
    Body, BodyHandle, LawKind, Material, MethodConfig, Model, Stepper, World, WorldConfig,
};

use super::FRAME;

/// Steps per second of the reference.
pub(super) const REFERENCE_RATE: f64 = 480.0;

/// The end of the interval over which the length is averaged, in s: a bar that is set in motion oscillates about its length.
const WINDOW: f64 = 4.0;

/// The spin of a bar.
pub(super) struct Spin {
    /// Angular momentum after 1 s and at the end, as shares of the initial one.
    pub(super) after_second: f64,
    pub(super) after: f64,
    /// The largest total energy, as a share of the initial one; `None` if an engine does not give it.
    pub(super) energy: Option<f64>,
    /// Mean length from 1 to 4 s, or over the last three quarters of a shorter motion, in m.
    pub(super) length: f64,
    /// Resets of a state that was not finite.
    pub(super) resets: usize,
}

/// The mean length of the bar in a motion with short steps.
pub(super) fn reference(law: LawKind, young: f64, rate: f64, duration: f64) -> Result<f64> {
    let method = MethodConfig {
        stepper: Stepper::Bdf2,
        tolerance: 1e-7,
        max_iterations: 2000,
        ..Default::default()
    };
    let h = 1.0 / REFERENCE_RATE;
    Ok(run(method, law, young, rate, h, duration.min(WINDOW))?.length)
}

/// The spin at `rate` revolutions per second under a stepper with default settings.
pub(super) fn measure(
    stepper: Stepper,
    law: LawKind,
    young: f64,
    rate: f64,
    duration: f64,
) -> Result<Spin> {
    run(MethodConfig { stepper, ..Default::default() }, law, young, rate, FRAME, duration)
}

fn run(
    method: MethodConfig,
    law: LawKind,
    young: f64,
    rate: f64,
    h: f64,
    duration: f64,
) -> Result<Spin> {
    let (mut world, bar, ends) = spinning_bar(method, law, young, rate, h)?;
    let length = |world: &World| {
        let x = world.get(bar).map(|body| &body.state.x);
        x.map_or(f64::NAN, |x| x[ends[0] as usize].distance(x[ends[1] as usize]))
    };
    let energy = |world: &World| world.energy().elastic + world.energy().kinetic;
    let sample = |world: &World| [angular_momentum(world, bar), length(world)];
    let start = energy(&world);
    let (mut samples, mut largest, mut resets) = (vec![sample(&world)], 1.0_f64, 0);
    for _ in 0..(duration / h).round() as usize {
        resets += world.step().resets;
        largest = largest.max(energy(&world) / start);
        samples.push(sample(&world));
    }
    Ok(Spin { energy: Some(largest), resets, ..Spin::of(&samples, h) })
}

impl Spin {
    /// The spin of a bar with these angular momenta and lengths, every `h` seconds from the start.
    pub(super) fn of(samples: &[[f64; 2]], h: f64) -> Self {
        let last = samples.len() - 1;
        let share = |index: usize| samples[index][0] / samples[0][0];
        let end = last.min((WINDOW / h).round() as usize);
        let late = &samples[end / 4..=end];
        Self {
            after_second: share(last.min((1.0 / h).round() as usize)),
            after: share(last),
            energy: None,
            length: late.iter().map(|[_, length]| length).sum::<f64>() / late.len() as f64,
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
    method: MethodConfig,
    law: LawKind,
    young: f64,
    rate: f64,
    h: f64,
) -> Result<(World, BodyHandle, [u32; 2])> {
    let config = BoxConfig {
        size: [2.0, 0.4, 0.4],
        cells: [10, 1, 1],
        split: Split::Tet5,
        degree: 2,
        ..Default::default()
    };
    let mesh = box_mesh(&config)?;
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

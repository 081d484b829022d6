//! Energy drift of the steppers for a free body.

use std::fmt::Write as _;
use std::sync::Arc;

use anyhow::Result;
use glam::DVec3;
use pliant::body::{Body, Model};
use pliant::material::{LawKind, Material};
use pliant::mesh::generate::{BoxConfig, Split, box_mesh};
use pliant::solver::{MethodConfig, Stepper};
use pliant::world::{World, WorldConfig};

use super::Progress;

/// Duration of the motion, in s.
const DURATION: f64 = 10.0;

/// Steps per second.
const RATES: [f64; 3] = [60.0, 240.0, 960.0];

/// The energy left after ten seconds, for every stepper and step.
pub(super) fn tables(progress: Progress<'_>) -> Result<String> {
    let mut text = String::from(
        "A free bar of 2 × 0.4 × 0.4 m, 40 quadratic tetrahedra of St. Venant–Kirchhoff material (E = 1 MPa, ν = \
         0.3, 1000 kg/m³), is released bent and spinning, and moves for 10 s without damping. Its energy at the end, \
         in percent of the initial energy (explicit steppers take as many substeps as they need to be stable):\n\n\
         | stepper | 1/60 s | 1/240 s | 1/960 s |\n|---|---|---|---|\n",
    );
    for stepper in Stepper::ALL {
        progress(stepper.name());
        write!(text, "| {} |", stepper.name())?;
        for rate in RATES {
            write!(text, " {:.2} |", 100.0 * energy_left(stepper, rate)?)?;
        }
        text.push('\n');
    }
    Ok(text)
}

fn energy_left(stepper: Stepper, rate: f64) -> Result<f64> {
    let config = BoxConfig {
        size: [2.0, 0.4, 0.4],
        cells: [8, 1, 1],
        split: Split::Tet5,
        degree: 2,
        ..Default::default()
    };
    let material = Material {
        law: LawKind::StVenantKirchhoff,
        young: 1e6,
        poisson: 0.3,
        density: 1000.0,
        ..Default::default()
    };
    let mut body =
        Body::new("bar", Arc::new(Model::uniform(box_mesh(&config)?, material)?), vec![])?;
    for (x, v) in body.state.x.iter_mut().zip(&mut body.state.v) {
        let along = x.x - 1.0;
        *v = DVec3::new(0.0, 0.0, 0.6 * along);
        x.y += 0.08 * along * along;
    }
    let gravity = DVec3::ZERO;
    let mut world = World::new(WorldConfig { dt: 1.0 / rate, gravity, ..Default::default() })?;
    let method =
        MethodConfig { stepper, tolerance: 1e-9, max_iterations: 1000, ..Default::default() };
    world.add_with(body, method)?;
    let energy = |world: &World| world.energy().elastic + world.energy().kinetic;
    let begin = energy(&world);
    for _ in 0..(DURATION * rate).round() as usize {
        world.step();
    }
    Ok(energy(&world) / begin)
}

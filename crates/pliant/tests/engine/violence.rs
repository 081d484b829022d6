//! Ten thousand steps of whatever a player may do: nothing breaks, and the body comes back.

use crate::common::{Random, free_body, jittered, soft};
use glam::DVec3;
use pliant::body::Body;
use pliant::material::LawKind;
use pliant::mesh::generate::Split;
use pliant::solver::{MethodConfig, Rayleigh};
use pliant::world::{Handle, World, WorldConfig};

const STEPS: usize = 10_000;

/// What is done to the body in one of the episodes.
fn assault(body: &mut Body, random: &mut Random, episode: usize) {
    let rest = body.model().mesh().nodes.clone();
    let state = &mut body.state;
    match episode % 5 {
        // Kicked at every node, at up to a hundred times its size a second.
        0 => state.v.iter_mut().for_each(|v| *v += 100.0 * random.vector()),
        // Flattened.
        1 => state.x.iter_mut().for_each(|x| x.y = 0.0),
        // Turned inside out.
        2 => state.x.iter_mut().zip(&rest).for_each(|(x, rest)| {
            *x = DVec3::new(-rest.x, rest.y, rest.z);
        }),
        // Scattered.
        3 => state.x.iter_mut().for_each(|x| *x += 2.0 * random.vector()),
        // Crushed to a point.
        _ => state.x.fill(DVec3::ZERO),
    }
}

fn world_of(split: Split, degree: usize) -> (World, Handle) {
    let config =
        WorldConfig { dt: 1.0 / 30.0, gravity: DVec3::ZERO, damping: 0.5, ..Default::default() };
    let mut world = World::new(config).unwrap();
    let rayleigh = Rayleigh { mass: 0.0, stiffness: 0.02 };
    let body = free_body(jittered(split, degree, [2, 1, 1]), soft(LawKind::Corotated));
    let method = MethodConfig { rayleigh, ..Default::default() };
    let handle = world.add_with(body, method).unwrap();
    (world, handle)
}

/// Energy of the body per energy that a strain of one would cost.
fn strain_energy(world: &World) -> f64 {
    let (_, body) = world.bodies().next().unwrap();
    world.energy().elastic / (body.model().material(0).young * body.model().mesh().volume())
}

/// Every hundred steps something terrible happens; a number that is not finite never does. After the
/// last time the body is left alone: it comes back to its shape, so that no cell stays inverted. A
/// strain energy of 1e-8 is a mean strain of a ten-thousandth.
fn survives(split: Split, degree: usize) {
    let (mut world, handle) = world_of(split, degree);
    let mut random = Random::new(77);
    for step in 0..STEPS {
        if step % 100 == 0 {
            assault(world.body_mut(handle).unwrap(), &mut random, step / 100);
        }
        world.step();
        let state = &world.body(handle).unwrap().state;
        assert!(state.is_finite(), "{split:?} {degree}, step {step}");
    }
    for _ in 0..3000 {
        world.step();
    }
    assert_eq!(world.health().resets, 0, "{split:?} {degree}");
    assert_eq!(world.health().inverted, 0, "{split:?} {degree}");
    let left = strain_energy(&world);
    assert!(left < 1e-8, "{split:?} {degree}: {left}");
}

#[test]
fn linear_tetrahedra_survive() {
    survives(Split::Tet5, 1);
}

#[test]
fn quadratic_tetrahedra_survive() {
    survives(Split::Tet5, 2);
}

#[test]
fn cubic_tetrahedra_survive() {
    survives(Split::Tet5, 3);
}

#[test]
fn hexahedra_survive() {
    survives(Split::Hex, 1);
    survives(Split::Hex, 2);
}

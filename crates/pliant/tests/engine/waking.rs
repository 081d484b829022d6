//! Forces that wake sleepers, and those that are too weak for that.

use crate::common::{free_body, run, soft};
use glam::DVec3;
use pliant::contact::Obstacle;
use pliant::force::{Blast, FieldKind, ForceField, Wind};
use pliant::material::{LawKind, Material};
use pliant::mesh::generate::{BoxConfig, box_mesh};
use pliant::sleep::SleepConfig;
use pliant::world::{BodyHandle, EventKind, World, WorldConfig};

/// Force at a node that wakes a sleeper, in N.
const THRESHOLD: f64 = 4.0;

/// A crate on the ground that has fallen asleep, woken by no less than a force at a node, in N. It weighs 12 kg and has 27 nodes; those in
/// the middle of a side have an area of 0.01 m².
fn asleep(force: f64) -> (World, BodyHandle) {
    let sleep = Some(SleepConfig { force, ..Default::default() });
    let mut world = World::new(WorldConfig { sleep, ..Default::default() }).unwrap();
    world.add_obstacle(Obstacle::ground(0.9)).unwrap();
    let config = BoxConfig {
        origin: [-0.1, 0.0, -0.1],
        size: [0.2; 3],
        cells: [2; 3],
        ..Default::default()
    };
    let material = Material { young: 3e5, density: 1500.0, ..soft(LawKind::Corotated) };
    let handle = world.add(free_body(box_mesh(&config).unwrap(), material));
    let slept = (0..900).any(|_| {
        world.step();
        world.is_asleep(handle).unwrap()
    });
    assert!(slept, "it lies still");
    (world, handle)
}

/// Lets something act on a crate for a few steps: whether it wakes. If not, no bit of it has changed.
fn wakes(force: f64, act: impl Fn(&mut World, BodyHandle)) -> bool {
    let (mut world, handle) = asleep(force);
    let before = world.state_hash();
    act(&mut world, handle);
    let woke = (0..5).any(|_| {
        world.step();
        world.events().iter().any(|event| event.kind == EventKind::Woke)
    });
    assert_eq!(woke, !world.is_asleep(handle).unwrap());
    assert!(woke || world.state_hash() == before, "it sleeps, and has moved");
    woke
}

/// What is told to act: below the threshold it leaves a sleeper as it is, above it wakes it; without one both wake it.
fn needs(act: impl Fn(&mut World, BodyHandle, f64), [weak, strong]: [f64; 2]) {
    assert!(!wakes(THRESHOLD, |world, handle| act(world, handle, weak)), "{weak} is too weak");
    for strength in [weak, strong] {
        let force = if strength == weak { 0.0 } else { THRESHOLD };
        let act = |world: &mut World, handle| act(world, handle, strength);
        assert!(wakes(force, act), "{strength} wakes it, {force} N");
    }
}

/// One vertex at a node is pushed by a force that is told.
#[test]
fn a_force_on_a_node_wakes_above_the_threshold() {
    let act = |world: &mut World, handle, force| {
        let count = world.skin(handle).unwrap().vertex_count();
        let mut forces = vec![DVec3::ZERO; count];
        forces[0] = DVec3::new(0.6, -0.8, 0.0) * force;
        world.set_skin_forces(handle, &forces).unwrap();
    };
    needs(act, [0.99 * THRESHOLD, 1.01 * THRESHOLD]);
}

/// Air of 1.2 kg/m³ and 4 m/s presses with about 10 Pa, a tenth of a newton at most at a node; of 80 m/s four hundred times as strongly.
#[test]
fn a_breeze_does_not_wake_and_a_storm_does() {
    let act = |world: &mut World, _, speed| {
        world.set_wind(Some(Wind { velocity: DVec3::X * speed, ..Wind::default() })).unwrap();
    };
    needs(act, [4.0, 80.0]);
}

/// A field gives every node the same acceleration, so that the heaviest feels the strongest force.
#[test]
fn a_field_wakes_above_the_threshold() {
    let act = |world: &mut World, handle, force| {
        let masses = world.get(handle).unwrap().model().masses();
        let heaviest = masses.iter().copied().fold(0.0, f64::max);
        let kind = FieldKind::Steady(DVec3::X * (force / heaviest));
        world.add_field(ForceField { radius: 5.0, kind, ..Default::default() }).unwrap();
    };
    needs(act, [0.99 * THRESHOLD, 1.01 * THRESHOLD]);
}

/// The impulse of a blast counts as a force over a step of 1/60 s: 4 N are 0.067 N·s at a node of 0.01 m².
#[test]
fn a_blast_wakes_above_the_threshold() {
    let act = |world: &mut World, _, impulse| {
        let centre = DVec3::new(-10.0, 0.1, 0.0);
        world.add_blast(Blast { centre, radius: 1000.0, impulse, time: 0.0 }).unwrap();
    };
    needs(act, [3.0, 20.0]);
}

/// A threshold does not change what is awake, nor what is touched.
#[test]
fn who_is_struck_wakes_whatever_the_threshold() {
    let strike = |world: &mut World, _| {
        let config =
            BoxConfig { origin: [-0.05, 0.25, -0.05], size: [0.1; 3], ..Default::default() };
        world.add(free_body(box_mesh(&config).unwrap(), soft(LawKind::Corotated)));
        run(world, 20);
    };
    let (mut world, handle) = asleep(1e6);
    strike(&mut world, handle);
    assert!(!world.is_asleep(handle).unwrap());
}

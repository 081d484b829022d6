//! Forces that wake sleeping bodies, and forces that are too weak to do so.

use crate::common::{free_body, largest, run, soft};
use glam::DVec3;
use pliant::contact::Obstacle;
use pliant::force::{Blast, FieldKind, ForceField, Wind};
use pliant::material::{LawKind, Material};
use pliant::mesh::generate::{BoxConfig, box_mesh};
use pliant::sleep::SleepConfig;
use pliant::world::{BodyHandle, EventKind, World, WorldConfig};

/// The force at a node that wakes a sleeping body, in N.
const THRESHOLD: f64 = 4.0;

/// A sleeping crate on the ground that wakes only by a force of at least `force` at a node, in N. It has 12 kg and 27
/// nodes; the node in the middle of a side has an area of 0.01 m².
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
    assert!(slept, "the crate must fall asleep");
    (world, handle)
}

/// Applies `act` to a sleeping crate for five steps; returns true if the crate wakes. If not, none of its bits may
/// change.
fn wakes(force: f64, act: impl Fn(&mut World, BodyHandle)) -> bool {
    let (mut world, handle) = asleep(force);
    let before = world.state_hash();
    act(&mut world, handle);
    let woke = (0..5).any(|_| {
        world.step();
        world.events().iter().any(|event| event.kind == EventKind::Woke)
    });
    assert_eq!(woke, !world.is_asleep(handle).unwrap());
    assert!(woke || world.state_hash() == before, "the crate moved in its sleep");
    woke
}

/// Checks that `act` with the weak strength does not wake the crate and with the strong one does; without a threshold
/// both wake it.
fn needs(act: impl Fn(&mut World, BodyHandle, f64), [weak, strong]: [f64; 2]) {
    assert!(
        !wakes(THRESHOLD, |world, handle| act(world, handle, weak)),
        "{weak} must be too weak to wake the crate"
    );
    for strength in [weak, strong] {
        let force = if strength == weak { 0.0 } else { THRESHOLD };
        let act = |world: &mut World, handle| act(world, handle, strength);
        assert!(wakes(force, act), "{strength} must wake the crate with a threshold of {force} N");
    }
}

/// A crate on the ground, with this friction and sleep speed, and a velocity along x.
fn crate_at(friction: f64, sleep: SleepConfig, speed: f64) -> (World, BodyHandle) {
    let mut world = World::new(WorldConfig { sleep: Some(sleep), ..Default::default() }).unwrap();
    world.add_obstacle(Obstacle::ground(friction)).unwrap();
    let config = BoxConfig { size: [0.2; 3], cells: [2; 3], ..Default::default() };
    let material = Material { young: 3e5, density: 1500.0, ..soft(LawKind::Corotated) };
    let mut body = free_body(box_mesh(&config).unwrap(), material);
    body.state.v.fill(DVec3::X * speed);
    let handle = world.add(body);
    (world, handle)
}

/// A body whose nodes are faster than the sleep speed, but stay in their places, falls asleep; one that creeps in one direction does not, however slow. The
/// force on a corner turns its sign in every other step: 0.15 N moves that corner by some 50 µm, at
/// 3 mm/s.
#[test]
fn what_trembles_falls_asleep_and_what_creeps_does_not() {
    let sleep = SleepConfig { force: THRESHOLD, ..Default::default() };
    let (mut world, handle) = crate_at(0.9, sleep, 0.0);
    let count = world.skin(handle).unwrap().vertex_count();
    let (mut forces, mut speeds) = (vec![DVec3::ZERO; count], Vec::new());
    for step in 0..600 {
        forces[count - 1] = if step % 4 < 2 { 0.15 * DVec3::X } else { -0.15 * DVec3::X };
        world.set_skin_forces(handle, &forces).unwrap();
        world.step();
        if world.is_asleep(handle).unwrap() {
            break;
        }
        speeds.push(largest(world.get(handle).unwrap().state.v.iter().copied()));
    }
    assert!(world.is_asleep(handle).unwrap());
    // The last still step is not in the list.
    let steps = &speeds[speeds.len() + 1 - sleep.steps as usize..];
    let fastest = steps.iter().copied().fold(0.0, f64::max);
    println!("trembles at {fastest:e} m/s, asleep after {} steps", speeds.len());
    assert!(fastest > 2.0 * sleep.speed, "{fastest} m/s is no trembling");
    // Without friction it slides at twice the sleep speed.
    let (mut world, handle) = crate_at(0.0, sleep, 2.0 * sleep.speed);
    run(&mut world, 600);
    assert!(!world.is_asleep(handle).unwrap());
}

/// A force on one vertex wakes a body exactly if it exceeds the threshold (1 % on both sides).
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

/// Wind of 4 m/s does not wake the crate, and wind of 80 m/s does: air of 1.2 kg/m³ at 4 m/s exerts about 10 Pa, at
/// most 0.1 N at a node, and at 80 m/s four hundred times as much.
#[test]
fn a_breeze_does_not_wake_and_a_storm_does() {
    let act = |world: &mut World, _, speed| {
        world.set_wind(Some(Wind { velocity: DVec3::X * speed, ..Wind::default() })).unwrap();
    };
    needs(act, [4.0, 80.0]);
}

/// A force field wakes a body exactly if the force on its heaviest node exceeds the threshold: every node has the
/// same acceleration.
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

/// A blast wakes a body if its impulse, taken as a force over a step of 1/60 s, exceeds the threshold: 4 N are 0.067
/// N·s at a node of 0.01 m².
#[test]
fn a_blast_wakes_above_the_threshold() {
    let act = |world: &mut World, _, impulse| {
        let centre = DVec3::new(-10.0, 0.1, 0.0);
        world.add_blast(Blast { centre, radius: 1000.0, impulse, time: 0.0 }).unwrap();
    };
    needs(act, [3.0, 20.0]);
}

/// A body that is hit by another wakes whatever the threshold.
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

//! A world goes back in time and repeats the same steps: `cargo run --release -p pliant-io --example rollback`.

use std::error::Error;
use std::sync::Arc;

use glam::DVec3;
use pliant::mesh::generate::{BallConfig, ball};
use pliant::{Body, Material, Model, Obstacle, World, WorldConfig};

pub(crate) fn main() -> Result<(), Box<dyn Error>> {
    let mut world = World::new(WorldConfig::default())?;
    world.add_obstacle(Obstacle::ground(0.5))?;
    let mesh = ball(&BallConfig { centre: [0.0, 1.5, 0.0], ..Default::default() })?;
    let model = Arc::new(Model::uniform(mesh, Material::default())?);
    let soft = world.add(Body::new("ball", model, vec![])?);
    steps(&mut world, 30);

    // A snapshot holds all that changes: positions, velocities, contacts, and the memory of the solvers. It has a
    // version and a checksum, and can be written to a file or sent over a network.
    let snapshot = world.snapshot();
    println!("a snapshot of {} bytes at {:.2} s", snapshot.len(), world.time());

    // The hash depends on every bit of the state.
    steps(&mut world, 30);
    let first = world.state_hash();

    // The same steps from the same state give the same bits, for any number of threads.
    world.restore(&snapshot)?;
    steps(&mut world, 30);
    println!("{first:016x} and again {:016x} at {:.2} s", world.state_hash(), world.time());
    assert_eq!(world.state_hash(), first);

    // Another input gives another future: a game that learns late of a player's input goes back and repeats the steps.
    world.restore(&snapshot)?;
    world[soft].state.v.iter_mut().for_each(|v| *v += DVec3::X);
    steps(&mut world, 30);
    println!("with a push {:016x}", world.state_hash());
    assert_ne!(world.state_hash(), first);
    Ok(())
}

fn steps(world: &mut World, count: usize) {
    for _ in 0..count {
        world.step();
    }
}

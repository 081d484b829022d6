//! A soft box falls on the ground: `cargo run --release -p pliant-io --example hello`.

use std::error::Error;
use std::sync::Arc;

use glam::DVec3;
use pliant::mesh::generate::{BoxConfig, box_mesh};
use pliant::{Body, Material, Model, Obstacle, World, WorldConfig};

pub(crate) fn main() -> Result<(), Box<dyn Error>> {
    // A world steps all its bodies together. Units are SI, y points up, and a step is 1/60 s by default.
    let mut world = World::new(WorldConfig::default())?;

    // An obstacle does not deform. This one is the plane y = 0, with a friction coefficient of 0.5.
    world.add_obstacle(Obstacle::ground(0.5))?;

    // A mesh is geometry alone: here a cube of 1 m, 1 m above the ground, of 2 × 2 × 2 smaller cubes, each divided into
    // quadratic tetrahedra.
    let config =
        BoxConfig { origin: [0.0, 1.0, 0.0], cells: [2, 2, 2], degree: 2, ..Default::default() };
    let mesh = box_mesh(&config)?;

    // A model adds a material. It is constant, and all bodies of the same kind share it.
    let model = Arc::new(Model::uniform(mesh, Material::preset("rubber")?)?);

    // A body adds a state: the positions and velocities of the nodes. The world returns a handle to it.
    let cube = world.add(Body::new("cube", model, vec![])?);

    for second in 1..=3 {
        for _ in 0..60 {
            world.step();
        }
        println!("after {second} s the centre is {:.3} m above the ground", centre(&world[cube]).y);
    }

    // It lies on the ground, a little flattened by its weight: the centre was 0.5 m above its lower side at rest.
    let height = centre(&world[cube]).y;
    assert!((0.45..0.51).contains(&height), "the centre is {height} m above the ground");
    Ok(())
}

/// The centre of mass: the mean of the positions, weighted with the masses of the nodes.
fn centre(body: &Body) -> DVec3 {
    let masses = body.model().masses();
    let sum: DVec3 = masses.iter().zip(&body.state.x).map(|(mass, x)| *mass * *x).sum();
    sum / body.model().mass()
}

//! A clamped bar in equilibrium under its weight: `cargo run --release -p pliant-io --example statics`.

use std::error::Error;
use std::sync::Arc;

use glam::DVec3;
use pliant::mesh::generate::{BoxConfig, box_mesh};
use pliant::solver::StaticConfig;
use pliant::{Body, Material, Model, Pin, World, WorldConfig};

pub(crate) fn main() -> Result<(), Box<dyn Error>> {
    // A bar of 4 m × 1 m × 1 m of quadratic tetrahedra, which bend without locking.
    let config =
        BoxConfig { size: [4.0, 1.0, 1.0], cells: [8, 2, 2], degree: 2, ..Default::default() };
    let mesh = box_mesh(&config)?;

    // A box names the nodes of its six sides. A pin without a motion holds its nodes where they are.
    let wall = mesh.node_set("x-").ok_or("a box names its sides")?.nodes.clone();
    let pin = Pin { nodes: wall, ..Default::default() };
    let material = Material { young: 2e5, poisson: 0.3, density: 100.0, ..Default::default() };
    let model = Arc::new(Model::uniform(mesh, material)?);

    let mut world = World::new(WorldConfig::default())?;
    let bar = world.add(Body::new("bar", model, vec![pin])?);

    // Newton's method finds the positions in which all forces balance; the load grows in steps if the full load is too
    // much at once. The closure is called after each iteration.
    let reports = world.solve_static(&StaticConfig::default(), &mut |progress| {
        println!("{:3.0} % of the load, residual {:.1e}", 100.0 * progress.load, progress.residual);
    })?;
    let report = &reports[0]; // one for each body
    assert!(report.stable, "the equilibrium is not a minimum of the energy");

    // The wall carries the weight.
    let force = report.reactions[0].force; // one for each pin
    let weight = world[bar].model().mass() * world.config().gravity;
    println!("the wall pushes with {force:.2} N against a weight of {weight:.2} N");
    assert!((force + weight).length() < 1e-3 * weight.length());

    // A point of the body keeps its place in the material, so that its position can be asked for at any time.
    let end = DVec3::new(4.0, 0.5, 0.5);
    let tip = world[bar].model().locate(end).ok_or("the point is outside the bar")?;
    println!("the free end sinks by {:.4} m", end.y - tip.position(&world[bar].state.x).y);
    Ok(())
}

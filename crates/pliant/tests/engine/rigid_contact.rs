//! Contact of rigid bodies with soft and with rigid bodies.

use std::sync::Arc;

use crate::common::{free_body, largest, run};
use glam::DVec3;
use pliant::body::{Body, Model, RigidConfig};
use pliant::contact::Obstacle;
use pliant::geometry::Shape;
use pliant::material::{LawKind, Material};
use pliant::mesh::generate::{BoxConfig, box_mesh};
use pliant::solver::MethodConfig;
use pliant::world::{BodyHandle, World, WorldConfig};

fn rigid_box(half: DVec3, fineness: u32, centre: DVec3, density: f64) -> Body {
    let config = RigidConfig { density, ..Default::default() };
    let model = Model::rigid_shape(&Shape::Box { half }, fineness, config).unwrap();
    let mut body = Body::new("box", Arc::new(model), vec![]).unwrap();
    body.state.x.iter_mut().for_each(|x| *x += centre);
    body
}

/// A soft cube of 1 m with its lower corner at `low`.
fn jelly(low: DVec3, cells: usize) -> Body {
    let mut mesh = box_mesh(&BoxConfig { cells: [cells; 3], ..Default::default() }).unwrap();
    let (corner, _) = mesh.bounds();
    mesh.nodes.iter_mut().for_each(|x| *x += low - corner);
    let law = LawKind::Corotated;
    free_body(
        mesh,
        Material { law, young: 1e5, poisson: 0.3, density: 500.0, ..Default::default() },
    )
}

/// Momentum of all bodies.
fn momentum(world: &World) -> DVec3 {
    let of = |body: &Body| -> DVec3 {
        body.state.v.iter().zip(body.model().masses()).map(|(v, mass)| *mass * *v).sum()
    };
    world.bodies().map(|(_, body)| of(body)).sum()
}

fn centre(world: &World, handle: BodyHandle) -> DVec3 {
    let body = world.get(handle).unwrap();
    let terms = body.state.x.iter().zip(body.model().masses());
    terms.map(|(x, m)| *m * *x).sum::<DVec3>() / body.model().mass()
}

/// An eccentric impact of a rigid box on a soft cube conserves the total momentum. Tolerance 1e-9: rounding, and the
/// solver's tolerance of 1e-12 while the bodies do not touch.
#[test]
fn an_impact_keeps_momentum() {
    let config = WorldConfig { gravity: DVec3::ZERO, ..Default::default() };
    let mut world = World::new(config).unwrap();
    let method = MethodConfig { tolerance: 1e-12, max_iterations: 1000, ..Default::default() };
    let soft = world.add_with(jelly(DVec3::ZERO, 3), method).unwrap();
    let mut hammer = rigid_box(DVec3::splat(0.2), 3, DVec3::new(-0.3, 0.6, 0.5), 2000.0);
    hammer.state.v.fill(3.0 * DVec3::X);
    let hammer = world.add(hammer);
    let before = momentum(&world);
    for _ in 0..60 {
        world.step();
        let now = momentum(&world);
        assert!(now.distance(before) < 1e-9 * before.length(), "{now} of {before}");
    }
    let v = world.get(soft).unwrap().state.v.iter().sum::<DVec3>();
    assert!(v.x > 1.0, "the cube must be hit");
    assert!(world.get(hammer).unwrap().state.v[0].x < 2.9, "the box must be slowed");
}

/// A stack of three rigid boxes stands still: after 4 s each is within 1 mm of its height and slower than 1 mm/s.
#[test]
fn a_stack_of_rigid_boxes_stands() {
    let mut world = World::new(WorldConfig::default()).unwrap();
    world.add_obstacle(Obstacle::ground(0.5)).unwrap();
    let half = DVec3::splat(0.25);
    let handles = [0, 1, 2].map(|k| {
        let y = 0.25 + 0.505 * f64::from(k);
        world.add(rigid_box(half, 2, DVec3::new(0.0, y, 0.0), 1000.0))
    });
    run(&mut world, 240);
    for (k, handle) in handles.into_iter().enumerate() {
        let place = centre(&world, handle);
        let height = 0.25 + 0.5 * k as f64;
        assert!((place - height * DVec3::Y).length() < 1e-3, "box {k} is at {place}");
        let speed = largest(world.get(handle).unwrap().state.v.iter().copied());
        assert!(speed < 1e-3, "box {k} moves at {speed} m/s");
    }
}

/// A rigid box comes to rest on a soft cube without penetrating it.
#[test]
fn a_box_rests_on_a_soft_cube() {
    let mut world = World::new(WorldConfig::default()).unwrap();
    world.add_obstacle(Obstacle::ground(0.5)).unwrap();
    let soft = world.add(jelly(DVec3::new(-0.5, 0.0, -0.5), 4));
    let hard =
        world.add(rigid_box(DVec3::new(0.5, 0.1, 0.5), 4, DVec3::new(0.0, 1.15, 0.0), 1000.0));
    run(&mut world, 300);
    let place = centre(&world, hard);
    // 200 kg on 1 m² of 1e5 Pa compress the cube by about 2 %, and its own weight by about 2.5 %.
    assert!((1.0..1.1).contains(&place.y) && place.x.abs() < 0.02, "the box is at {place}");
    for handle in [soft, hard] {
        assert!(largest(world.get(handle).unwrap().state.v.iter().copied()) < 1e-3);
    }
}

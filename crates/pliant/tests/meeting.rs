//! Bodies that meet: momentum is kept, stacks come to rest, what is heavy sinks as deep as it should.
#![allow(clippy::unwrap_used, reason = "tests may panic")]

use std::sync::Arc;

use glam::DVec3;
use pliant::body::{Body, Model, RigidConfig};
use pliant::contact::{ContactConfig, ContactLevel, Obstacle};
use pliant::geometry::Shape;
use pliant::material::Material;
use pliant::mesh::generate::{BoxConfig, Split, box_mesh};
use pliant::solver::{MethodConfig, Stepper};
use pliant::world::{Handle, World, WorldConfig};

fn soft() -> Material {
    Material { young: 5e5, poisson: 0.3, density: 1000.0, ..Default::default() }
}

/// A cube of 0.2 m about a point.
fn cube(degree: usize, cells: usize) -> Arc<Model> {
    let config = BoxConfig {
        origin: [-0.1; 3],
        size: [0.2; 3],
        cells: [cells; 3],
        split: Split::Tet5,
        degree,
        ..Default::default()
    };
    Arc::new(Model::uniform(box_mesh(&config).unwrap(), soft()).unwrap())
}

fn placed(name: &str, model: &Arc<Model>, at: DVec3, velocity: DVec3) -> Body {
    let mut body = Body::new(name, model.clone(), vec![]).unwrap();
    body.state.x.iter_mut().for_each(|x| *x += at);
    body.state.v.fill(velocity);
    body
}

fn weightless() -> World {
    World::new(WorldConfig { gravity: DVec3::ZERO, sleep: None, ..Default::default() }).unwrap()
}

fn momentum(world: &World) -> DVec3 {
    let of = |body: &Body| -> DVec3 {
        body.state.v.iter().zip(body.model().masses()).map(|(v, m)| *m * *v).sum()
    };
    world.bodies().map(|(_, body)| of(body)).sum()
}

fn centre(world: &World, handle: Handle) -> DVec3 {
    let body = world.body(handle).unwrap();
    let masses = body.model().masses();
    let sum: DVec3 = body.state.x.iter().zip(masses).map(|(x, m)| *m * *x).sum();
    sum / masses.iter().sum::<f64>()
}

fn run(world: &mut World, steps: usize) {
    for _ in 0..steps {
        world.step();
    }
}

fn fastest(world: &World) -> f64 {
    let speeds = world.bodies().flat_map(|(_, body)| body.state.v.iter().map(|v| v.length()));
    speeds.fold(0.0, f64::max)
}

/// Momentum in equals momentum out to rounding, for every stepper and between steppers: 1e-9 of what
/// each body brings, and they do bounce.
#[test]
fn an_impact_keeps_momentum() {
    let model = cube(1, 2);
    let mut cases: Vec<[Stepper; 2]> =
        Stepper::ALL.into_iter().map(|stepper| [stepper; 2]).collect();
    cases.push([Stepper::ImplicitEuler, Stepper::Xpbd]);
    cases.push([Stepper::Bdf2, Stepper::ImplicitEuler]);
    for steppers in cases {
        let mut world = weightless();
        let [left, right] =
            [(-0.15, 1.0, 0), (0.15, -1.0, 1)].map(|(x, v, side): (f64, f64, usize)| {
                let at = DVec3::new(x, 0.03 * x.signum(), 0.02);
                let body = placed("cube", &model, at, DVec3::X * v);
                let method = MethodConfig { stepper: steppers[side], ..Default::default() };
                world.add_with(body, method).unwrap()
            });
        let before = momentum(&world);
        run(&mut world, 60);
        // Each brings 8 kg at 1 m/s.
        let lost = (momentum(&world) - before).length() / 8.0;
        let apart = centre(&world, right).x - centre(&world, left).x;
        assert!(lost < 1e-9, "{steppers:?}: {lost:e}");
        assert!(apart > 0.19, "{steppers:?}: the cubes are {apart} apart");
        assert_eq!(world.health().resets, 0, "{steppers:?}");
    }
}

/// The same between a soft and a rigid body.
#[test]
fn an_impact_with_a_rigid_body_keeps_momentum() {
    let model = cube(2, 1);
    let half = DVec3::splat(0.1);
    let config = RigidConfig { density: 3000.0, ..Default::default() };
    let rigid = Arc::new(Model::rigid_shape(&Shape::Box { half }, 2, config).unwrap());
    for stepper in [Stepper::ImplicitEuler, Stepper::Xpbd, Stepper::BackwardEuler] {
        let mut world = weightless();
        let method = MethodConfig { stepper, ..Default::default() };
        let soft = placed("soft", &model, DVec3::new(-0.15, 0.04, 0.02), DVec3::X);
        let left = world.add_with(soft, method).unwrap();
        let right = world.add(placed("rigid", &rigid, DVec3::new(0.15, 0.0, 0.0), -DVec3::X));
        let before = momentum(&world);
        run(&mut world, 60);
        let lost = (momentum(&world) - before).length() / 24.0;
        assert!(lost < 1e-9, "{stepper:?}: {lost:e}");
        let apart = centre(&world, right).x - centre(&world, left).x;
        assert!(apart > 0.15, "{stepper:?}: they are {apart} apart");
    }
}

/// Three cubes on each other come to rest on the ground: no vertex moves by more than a millimetre in a
/// second, and the pile stands as high as it is minus what its weight presses out of it.
#[test]
fn a_stack_comes_to_rest() {
    for (stepper, degree) in
        [(Stepper::ImplicitEuler, 1), (Stepper::ImplicitEuler, 2), (Stepper::Xpbd, 1)]
    {
        let model = cube(degree, 2);
        let mut world = World::new(WorldConfig { sleep: None, ..Default::default() }).unwrap();
        world.add_obstacle(Obstacle::ground(0.5)).unwrap();
        let method = MethodConfig { stepper, ..Default::default() };
        let handles: Vec<Handle> = (0..3)
            .map(|k| {
                let at = DVec3::new(0.01 * f64::from(k), 0.1 + 0.205 * f64::from(k), 0.0);
                world.add_with(placed("cube", &model, at, DVec3::ZERO), method).unwrap()
            })
            .collect();
        run(&mut world, 300);
        let top = centre(&world, handles[2]).y;
        assert!((top - 0.5).abs() < 0.02, "{stepper:?}, degree {degree}: the top is at {top}");
        assert!(fastest(&world) < 1e-3, "{stepper:?}, degree {degree}: {} m/s", fastest(&world));
    }
}

/// Bodies that may not meet pass through each other, and nobody meets anybody where contact is off.
#[test]
fn filters_let_bodies_through() {
    let model = cube(1, 1);
    for (level, meets) in [(ContactLevel::Game, 0), (ContactLevel::Off, u32::MAX)] {
        let config = WorldConfig { gravity: DVec3::ZERO, contact: level, ..Default::default() };
        let mut world = World::new(config).unwrap();
        let left = world.add(placed("left", &model, -0.3 * DVec3::X, DVec3::X));
        let right = world.add(placed("right", &model, 0.3 * DVec3::X, -DVec3::X));
        world.set_contact(left, ContactConfig { meets, ..Default::default() }).unwrap();
        run(&mut world, 60);
        assert!(centre(&world, left).x > 0.6 && centre(&world, right).x < -0.6);
    }
}

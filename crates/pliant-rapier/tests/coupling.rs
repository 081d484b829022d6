//! Tests of rigid bodies of Rapier and their proxies.
#![allow(clippy::unwrap_used, reason = "tests may panic")]

use std::sync::Arc;

use glam::DVec3;
use pliant::mesh::generate::{BoxConfig, box_mesh};
use pliant::{Body, Material, Model, Motion, Pull, World, WorldConfig};
use pliant_rapier::{Coupling, CouplingError, ProxyConfig};
use rapier3d_f64::prelude::*;

fn coupling(gravity: f64) -> Coupling {
    let config = WorldConfig { gravity: DVec3::new(0.0, -gravity, 0.0), ..Default::default() };
    Coupling::new(World::new(config).unwrap(), PhysicsWorld::new())
}

fn vector(v: Vector) -> DVec3 {
    DVec3::from_array(v.to_array())
}

/// Mass and inertia of a proxy equal those in Rapier, for every shape, to rounding.
#[test]
fn a_proxy_weighs_and_turns_as_its_body() {
    let mut coupling = coupling(9.81);
    let shapes = [
        ColliderBuilder::ball(0.3),
        ColliderBuilder::cuboid(0.1, 0.2, 0.3),
        ColliderBuilder::capsule_x(0.4, 0.1),
        ColliderBuilder::cylinder(0.4, 0.1).translation(Vector::new(0.5, 0.0, 0.0)),
        ColliderBuilder::cone(0.4, 0.2),
    ];
    for shape in shapes {
        let at = RigidBodyBuilder::dynamic()
            .translation(Vector::new(1.0, 2.0, 3.0))
            .rotation(Vector::new(0.3, -0.2, 1.0));
        let (handle, _) = coupling.rigid.insert(at, shape.density(700.0));
        let proxy = coupling.add(handle, ProxyConfig::default()).unwrap();
        let body = coupling.soft.get(proxy).unwrap();
        let inertia = body.model().inertia().unwrap();
        let owner = &coupling.rigid.bodies[handle];
        assert!((inertia.mass / owner.mass() - 1.0).abs() < 1e-12);
        let mut expected =
            vector(owner.mass_properties().local_mprops.principal_inertia()).to_array();
        let mut found = inertia.moments().to_array();
        expected.sort_by(f64::total_cmp);
        found.sort_by(f64::total_cmp);
        for (found, expected) in found.into_iter().zip(expected) {
            assert!((found / expected - 1.0).abs() < 1e-9, "{found} for {expected}");
        }
    }
}

/// A rigid body without contact moves as in Rapier alone, and its proxy moves with it.
#[test]
fn a_free_box_moves_as_without_coupling() {
    let throw = || {
        RigidBodyBuilder::dynamic()
            .linvel(Vector::new(1.0, 2.0, 0.5))
            .angvel(Vector::new(0.0, 0.0, 3.0))
    };
    let mut alone = PhysicsWorld::new();
    alone.integration_parameters.dt = WorldConfig::default().dt;
    let (lone, _) = alone.insert(throw(), ColliderBuilder::cuboid(0.1, 0.2, 0.3));
    let mut coupled = coupling(9.81);
    let (handle, _) = coupled.rigid.insert(throw(), ColliderBuilder::cuboid(0.1, 0.2, 0.3));
    coupled.add(handle, ProxyConfig::default()).unwrap();
    for _ in 0..60 {
        alone.step();
        coupled.step();
    }
    let (a, b) = (&alone.bodies[lone], &coupled.rigid.bodies[handle]);
    assert!(vector(a.translation()).distance(vector(b.translation())) < 1e-9);
    assert!(vector(a.angvel()).distance(vector(b.angvel())) < 1e-9);
}

/// A rigid body that hangs on springs of Pliant rests where the springs carry its weight; with two other rigid bodies on
/// it, in Rapier, the springs carry their weight too. So impulses pass in both directions.
#[test]
fn weight_passes_from_rapier_to_pliant() {
    let (stiffness, damping) = (2e4, 2e3);
    for above in [0, 2] {
        let mut coupling = coupling(9.81);
        let cube = |y: f64| RigidBodyBuilder::dynamic().translation(Vector::new(0.0, y, 0.0));
        let shape = || ColliderBuilder::cuboid(0.2, 0.2, 0.2).density(500.0);
        let (bottom, _) = coupling.rigid.insert(cube(0.0), shape());
        for k in 1..=above {
            coupling.rigid.insert(cube(0.4 * f64::from(k)), shape());
        }
        let proxy = coupling.add(bottom, ProxyConfig::default()).unwrap();
        let body = coupling.soft.get_mut(proxy).unwrap();
        // Four springs at the corners of its top keep it upright.
        for (x, z) in [(-0.2, -0.2), (-0.2, 0.2), (0.2, -0.2), (0.2, 0.2)] {
            let point = body.model().locate(DVec3::new(x, 0.2, z)).unwrap();
            let motion = Motion::default();
            let pull = Pull { point, motion, stiffness: 0.25 * stiffness, damping: 0.25 * damping };
            body.add_pull(pull).unwrap();
        }
        for _ in 0..600 {
            coupling.step();
        }
        let weight = 9.81 * 500.0 * 0.4f64.powi(3) * f64::from(1 + above);
        let sag = -coupling.rigid.bodies[bottom].translation().y;
        assert!((sag * stiffness / weight - 1.0).abs() < 0.01, "it sags by {sag} m");
    }
}

/// A soft block on the ground carries a rigid box, and three boxes on each other: with both it sinks in by what its stiffness says. A column of
/// height h, area A and modulus E under a force F becomes shorter by F h/(E A), which is exact for ν = 0; contact layers add a little.
#[test]
fn a_soft_block_carries_boxes() {
    let size = 0.4;
    let (young, density) = (2e5, 500.0);
    let sink = |boxes: u32| {
        let mut coupling = coupling(9.81);
        let ground = pliant::Obstacle::ground(0.5);
        coupling.soft.add_obstacle(ground).unwrap();
        let config = BoxConfig { size: [size; 3], cells: [2; 3], degree: 2, ..Default::default() };
        let material = Material { young, poisson: 0.0, density: 1.0, ..Material::default() };
        let model = Model::uniform(box_mesh(&config).unwrap(), material).unwrap();
        let block = Body::new("block", Arc::new(model), vec![]).unwrap();
        coupling.soft.add(block);
        let shape = || ColliderBuilder::cuboid(0.5 * size, 0.5 * size, 0.5 * size).density(density);
        let mut lowest = None;
        for k in 0..boxes {
            let height = size * (1.5 + f64::from(k)) + 1e-3;
            let place = Vector::new(0.5 * size, height, 0.5 * size);
            let (handle, _) =
                coupling.rigid.insert(RigidBodyBuilder::dynamic().translation(place), shape());
            if k == 0 {
                coupling.add(handle, ProxyConfig::default()).unwrap();
                lowest = Some(handle);
            }
        }
        (0..900).for_each(|_| _ = coupling.step());
        size * 1.5 - coupling.rigid.bodies[lowest.unwrap()].translation().y
    };
    let weight = 9.81 * density * size.powi(3);
    // The difference between three boxes and one, so that the contact layers count for their compliance only.
    let (one, three) = (sink(1), sink(3));
    let stiffness = young * size;
    let softer = (three - one) * stiffness / (2.0 * weight);
    // Three boxes weigh three times as much as one.
    assert!((three / one - 3.0).abs() < 0.03, "{one} m under one box, {three} m under three");
    assert!((softer - 1.0).abs() < 0.1, "{softer}: {one} and {three} m");
}

/// A rigid ball and a soft cube collide in free space: their momenta together are kept, to a millionth of what they exchange.
#[test]
fn momentum_is_kept() {
    let mut coupling = coupling(0.0);
    let config = BoxConfig { size: [0.4; 3], cells: [2; 3], ..Default::default() };
    let material = Material { young: 1e5, ..Material::default() };
    let model = Model::uniform(box_mesh(&config).unwrap(), material).unwrap();
    let cube = coupling.soft.add(Body::new("cube", Arc::new(model), vec![]).unwrap());
    let ball = RigidBodyBuilder::dynamic()
        .translation(Vector::new(-0.5, 0.25, 0.15))
        .linvel(Vector::new(2.0, 0.0, 0.0));
    let (ball, _) = coupling.rigid.insert(ball, ColliderBuilder::ball(0.2).density(1000.0));
    coupling.add(ball, ProxyConfig::default()).unwrap();
    let total = |coupling: &Coupling| {
        let rigid = &coupling.rigid.bodies[ball];
        let own = coupling.soft.momentum_of(cube).unwrap();
        own + rigid.mass() * vector(rigid.linvel())
    };
    let begin = total(&coupling);
    (0..60).for_each(|_| _ = coupling.step());
    let exchanged = coupling.soft.momentum_of(cube).unwrap().length();
    assert!(exchanged > 10.0, "they met: {exchanged} N·s");
    let lost = (total(&coupling) - begin).length();
    assert!(lost < 1e-6 * exchanged, "{lost} of {exchanged} N·s");
}

#[test]
fn what_cannot_be_coupled_is_refused() {
    let mut coupling = coupling(9.81);
    let config = ProxyConfig::default();
    let (fixed, _) = coupling.rigid.insert(RigidBodyBuilder::fixed(), ColliderBuilder::ball(1.0));
    assert_eq!(coupling.add(fixed, config), Err(CouplingError::NotDynamic));
    let bare = coupling.rigid.insert_body(RigidBodyBuilder::dynamic());
    assert_eq!(coupling.add(bare, config), Err(CouplingError::NoShape));
    assert_eq!(coupling.add(RigidBodyHandle::invalid(), config), Err(CouplingError::NoSuchBody));
    let (ball, _) = coupling.rigid.insert(RigidBodyBuilder::dynamic(), ColliderBuilder::ball(1.0));
    let proxy = coupling.add(ball, config).unwrap();
    assert_eq!(coupling.proxy(ball), Some(proxy));
    assert_eq!(coupling.add(ball, config), Err(CouplingError::AlreadyCoupled));
    let round = ColliderBuilder::round_cuboid(0.1, 0.1, 0.1, 0.02);
    let (round, _) = coupling.rigid.insert(RigidBodyBuilder::dynamic(), round);
    assert!(matches!(coupling.add(round, config), Err(CouplingError::Shape { .. })));
}

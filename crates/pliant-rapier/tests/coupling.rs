//! Tests of rigid bodies of Rapier and their proxies.
#![allow(clippy::unwrap_used, reason = "tests may panic")]

use glam::DVec3;
use pliant::{Motion, Pull, World, WorldConfig};
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
        // Contacts of Rapier are soft, so the stack still moves slightly.
        assert!((sag * stiffness / weight - 1.0).abs() < 0.02, "it sags by {sag} m");
    }
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

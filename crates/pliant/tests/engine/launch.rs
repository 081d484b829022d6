//! Initial motion of bodies, and the measures of motion: energies and momenta.

use std::sync::Arc;

use crate::common::{all_kinds, crumpled, free_body, held_body, run, soft, symplectic_euler};
use glam::{DMat3, DVec3};
use pliant::body::{Body, BodyError, Model, RigidConfig};
use pliant::geometry::Shape;
use pliant::material::LawKind;
use pliant::mesh::generate::{BoxConfig, Split, box_mesh};
use pliant::solver::{Mass, MethodConfig};
use pliant::world::{World, WorldConfig};

const VELOCITY: DVec3 = DVec3::new(3.0, -1.0, 0.5);
const SPIN: DVec3 = DVec3::new(0.4, -2.0, 1.1);

fn weightless() -> World {
    World::new(WorldConfig { gravity: DVec3::ZERO, ..Default::default() }).unwrap()
}

/// A body that is set in motion has the momentum m v and, at every free node, the velocity of the rigid motion about its
/// centre of mass, to rounding; a second motion replaces the first.
#[test]
fn a_thrown_body_moves_as_a_rigid_one() {
    for (split, degree) in all_kinds() {
        let mut body = free_body(crumpled(split, degree, [2, 1, 1]), soft(LawKind::RestStable));
        body.set_motion(SPIN, VELOCITY).unwrap();
        body.set_motion(VELOCITY, SPIN).unwrap();
        let (mass, centre) = (body.model().mass(), body.centre_of_mass());
        for (x, v) in body.state.x.iter().zip(&body.state.v) {
            assert!((*v - VELOCITY - SPIN.cross(*x - centre)).length() < 1e-13);
        }
        let mut world = weightless();
        let handle = world.add(body);
        let momentum = world.momentum_of(handle).unwrap();
        assert!((momentum - mass * VELOCITY).length() < 1e-12 * mass, "{split:?} {degree}");
    }
}

/// A rigid box that is set in motion has the angular momentum and the energy of textbooks, to rounding:
///
/// ```text
/// L = c × m v + I ω        T = m v²/2 + ω·I ω/2        I = m/3 diag(b² + c², a² + c², a² + b²)
/// ```
///
/// - `a`, `b`, `c` half sides, in m
#[test]
fn a_thrown_box_has_the_momenta_of_textbooks() {
    let half = DVec3::new(0.5, 0.1, 0.25);
    let model = Model::rigid_shape(&Shape::Box { half }, 1, RigidConfig::default()).unwrap();
    let mut body = Body::new("box", Arc::new(model), vec![]).unwrap();
    let centre = DVec3::new(1.0, 2.0, -3.0);
    body.state.x.iter_mut().for_each(|x| *x += centre);
    body.set_motion(VELOCITY, SPIN).unwrap();
    let (mass, squares) = (body.model().mass(), half * half);
    let moments = mass / 3.0 * (DVec3::splat(squares.element_sum()) - squares);
    let own = DMat3::from_diagonal(moments) * SPIN;
    let mut world = World::new(WorldConfig::default()).unwrap();
    world.add(body);
    let found = [world.momentum(), world.angular_momentum()];
    let angular = centre.cross(mass * VELOCITY) + own;
    assert!((found[0] - mass * VELOCITY).length() < 1e-12 * found[0].length());
    assert!((found[1] - angular).length() < 1e-12 * angular.length());
    let energy = 0.5 * mass * VELOCITY.length_squared() + 0.5 * SPIN.dot(own);
    assert!((world.energy().kinetic / energy - 1.0).abs() < 1e-12);
    let potential = mass * 9.81 * centre.y;
    assert!((world.energy().potential / potential - 1.0).abs() < 1e-12);
}

/// Pinned nodes keep the velocity that their pins prescribe, here none, also when the world steps.
#[test]
fn pins_are_stronger_than_an_initial_motion() {
    let mesh = crumpled(Split::Tet5, 2, [2, 1, 1]);
    let mut body = held_body(mesh, soft(LawKind::RestStable), &["x-"]);
    body.set_motion(VELOCITY, SPIN).unwrap();
    let pinned: Vec<usize> = body.pins()[0].nodes.iter().map(|node| *node as usize).collect();
    let still = |body: &Body| pinned.iter().all(|node| body.state.v[*node] == DVec3::ZERO);
    let moving = body.state.v.iter().filter(|v| **v != DVec3::ZERO).count();
    assert!(still(&body) && moving == body.state.v.len() - pinned.len());
    let mut world = weightless();
    let handle = world.add(body);
    run(&mut world, 5);
    assert!(still(world.get(handle).unwrap()));
}

/// A motion that is not finite or too fast is an error that names both values, and changes nothing.
#[test]
fn an_impossible_motion_is_refused() {
    let mut body = free_body(crumpled(Split::Tet5, 1, [1, 1, 1]), soft(LawKind::RestStable));
    body.set_motion(VELOCITY, SPIN).unwrap();
    let before = body.state.clone();
    let cases = [
        (DVec3::NAN, SPIN),
        (VELOCITY, DVec3::new(0.0, f64::INFINITY, 0.0)),
        (DVec3::splat(1e13), DVec3::ZERO),
        (DVec3::ZERO, DVec3::splat(1e14)),
    ];
    for (velocity, spin) in cases {
        let error = body.set_motion(velocity, spin).unwrap_err();
        assert!(matches!(error, BodyError::BadMotion { .. }), "{error}");
        assert!(error.to_string().contains("finite numbers"), "{error}");
        assert_eq!(body.state, before);
    }
}

/// With consistent mass, energy and angular momentum are those of the continuum: for a box of straight cells in a rigid
/// motion they are the textbook values, because the products of two linear fields are integrated exactly. Tolerance:
/// rounding.
#[test]
fn consistent_mass_measures_the_inertia_of_the_solid() {
    let mesh = box_mesh(&BoxConfig {
        size: [2.0, 0.4, 0.4],
        cells: [5, 1, 1],
        degree: 2,
        ..Default::default()
    });
    let mut body = free_body(mesh.unwrap(), soft(LawKind::RestStable));
    body.set_motion(DVec3::ZERO, DVec3::Z).unwrap();
    let moment = body.model().mass() / 12.0 * (2.0 * 2.0 + 0.4 * 0.4);
    let mut world = weightless();
    let method = MethodConfig { mass: Mass::Consistent, ..Default::default() };
    let handle = world.add_with(body, method).unwrap();
    let angular = world.angular_momentum_of(handle).unwrap();
    assert!((angular - moment * DVec3::Z).length() < 1e-12 * moment, "{angular}, not {moment}");
    assert!((world.energy_of(handle).unwrap().kinetic / (0.5 * moment) - 1.0).abs() < 1e-12);
}

/// A body that falls trades potential for kinetic energy. In symplectic Euler v = −g n h and the fall is g h² n (n + 1)/2, so
/// after n substeps the sum is less than at the start by m g² h² n/2, to rounding of the elastic forces (1e-9).
#[test]
fn a_falling_body_trades_potential_for_kinetic_energy() {
    let mut world = World::new(WorldConfig { substeps: Some(50), ..Default::default() }).unwrap();
    let body = free_body(crumpled(Split::Tet5, 2, [2, 1, 1]), soft(LawKind::RestStable));
    let mass = body.model().mass();
    world.add_with(body, symplectic_euler()).unwrap();
    let total = |world: &World| world.energy().kinetic + world.energy().potential;
    let before = total(&world);
    run(&mut world, 60);
    let (n, h) = (3000.0, world.config().dt / 50.0);
    let lost = 0.5 * mass * n * (9.81 * h).powi(2);
    let error = (total(&world) - before + lost).abs() / world.energy().kinetic;
    assert!(error < 1e-9, "{error:.1e}");
}

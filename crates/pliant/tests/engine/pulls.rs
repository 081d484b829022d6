//! Pulls: springs between points of a body and targets, under every stepper.

use crate::common::{held_body, model, run, soft};
use glam::DVec3;
use pliant::body::{Action, Body, BodyError, MaterialPoint, Motion, Pull, Ramp};
use pliant::material::LawKind;
use pliant::mesh::Mesh;
use pliant::mesh::generate::{BoxConfig, Split, box_mesh};
use pliant::solver::{Equilibrium, Loads, MethodConfig, StaticConfig, Stepper};
use pliant::world::{BodyHandle, World, WorldConfig};

/// The point at which the block is pulled.
const CORNER: DVec3 = DVec3::ONE;

fn block() -> Mesh {
    let config =
        BoxConfig { cells: [2, 2, 2], split: Split::Tet5, degree: 2, ..Default::default() };
    box_mesh(&config).unwrap()
}

/// A block held at its lower side.
fn held_block() -> Body {
    held_body(block(), soft(LawKind::RestStable), &["y-"])
}

fn pull_at(body: &Body, at: DVec3, motion: Motion, stiffness: f64) -> Pull {
    Pull { point: body.model().locate(at).unwrap(), motion, stiffness, damping: 2.0 }
}

/// A motion by `by` from the start until `end`, in s.
fn moved(by: DVec3, end: f64) -> Motion {
    Motion { ramps: vec![Ramp { start: 0.0, end, action: Action::Translate(by) }] }
}

fn world_of(body: Body, stepper: Stepper, damping: f64) -> (World, BodyHandle) {
    let config = WorldConfig { gravity: DVec3::ZERO, damping, ..Default::default() };
    let mut world = World::new(config).unwrap();
    let method = MethodConfig { stepper, tolerance: 1e-8, ..Default::default() };
    let handle = world.add_with(body, method).unwrap();
    (world, handle)
}

/// The position of a point of a body in equilibrium under a force on it, by the static solver.
fn equilibrium(body: &Body, point: &MaterialPoint, force: DVec3) -> DVec3 {
    let mut body = body.clone();
    let mut forces = vec![DVec3::ZERO; body.state.x.len()];
    for (node, weight) in point.nodes.iter().zip(&point.weights) {
        forces[*node as usize] += *weight * force;
    }
    let loads = Loads { gravity: DVec3::ZERO, forces: &forces };
    let mut solver = Equilibrium::new(&body, loads).unwrap();
    solver.solve(&mut body, &StaticConfig::default(), &mut |_| {}).unwrap();
    point.position(&body.state.x)
}

/// A pulled block comes to rest where the static solver puts it under the force of the spring, so every stepper
/// applies the full force. Tolerance 1 % of the displacement: the remaining motion after 6 s, the tolerance of the
/// solves and the unconverged sweeps of XPBD are below that.
#[test]
fn a_pulled_block_rests_where_spring_and_elasticity_balance() {
    let mut failures = String::new();
    for stepper in Stepper::ALL {
        let mut body = held_block();
        let pull = pull_at(&body, CORNER, moved(DVec3::new(0.2, 0.1, -0.1), 0.5), 400.0);
        body.add_pull(pull.clone()).unwrap();
        let (mut world, handle) = world_of(body, stepper, 4.0);
        run(&mut world, 360);
        let body = world.get(handle).unwrap();
        let rest = &body.model().mesh().nodes;
        let here = pull.point.position(&body.state.x);
        let force = pull.stiffness * (pull.target(rest, world.time()) - here);
        let expected = equilibrium(body, &pull.point, force);
        let (moved, off) = (here.distance(CORNER), here.distance(expected));
        let name = stepper.name();
        assert!(moved > 0.02, "{name}: the point moved by only {moved:.4} m");
        if off > 0.01 * moved {
            failures += &format!("{name}: {off:.2e} m off, having moved by {moved:.3} m\n");
        }
    }
    assert!(failures.is_empty(), "{failures}");
}

/// A point with a stiff pull follows a target that moves at constant speed, within 1 % of its path, once the initial
/// oscillation is damped.
#[test]
fn a_point_follows_its_target() {
    for stepper in Stepper::ALL {
        let mut body = held_block();
        let pull = pull_at(&body, CORNER, moved(DVec3::X, 10.0), 1e5);
        body.add_pull(pull.clone()).unwrap();
        let (mut world, handle) = world_of(body, stepper, 4.0);
        run(&mut world, 120);
        let body = world.get(handle).unwrap();
        let target = pull.target(&body.model().mesh().nodes, world.time());
        let off = pull.point.position(&body.state.x).distance(target);
        let path = target.distance(CORNER);
        assert!((path - 0.2).abs() < 1e-9, "the target has gone {path} m");
        assert!(off < 0.01 * path, "{}: {off:.2e} m behind", stepper.name());
    }
}

/// A pull can be added, replaced and removed while the world runs; then the block returns to its rest shape, within
/// 1 mm.
#[test]
fn a_pull_may_come_move_and_go() {
    let (mut world, handle) = world_of(held_block(), Stepper::ImplicitEuler, 4.0);
    let corner = |world: &World| {
        let body = world.get(handle).unwrap();
        body.model().locate(CORNER).unwrap().position(&body.state.x)
    };
    let pulled =
        |world: &World, by: DVec3| pull_at(world.get(handle).unwrap(), CORNER, moved(by, 0.0), 1e4);
    let up = pulled(&world, 0.1 * DVec3::Y);
    let index = world.get_mut(handle).unwrap().add_pull(up.clone()).unwrap();
    run(&mut world, 60);
    assert!(corner(&world).y > 1.08);
    let aside = pulled(&world, 0.1 * DVec3::X);
    assert_eq!(world.get_mut(handle).unwrap().replace_pull(index, aside).unwrap(), up);
    run(&mut world, 60);
    assert!(corner(&world).x > 1.08);
    world.get_mut(handle).unwrap().remove_pull(index).unwrap();
    run(&mut world, 300);
    let left = corner(&world).distance(CORNER);
    assert!(left < 1e-3, "{left:.1e} m from the rest position after the release");
}

/// Invalid pulls, and points of another body, return errors with their values.
#[test]
fn what_cannot_be_a_pull_is_refused() {
    let mut body = held_block();
    let good = pull_at(&body, CORNER, Motion::default(), 1.0);
    for (stiffness, damping) in [(-1.0, 0.0), (f64::NAN, 0.0), (0.0, -1.0), (f64::INFINITY, 0.0)] {
        let error = body.add_pull(Pull { stiffness, damping, ..good.clone() }).unwrap_err();
        assert!(matches!(error, BodyError::PullStrength { .. }), "{error}");
        assert!(error.to_string().contains("expected a number from 0"), "{error}");
    }
    let motion = moved(f64::NAN * DVec3::X, 1.0);
    let error = body.add_pull(Pull { motion, ..good.clone() }).unwrap_err();
    assert!(matches!(error, BodyError::PullRamp { .. }), "{error}");

    let other = box_mesh(&BoxConfig { cells: [3, 3, 3], ..Default::default() }).unwrap();
    let other = model(other, soft(LawKind::Corotated), None).locate(CORNER).unwrap();
    let error = body.add_pull(Pull { point: other, ..good.clone() }).unwrap_err();
    assert!(matches!(error, BodyError::ForeignPoint { .. }), "{error}");
    let mut heavy = good.clone();
    heavy.point.weights[0] += 0.5;
    assert!(matches!(body.add_pull(heavy), Err(BodyError::ForeignPoint { .. })));
    let gone = body.add_pull(good.clone()).unwrap();
    body.remove_pull(gone).unwrap();
    assert!(matches!(body.remove_pull(gone), Err(BodyError::NoSuchPull { number: 0, count: 0 })));
    assert!(body.replace_pull(gone, good).is_err() && body.pulls().is_empty());
}

//! Pins on points inside or on the surface of cells: the nodes follow in the least-squares sense.

use std::sync::Arc;

use crate::common::{Random, run, soft};
use glam::DVec3;
use pliant::body::{Action, Body, BodyError, MaterialPoint, Model, Motion, Pin, Ramp};
use pliant::material::LawKind;
use pliant::mesh::Mesh;
use pliant::mesh::generate::{BoxConfig, Split, box_mesh};
use pliant::solver::{MethodConfig, Stepper};
use pliant::world::{World, WorldConfig};

fn bar(split: Split, degree: usize) -> Mesh {
    let size = [2.0, 1.0, 1.0];
    let config = BoxConfig { size, cells: [2, 1, 1], split, degree, ..Default::default() };
    box_mesh(&config).unwrap()
}

/// Random material points of the bar with x below `reach`.
fn points(mesh: &Mesh, count: usize, reach: f64, random: &mut Random) -> Vec<MaterialPoint> {
    let place = |_| {
        let unit = 0.5 + 0.499 * random.vector();
        MaterialPoint::locate(mesh, unit * DVec3::new(reach, 1.0, 1.0)).unwrap()
    };
    (0..count).map(place).collect()
}

fn twist() -> Motion {
    let turn = Action::Rotate { centre: DVec3::splat(0.5), axis: DVec3::X, angle: 0.7 };
    let shift = Action::Translate(DVec3::new(0.3, -0.2, 0.5));
    Motion { ramps: [turn, shift].map(|action| Ramp { start: 0.0, end: 1.0, action }).into() }
}

fn placed(pin: &Pin, mesh: &Mesh, t: f64) -> Vec<DVec3> {
    let mut x = mesh.nodes.clone();
    for (k, node) in pin.nodes.iter().enumerate() {
        x[*node as usize] = pin.position(k, mesh.nodes[*node as usize], t);
    }
    x
}

/// Pinned points follow a rigid motion exactly, with fewer points than nodes and with more; with many points
/// all their nodes follow it too. Tolerance 1e-9: rounding times condition numbers of a few thousand; 1e-6 for
/// the nodes.
#[test]
fn points_go_where_they_are_led() {
    let mut random = Random::new(31);
    for (split, degree) in [(Split::Hex, 1), (Split::Hex, 2), (Split::Tet6, 2)] {
        let mesh = bar(split, degree);
        for count in [1, 3, 400] {
            let points = points(&mesh, count, 0.9, &mut random);
            let pin = Pin::on_points(&points, &mesh.nodes, twist());
            let x = placed(&pin, &mesh, 1.0);
            for point in &points {
                let target = twist().position(point.position(&mesh.nodes), 1.0);
                let error = point.position(&x).distance(target);
                assert!(error < 1e-9, "{split:?} {degree}, {count} points: {error}");
            }
            if count == 400 {
                for node in &pin.nodes {
                    let target = twist().position(mesh.nodes[*node as usize], 1.0);
                    assert!(x[*node as usize].distance(target) < 1e-6, "{split:?} {degree}");
                }
            }
        }
    }
}

/// One pinned point with weights h moves its nodes by h/(h·h) times its own displacement, the smallest displacement
/// of the nodes that does so.
#[test]
fn one_point_moves_its_nodes_as_little_as_possible() {
    let mesh = bar(Split::Hex, 1);
    let point = MaterialPoint::locate(&mesh, DVec3::new(0.2, 0.3, 0.9)).unwrap();
    let by = DVec3::new(0.0, 0.1, 0.0);
    let ramp = Ramp { start: 0.0, end: 1.0, action: Action::Translate(by) };
    let pin =
        Pin::on_points(std::slice::from_ref(&point), &mesh.nodes, Motion { ramps: vec![ramp] });
    let square: f64 = point.weights.iter().map(|weight| weight * weight).sum();
    let x = placed(&pin, &mesh, 1.0);
    for (node, weight) in point.nodes.iter().zip(&point.weights) {
        let moved = x[*node as usize] - mesh.nodes[*node as usize];
        assert!(moved.distance(by * *weight / square) < 1e-12, "{moved}");
    }
}

/// Every stepper keeps the pinned points on their paths while the rest of the body falls, to rounding.
#[test]
fn every_stepper_holds_the_points() {
    let mut random = Random::new(32);
    let mesh = bar(Split::Hex, 1);
    let points = points(&mesh, 5, 0.9, &mut random);
    for stepper in Stepper::ALL {
        let model = Model::uniform(mesh.clone(), soft(LawKind::Corotated)).unwrap();
        let pin = Pin::on_points(&points, &mesh.nodes, twist());
        let body = Body::new("bar", Arc::new(model), vec![pin]).unwrap();
        let mut world = World::new(WorldConfig::default()).unwrap();
        let handle = world.add_with(body, MethodConfig { stepper, ..Default::default() }).unwrap();
        run(&mut world, 10);
        let t = world.time();
        let x = &world.get(handle).unwrap().state.x;
        assert!(x.iter().any(|x| x.y < -0.05), "{stepper:?}: nothing fell");
        for point in &points {
            let target = twist().position(point.position(&mesh.nodes), t);
            assert!(point.position(x).distance(target) < 1e-9, "{stepper:?}");
        }
    }
}

/// Two pins that share nodes contradict each other if one of them moves, and not if both hold still.
#[test]
fn contradictions_are_told() {
    let mut random = Random::new(33);
    let mesh = bar(Split::Hex, 1);
    let model = Arc::new(Model::uniform(mesh.clone(), soft(LawKind::Corotated)).unwrap());
    let mut pin = |motion| Pin::on_points(&points(&mesh, 2, 0.9, &mut random), &mesh.nodes, motion);
    let held = vec![pin(Motion::default()), pin(Motion::default())];
    assert!(Body::new("bar", model.clone(), held).is_ok());
    let led = vec![pin(twist()), pin(Motion::default())];
    let refused = Body::new("bar", model, led).unwrap_err();
    assert!(matches!(refused, BodyError::Contradiction { first: 0, second: 1, .. }));
}

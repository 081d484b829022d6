//! Coulomb's friction: slopes hold or let slide, belts carry, balls roll.
#![allow(clippy::unwrap_used, reason = "tests may panic")]

mod common;

use std::f64::consts::FRAC_PI_2;
use std::sync::Arc;

use common::{free_body, largest, run};
use glam::{DMat3, DQuat, DVec3};
use pliant::body::{Action, Body, Contents, Leaf, Model, ModelConfig, Motion, Ramp};
use pliant::contact::{Friction, Obstacle, Slip};
use pliant::geometry::{Pose, Shape};
use pliant::material::Material;
use pliant::mesh::Mesh;
use pliant::mesh::generate::{BallConfig, BoxConfig, Split, ball, box_mesh};
use pliant::solver::{MethodConfig, Stepper};
use pliant::world::{Handle, World, WorldConfig};

const GRAVITY: f64 = 9.81;

/// Stiff rubber: a cube of 0.2 m gives way by 0.2 % under its own weight.
fn rubber() -> Material {
    Material { young: 5e5, poisson: 0.4, ..Default::default() }
}

/// What bodies can be made of.
#[derive(Debug, Clone, Copy)]
enum Cells {
    Linear,
    Quadratic,
    Voxels,
}

const CELLS: [Cells; 3] = [Cells::Linear, Cells::Quadratic, Cells::Voxels];

/// A cube of 0.2 m in the middle of the ground.
fn cube(cells: Cells, split: Split, degree: usize) -> Mesh {
    let cells = if matches!(cells, Cells::Linear) { [3; 3] } else { [2; 3] };
    let config = BoxConfig { size: [0.2; 3], cells, split, degree, ..Default::default() };
    box_mesh(&BoxConfig { origin: [-0.1, 0.0, -0.1], ..config }).unwrap()
}

/// Hexahedra of 2³ leaves each, of which the upper inner ones are missing.
fn voxels(turn: DQuat) -> Model {
    let mut mesh = cube(Cells::Voxels, Split::Hex, 1);
    mesh.nodes.iter_mut().for_each(|x| *x = turn * *x);
    let mut contents = Contents { resolution: 2, start: vec![0], leaves: Vec::new() };
    for _ in 0..mesh.cell_count() {
        let places = (0..8).map(|k| [k % 2, k / 2 % 2, k / 4]).filter(|place| *place != [1, 1, 1]);
        contents.leaves.extend(places.map(|place| Leaf { place, fill: 1.0, material: 0 }));
        contents.start.push(contents.leaves.len() as u32);
    }
    Model::with_contents(mesh, vec![rubber()], contents, ModelConfig::default()).unwrap()
}

/// A cube, turned as a whole.
fn body(cells: Cells, turn: DQuat) -> Body {
    let tetrahedra = |degree| {
        let mut mesh = cube(cells, Split::Tet5, degree);
        mesh.nodes.iter_mut().for_each(|x| *x = turn * *x);
        free_body(mesh, rubber())
    };
    match cells {
        Cells::Linear => tetrahedra(1),
        Cells::Quadratic => tetrahedra(2),
        Cells::Voxels => Body::new("voxels", Arc::new(voxels(turn)), Vec::new()).unwrap(),
    }
}

/// A cube on a slope of tan θ = 0.5, which falls towards +x.
fn on_slope(cells: Cells, stepper: Stepper, friction: f64) -> (World, Handle) {
    let turn = DQuat::from_rotation_z(-0.5_f64.atan());
    let slope = Obstacle {
        shape: Shape::Plane { normal: DVec3::Y },
        pose: Pose { rotation: turn, translation: DVec3::ZERO },
        ..Obstacle::ground(friction)
    };
    let config = WorldConfig { damping: damping(stepper), ..Default::default() };
    let mut world = World::new(config).unwrap();
    world.add_obstacle(slope).unwrap();
    let method = MethodConfig { stepper, tolerance: 1e-6, ..Default::default() };
    let handle = world.add_with(body(cells, turn), method).unwrap();
    (world, handle)
}

/// Those for which nothing is taken in steps far below those of the world come first.
const STEPPERS: [Stepper; 8] = Stepper::ALL;

/// Rules that damp nothing are given some damping, in 1/s, or a body would swing for ever.
fn damping(stepper: Stepper) -> f64 {
    let damps = matches!(
        stepper,
        Stepper::ImplicitEuler | Stepper::BaraffWitkin | Stepper::Bdf2 | Stepper::BackwardEuler
    );
    if damps { 0.0 } else { 2.0 }
}

/// Velocity of the centre of mass, in m/s.
fn velocity(body: &Body) -> DVec3 {
    let moments = body.state.v.iter().zip(body.model().masses()).map(|(v, m)| *m * *v);
    moments.sum::<DVec3>() / body.model().mass()
}

#[test]
fn a_slope_holds_what_friction_can() {
    let mut crept = Vec::new();
    for stepper in STEPPERS {
        for cells in CELLS {
            let (mut world, cube) = on_slope(cells, stepper, 0.55);
            run(&mut world, 60);
            let before = world.body(cube).unwrap().state.x.clone();
            run(&mut world, 600);
            let state = &world.body(cube).unwrap().state;
            let moved = largest(before.iter().zip(&state.x).map(|(a, b)| *b - *a));
            let (speed, name) = (largest(state.v.iter().copied()), stepper.name());
            println!("{name} {cells:?}: moved {moved:.1e} m, {speed:.1e} m/s");
            if moved >= 1e-3 {
                crept.push((name, cells, moved));
            }
        }
    }
    assert!(crept.is_empty(), "crept by so many m in 10 s: {crept:?}");
}

#[test]
fn a_slope_lets_slide_what_friction_cannot_hold() {
    let mut wrong = Vec::new();
    for stepper in STEPPERS {
        for cells in CELLS {
            let (mut world, cube) = on_slope(cells, stepper, 0.45);
            let downhill = DVec3::new(2.0, -1.0, 0.0).normalize();
            run(&mut world, 60);
            let before = velocity(world.body(cube).unwrap()).dot(downhill);
            run(&mut world, 60);
            let after = velocity(world.body(cube).unwrap()).dot(downhill);
            // g (sin θ − μ cos θ), less what the damping of the world takes.
            let pull = GRAVITY * (0.5 - 0.45) / 1.25_f64.sqrt();
            let lost = damping(stepper) * 0.5 * (before + after);
            let (gained, name) = (after - before + lost, stepper.name());
            println!("{name} {cells:?}: {gained:.4} of {pull:.4} m/s²");
            if (gained / pull - 1.0).abs() > 0.05 {
                wrong.push((name, cells, gained));
            }
        }
    }
    assert!(wrong.is_empty(), "other than g (sin θ − μ cos θ) = 0.439 m/s²: {wrong:?}");
}

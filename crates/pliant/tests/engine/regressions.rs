//! One test for each bug that was found later: symptom, expected behaviour, cause.

use std::sync::Arc;

use crate::common::{Random, all_kinds, free_body, jittered, soft, symplectic_euler};
use glam::DVec3;
use pliant::body::{
    Action, Body, BodyError, MaterialPoint, Model, ModelError, Motion, Pin, Pull, Ramp,
};
use pliant::material::LawKind;
use pliant::mesh::Mesh;
use pliant::mesh::generate::{BoxConfig, box_mesh};
use pliant::world::{World, WorldConfig};

fn cube() -> Mesh {
    box_mesh(&BoxConfig { cells: [2, 2, 2], ..Default::default() }).unwrap()
}

/// A cube whose top is moved by `by` within 16 ms.
fn jerked(by: DVec3) -> Result<Body, BodyError> {
    let mesh = cube();
    let top = mesh.node_set("y+").unwrap().nodes.clone();
    let ramp = Ramp { start: 0.0, end: 0.016, action: Action::Translate(by) };
    let pin = Pin { nodes: top, motion: Motion { ramps: vec![ramp] }, ..Default::default() };
    let model = Arc::new(Model::uniform(mesh, soft(LawKind::RestStable)).unwrap());
    Body::new("cube", model, vec![pin])
}

/// Symptom: a cube whose top moved 100 m in a frame reached 1e80 m, which is finite but overflows in the single
/// precision of GLB and PNG, so that writing failed. Expected: its steps are damped and counted, and its energy is
/// always finite. Cause: only infinite positions counted as diverged, and they come tens of frames later.
#[test]
fn a_jerked_cube_was_let_go_to_1e80_m() {
    let mut world = World::new(WorldConfig::default()).unwrap();
    let cube = world.add_with(jerked(DVec3::X * 100.0).unwrap(), symplectic_euler()).unwrap();
    for _ in 0..60 {
        world.step();
        let nodes = &world.get(cube).unwrap().state.x;
        assert!(nodes.iter().all(|x| x.length() < 1e13));
        assert!(world.energy().elastic.is_finite() && world.energy().kinetic.is_finite());
    }
    assert!(world.health().fallbacks > 0);
}

/// Symptom: a body of 1e150 m or 1e−150 m was accepted, and its energy and volume ratio were NaN. Expected: an error
/// with its size. Cause: only single cells were checked, and they were valid.
#[test]
fn bodies_were_taken_whose_volume_is_no_number() {
    for scale in [1e-300, 1e-150, 1e-10, 1e10, 1e150, 1e300] {
        let mesh = Mesh { nodes: cube().nodes.iter().map(|x| *x * scale).collect(), ..cube() };
        let error = Model::uniform(mesh, soft(LawKind::RestStable)).unwrap_err();
        assert!(matches!(error, ModelError::OutOfScale { .. }), "{scale:e}: {error}");
    }
}

/// Symptom: a cube at 1e20 m was refused because its cell 0 was flat. Expected: an error that it is too far away.
/// Cause: at that distance all its nodes round to the same point.
#[test]
fn a_cube_far_away_was_called_flat() {
    let mesh = Mesh { nodes: cube().nodes.iter().map(|x| *x + 1e20).collect(), ..cube() };
    let error = Model::uniform(mesh, soft(LawKind::RestStable)).unwrap_err();
    assert_eq!(error, ModelError::OutOfScale { size: 0.0, farthest: 1e20 });
}

/// Symptom: a pin moved by 1e308 m twice had nodes at infinity, which no reset could repair. Expected: an error.
/// Cause: each ramp was finite, but their sum was not.
#[test]
fn pins_could_be_led_to_infinity() {
    let error = jerked(DVec3::X * 1e308).unwrap_err();
    assert!(matches!(error, BodyError::BadRamp { pin: 0, .. }), "{error}");
}

/// Symptom: under a gravity of 1e300 m/s² the static solver reported an unbalanced force of NaN. Expected: an error
/// of the settings. Cause: the weight overflows in the norm of the residual.
#[test]
fn gravity_could_be_so_strong_that_its_square_is_infinite() {
    let config = WorldConfig { gravity: DVec3::Y * -1e300, ..Default::default() };
    assert!(config.check().is_err());
}

/// Symptom: dragging a body sometimes failed with "this pull holds a point of a cell that is not one of this body".
/// Expected: a point that was located on the skin can be pulled. Cause: on a face the last weight, 1 − Σ ξ, was
/// −1e−16 by rounding.
#[test]
fn points_on_the_skin_were_not_of_their_body() {
    let mut random = Random::new(5);
    for (split, degree) in all_kinds() {
        let mut body = free_body(jittered(split, degree, [2; 3]), soft(LawKind::RestStable));
        let mesh = body.model().mesh().clone();
        for _ in 0..100 {
            let (low, high) = mesh.bounds();
            let inside = 0.5 * (random.vector() + 1.0);
            let place = low + (high - low) * DVec3::new(1.0, inside.y, inside.z);
            // Not every point is inside the mesh; those that are found matter.
            let Some(point) = MaterialPoint::locate(&mesh, place) else { continue };
            assert!(point.weights.iter().all(|weight| *weight >= 0.0), "{split:?}: {point:?}");
            let pull = Pull { point, motion: Motion::default(), stiffness: 1.0, damping: 0.0 };
            body.add_pull(pull).unwrap();
        }
    }
}

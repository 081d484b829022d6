//! No state and no valid material makes a world panic or keep a number that is not finite.

use crate::common::{
    Random, all_kinds, crumpled, for_cases, free_body, held_body, soft, symplectic_euler,
};
use glam::DVec3;
use pliant::body::Body;
use pliant::contact::ContactLevel;
use pliant::internals::{Masses, stable_step};
use pliant::material::{LawKind, Material};
use pliant::mesh::generate::Split;
use pliant::sleep::SleepConfig;
use pliant::solver::MethodError;
use pliant::world::{BodyHandle, ConfigError, World, WorldConfig};

/// A change that makes the state of a body invalid or extreme, with its name.
type Abuse = (&'static str, fn(&mut Body));

/// All such changes.
const ABUSES: [Abuse; 9] = [
    ("random", |body| {
        let mut random = Random::new(1);
        body.state.x.iter_mut().for_each(|x| *x = random.vector());
    }),
    ("flat", |body| body.state.x.iter_mut().for_each(|x| x.z = 0.0)),
    ("a line", |body| body.state.x.iter_mut().for_each(|x| *x = DVec3::X * x.x)),
    ("a point", |body| body.state.x.fill(DVec3::ONE)),
    ("inverted", |body| body.state.x.iter_mut().for_each(|x| x.y = -x.y)),
    ("blown up", |body| body.state.x.iter_mut().for_each(|x| *x *= 1e3)),
    ("huge", |body| body.state.x.iter_mut().for_each(|x| *x *= 1e150)),
    ("fast", |body| body.state.v.fill(DVec3::splat(-1e300))),
    ("not a number", |body| body.state.x[0].x = f64::NAN),
];

/// A world with a valid body and one whose state is to be changed.
fn world(split: Split, degree: usize, law: LawKind) -> (World, [BodyHandle; 2]) {
    // Few substeps, so that the motion may become unstable, which must not matter.
    let contact = ContactLevel::Off;
    let config = WorldConfig { substeps: Some(5), dt: 2e-3, contact, ..Default::default() };
    let mut world = World::new(config).unwrap();
    let mesh = crumpled(split, degree, [2, 1, 1]);
    let abused = free_body(mesh.clone(), soft(law));
    let abused = world.add_with(abused, symplectic_euler()).unwrap();
    let sound = world.add_with(held_body(mesh, soft(law), &["x-"]), symplectic_euler()).unwrap();
    (world, [abused, sound])
}

/// After any invalid or extreme state the next steps are finite, and another body in the world has the same
/// bits as without the change.
#[test]
fn no_state_survives_that_is_not_finite() {
    for (split, degree) in all_kinds() {
        for law in LawKind::ALL {
            for (name, abuse) in ABUSES {
                let (mut world, [abused, sound]) = world(split, degree, law);
                let mut alone = world.clone();
                abuse(world.get_mut(abused).unwrap());
                for _ in 0..8 {
                    world.step();
                    alone.step();
                    let state = &world.get(abused).unwrap().state;
                    assert!(state.is_finite(), "{name}: {split:?} {degree}, {law}");
                }
                // The other body is unaffected.
                let state = |world: &World| world.get(sound).unwrap().state.clone();
                assert_eq!(state(&world), state(&alone), "{name}");
                if name == "not a number" {
                    assert_eq!(world.health().resets, 1, "{split:?} {degree}, {law}");
                }
            }
        }
    }
}

/// A body with a velocity that is not finite is reset once and counted once.
#[test]
fn a_body_that_is_not_a_number_goes_back_and_is_counted_once() {
    for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        let (mut world, [abused, _]) = world(Split::Tet5, 2, LawKind::RestStable);
        world.step();
        let before = world.get(abused).unwrap().state.clone();
        world.get_mut(abused).unwrap().state.v[3].z = bad;
        let report = world.step();
        assert_eq!((report.resets, world.health().resets), (1, 1));
        // The body continues from its last finite positions at rest, so it moves by at most one step of gravity.
        let after = &world.get(abused).unwrap().state;
        let moved = before.x.iter().zip(&after.x).map(|(from, to)| *to - *from);
        assert!(crate::common::largest(moved) < 1e-3);
        assert_eq!((world.step().resets, world.health().resets), (0, 1));
    }
}

/// A body whose last finite positions are unusable is reset a second time, to its rest shape.
#[test]
fn a_body_that_cannot_go_on_returns_to_its_shape() {
    let (mut world, [abused, _]) = world(Split::Tet5, 2, LawKind::RestStable);
    world.get_mut(abused).unwrap().state.x.iter_mut().for_each(|x| *x *= 1e11);
    assert_eq!(world.step().resets, 1);
    assert_eq!(world.step().resets, 1);
    let body = world.get(abused).unwrap();
    assert_eq!(body.state.x, body.model().mesh().nodes);
    assert_eq!(world.step().resets, 0);
}

/// The extreme values of every material parameter step without a reset.
#[test]
fn extreme_materials_step_without_harm() {
    let extremes = [(1e-9, 1e9), (1e-9, 1e-6), (1e15, 1e9), (1e15, 1e-6)];
    for law in LawKind::ALL {
        for (young, density) in extremes {
            for poisson in [-0.99, 0.0, 0.499_999] {
                let material = Material { young, density, poisson, ..soft(law) };
                let mesh = crumpled(Split::Tet5, 1, [1, 1, 1]);
                let config = WorldConfig { dt: 1e-10, ..Default::default() };
                let mut world = World::new(config).unwrap();
                let body = held_body(mesh, material, &["x-"]);
                let handle = world.add_with(body, symplectic_euler()).unwrap();
                crate::common::run(&mut world, 3);
                assert!(world.get(handle).unwrap().state.is_finite());
                assert_eq!(world.health().resets, 0, "{material:?}");
            }
        }
    }
}

/// An explicit stepper that would need too many substeps is an error with the stable step; a number of substeps given
/// by the user is accepted.
#[test]
fn a_body_too_stiff_for_its_step_is_refused() {
    let material = Material { young: 1e15, density: 1e-6, ..soft(LawKind::RestStable) };
    let body = || free_body(crumpled(Split::Hex, 1, [1, 1, 1]), material);
    let expected = stable_step(body().model(), Masses::Lumped(body().model().masses()));
    let mut world = World::new(WorldConfig::default()).unwrap();
    let error = world.add_with(body(), symplectic_euler()).unwrap_err();
    let MethodError::TooStiff { stable, substeps, most, .. } = error else { panic!("{error}") };
    assert_eq!((stable, most), (expected, 100_000));
    assert!(substeps > 1e5 && error.to_string().contains("implicit"), "{error}");

    let config = WorldConfig { substeps: Some(3), dt: expected, ..Default::default() };
    let mut world = World::new(config).unwrap();
    world.add_with(body(), symplectic_euler()).unwrap();
    world.step();
    assert_eq!(world.health().resets, 0);
}

/// Settings out of range return an error with the name of the field.
#[test]
fn world_settings_out_of_range_are_refused() {
    let field = |config: WorldConfig| match World::new(config) {
        Err(ConfigError::OutOfRange { field, .. }) => field,
        other => panic!("{other:?}"),
    };
    let default = WorldConfig::default();
    assert_eq!(field(WorldConfig { gravity: DVec3::NAN, ..default }), "gravity");
    for dt in [0.0, -0.01, f64::NAN] {
        assert_eq!(field(WorldConfig { dt, ..default }), "dt");
    }
    assert_eq!(field(WorldConfig { dt: f64::INFINITY, ..default }), "dt");
    assert_eq!(field(WorldConfig { substeps: Some(0), ..default }), "substeps");
    assert_eq!(field(WorldConfig { damping: -1.0, ..default }), "damping");
    for force in [-1.0, f64::NAN, f64::INFINITY] {
        let sleep = Some(SleepConfig { force, ..Default::default() });
        assert_eq!(field(WorldConfig { sleep, ..default }), "sleep.force");
    }
}

/// A state of random bits, read as numbers, is finite again after each step.
#[test]
fn any_bits_in_a_state_are_survived() {
    for_cases(64, &mut |random| {
        let mut number = || f64::from_bits(random.bits());
        let (mut world, [abused, _]) = world(Split::Tet5, 1, LawKind::RestStable);
        let state = &mut world.get_mut(abused).unwrap().state;
        for slot in state.x.iter_mut().chain(&mut state.v).take(2 * 12) {
            *slot = DVec3::new(number(), number(), number());
        }
        for _ in 0..4 {
            world.step();
            assert!(world.get(abused).unwrap().state.is_finite());
        }
    });
}

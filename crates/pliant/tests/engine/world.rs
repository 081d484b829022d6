//! Methods, phases, events, reports and degrees of a world.

use std::sync::Mutex;

use crate::common::{free_body, held_body, jittered, soft, symplectic_euler};
use glam::DVec3;
use pliant::body::Body;
use pliant::contact::ContactLevel;
use pliant::internals::{Masses, stable_step};
use pliant::material::LawKind;
use pliant::mesh::generate::Split;
use pliant::solver::{
    AdaptiveConfig, LinearReport, Mass, MethodConfig, MethodError, Phase, Rayleigh, Stepper,
};
use pliant::world::{EventKind, World, WorldConfig};

fn small_body(degree: usize) -> Body {
    free_body(jittered(Split::Tet5, degree, [2, 1, 1]), soft(LawKind::Corotated))
}

/// A world without contact, in which bodies may overlap.
fn world() -> World {
    World::new(WorldConfig { contact: ContactLevel::Off, ..Default::default() }).unwrap()
}

/// Every body has the method with which it was added.
#[test]
fn each_body_keeps_its_method() {
    let mut world = world();
    let default = world.add(small_body(1));
    let explicit = world.add_with(small_body(1), symplectic_euler()).unwrap();
    assert_eq!(world.method(default), Some(&MethodConfig::default()));
    assert_eq!(world.method(explicit).unwrap().stepper, Stepper::SymplecticEuler);
}

/// The number of substeps is the step over half of the stable step, rounded up, unless it is given.
#[test]
fn an_explicit_body_takes_the_substeps_it_needs() {
    let body = small_body(2);
    let stable = stable_step(body.model(), Masses::Lumped(body.model().masses()));
    let config = WorldConfig::default();
    let mut free = World::new(config).unwrap();
    let handle = free.add_with(body.clone(), symplectic_euler()).unwrap();
    let needed = (config.dt / (0.5 * stable)).ceil();
    assert_eq!(free.stable_step(handle), Some(stable));
    assert_eq!(free.substeps(handle), Some((needed as u32, config.dt / needed)));
    assert_eq!(free.step().substeps, needed as u32);

    let config = WorldConfig { substeps: Some(7), ..config };
    let mut bound = World::new(config).unwrap();
    let handle = bound.add_with(body, symplectic_euler()).unwrap();
    assert_eq!(bound.substeps(handle), Some((7, config.dt / 7.0)));
}

/// Every kind of invalid method returns an error that names the field or says what to change.
#[test]
fn methods_that_cannot_be_are_refused_with_a_remedy() {
    let default = MethodConfig::default();
    let adaptive = |refine, coarsen| Some(AdaptiveConfig { refine, coarsen, dwell: 5 });
    let explicit = symplectic_euler();
    let stiff = Rayleigh { mass: 0.0, stiffness: 1e-3 };
    let negative = Rayleigh { mass: -1.0, stiffness: 0.0 };
    let cases = [
        (MethodConfig { adaptive: adaptive(1e-4, 1e-3), ..default }, "make coarsen a fifth"),
        (MethodConfig { adaptive: adaptive(1e-3, 1e-3), ..default }, "make coarsen a fifth"),
        (MethodConfig { adaptive: adaptive(f64::NAN, 0.0), ..default }, "refine is NaN"),
        (MethodConfig { adaptive: adaptive(1e-3, 1e-4), ..explicit }, "implicit stepper"),
        (MethodConfig { mass: Mass::Consistent, ..explicit }, "implicit stepper"),
        (MethodConfig { rayleigh: stiff, ..explicit }, "implicit stepper"),
        (MethodConfig { rayleigh: negative, ..default }, "rayleigh.mass is -1"),
        (MethodConfig { tolerance: 0.0, ..default }, "tolerance is 0"),
        (MethodConfig { max_iterations: 0, ..default }, "max_iterations is 0"),
        (MethodConfig { newton_iterations: 0, ..default }, "newton_iterations is 0"),
        (MethodConfig { refactor_threshold: f64::INFINITY, ..default }, "lazy is inf"),
    ];
    for (method, part) in cases {
        let error = world().add_with(small_body(2), method).unwrap_err().to_string();
        assert!(error.contains(part), "{error}");
    }
}

/// Adaptive degree needs quadratic tetrahedra.
#[test]
fn only_quadratic_tetrahedra_can_adapt() {
    let method = MethodConfig { adaptive: Some(AdaptiveConfig::default()), ..Default::default() };
    assert!(world().add_with(small_body(2), method).is_ok());
    for degree in [1, 3] {
        let refused = world().add_with(small_body(degree), method);
        assert_eq!(refused.unwrap_err(), MethodError::NothingToAdapt);
    }
}

/// Every substep reports the phase of forces, and a step ends with the phase of its update and then with `None`, so
/// that a clock counts all time exactly once.
#[test]
fn a_step_tells_its_phases() {
    let config = WorldConfig { substeps: Some(3), dt: 1e-3, ..Default::default() };
    let mut world = World::new(config).unwrap();
    world.add_with(small_body(1), symplectic_euler()).unwrap();
    let phases = Mutex::new(Vec::new());
    world.step_with(&|phase| phases.lock().unwrap().push(phase));
    let phases = phases.into_inner().unwrap();
    assert_eq!(phases.iter().filter(|phase| **phase == Some(Phase::Forces)).count(), 3);
    assert_eq!(phases[phases.len() - 2..], [Some(Phase::Update), None]);
}

/// Observing the phases of a step does not change its report or its bits.
#[test]
fn phases_do_not_change_a_step() {
    let mut plain = world();
    plain.add(held_body(jittered(Split::Hex, 1, [1, 1, 1]), soft(LawKind::Corotated), &["x-"]));
    let mut told = plain.clone();
    for _ in 0..3 {
        assert_eq!(plain.step(), told.step_with(&|_| {}));
    }
    assert_eq!(plain.state_hash(), told.state_hash());
}

/// The event of a reset belongs to the step in which it happened; the health counter keeps it.
#[test]
fn a_reset_is_an_event_of_its_step() {
    let mut world = world();
    world.add_with(small_body(1), symplectic_euler()).unwrap();
    let broken = world.add_with(small_body(1), symplectic_euler()).unwrap();
    world.step();
    assert!(world.events().is_empty());
    world.get_mut(broken).unwrap().state.v[0] = DVec3::NAN;
    world.step();
    let [event] = world.events() else { panic!("{:?}", world.events()) };
    let stepper = Some(Stepper::SymplecticEuler);
    assert_eq!((event.body, event.kind), (broken, EventKind::Reset { stepper }));
    assert!(event.kind.to_string().contains("shorten dt"));
    world.step();
    assert!(world.events().is_empty());
    assert_eq!((world.health().resets, world.health().unconverged), (1, 0));
}

/// The advice of a reset is one that its body can still follow: nobody who uses an implicit stepper is told to choose one.
#[test]
fn the_advice_of_a_reset_fits_the_stepper() {
    let advice = |stepper| EventKind::Reset { stepper }.to_string();
    for stepper in Stepper::ALL {
        let text = advice(Some(stepper));
        let damped = matches!(stepper, Stepper::ImplicitEuler | Stepper::BaraffWitkin);
        assert_eq!(
            text.contains("an implicit stepper"),
            !stepper.solves() || stepper.is_explicit()
        );
        assert_eq!(text.contains("`implicit-euler`"), !damped, "{stepper:?}: {text}");
        assert!(text.contains("substeps"), "{text}");
    }
    assert!(!advice(None).contains("stepper"));
}

/// Reports of several bodies and of several steps are merged: iterations add up in both cases, sizes only over bodies.
#[test]
fn reports_of_solves_are_merged() {
    let one =
        LinearReport { iterations: 3, residual: 0.1, blocks: 9, unknowns: 5, ..Default::default() };
    let other = LinearReport { iterations: 4, residual: 0.2, blocks: 8, unknowns: 5, ..one };
    let (mut bodies, mut steps) = (one, one);
    bodies.add_body(&other);
    steps.add_step(&other);
    let figures = |r: &LinearReport| (r.iterations, r.residual, r.blocks, r.unknowns);
    assert_eq!(figures(&bodies), (7, 0.2, 17, 10));
    assert_eq!(figures(&steps), (7, 0.2, 9, 5));
}

/// Without adaptive degree every node has the degree of the mesh.
#[test]
fn without_adaption_the_degree_is_that_of_the_mesh() {
    for degree in 1..=3 {
        let mut world = world();
        let handle = world.add_with(small_body(degree), symplectic_euler()).unwrap();
        let degrees = world.degrees(handle).unwrap();
        assert_eq!(degrees.len(), world.get(handle).unwrap().state.x.len());
        assert!(degrees.iter().all(|d| usize::from(*d) == degree));
    }
}

/// With lumped masses Rayleigh mass damping equals the damping of the world, to the bit.
#[test]
fn rayleigh_mass_damping_is_a_decay_rate() {
    let mut body = small_body(2);
    body.state.v.fill(DVec3::X);
    let run = |damping: f64, mass: f64| {
        let config = WorldConfig { damping, gravity: DVec3::ZERO, ..Default::default() };
        let mut world = World::new(config).unwrap();
        let rayleigh = Rayleigh { mass, stiffness: 0.0 };
        let method = MethodConfig { rayleigh, ..symplectic_euler() };
        world.add_with(body.clone(), method).unwrap();
        crate::common::run(&mut world, 10);
        world.state_hash()
    };
    assert_eq!(run(3.0, 0.0), run(0.0, 3.0));
}

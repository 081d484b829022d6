//! The default solver of bodies of degree 2: a factor that turns with the body.

use std::f64::consts::TAU;

use crate::common::{free_body, held_body, run};
use glam::DVec3;
use pliant::material::{LawKind, Material};
use pliant::mesh::Mesh;
use pliant::mesh::generate::{BoxConfig, Split, box_mesh};
use pliant::solver::{LinearSolver, MethodConfig};
use pliant::world::{World, WorldConfig};

fn bar(split: Split) -> Mesh {
    let (size, cells) = ([2.0, 0.4, 0.4], [6, 2, 2]);
    box_mesh(&BoxConfig { size, cells, split, degree: 2, ..Default::default() }).unwrap()
}

fn weightless() -> WorldConfig {
    WorldConfig { gravity: DVec3::ZERO, ..Default::default() }
}

/// A stiff bar that spins keeps the factor of its start: in two turns its solves need at most four iterations a step, and it is factored at
/// most three times (once by the first solve that is slow without a factor). An old factor that does not turn is no use after a quarter of a turn.
#[test]
fn a_factor_survives_turns_of_the_body() {
    let material = Material { young: 1e8, law: LawKind::RestStable, ..Default::default() };
    let mut world = World::new(weightless()).unwrap();
    let mut body = free_body(bar(Split::Tet5), material);
    body.set_motion(DVec3::ZERO, TAU * DVec3::Z).unwrap();
    world.add(body);
    let (mut factorisations, mut most) = (0, 0);
    for step in 0..120 {
        let report = world.step().linear;
        factorisations += report.factorisations;
        // The first steps of a body that begins to spin shake it.
        most = most.max(if step < 20 { 0 } else { report.iterations });
    }
    assert!((1..=3).contains(&factorisations), "{factorisations} factorisations");
    assert!(most <= 4, "{most} iterations");
}

/// Nearly incompressible bodies under loads that bend them converge in every step, for tetrahedra and hexahedra and for laws with and
/// without rotations. The diagonal alone leaves most of these solves open.
#[test]
fn rubber_converges_in_every_step() {
    for law in [LawKind::RestStable, LawKind::Corotated, LawKind::Smith] {
        for split in [Split::Tet5, Split::Hex] {
            let material =
                Material { young: 3e6, poisson: 0.49, density: 1100.0, law, ..Default::default() };
            let mut world = World::new(WorldConfig::default()).unwrap();
            world.add(held_body(bar(split), material, &["x-"]));
            run(&mut world, 60);
            assert_eq!(world.health().unconverged, 0, "{law:?} {split:?}");
        }
    }
}

/// The default solver and one that iterates without a factor lead to the same motion: after a second of swinging their ends differ by less
/// than 0.1 % of the way. Both solve to 1e-5 here; the error of one linearisation per step, which only the second makes, is
/// of that size.
#[test]
fn the_solver_does_not_change_the_motion() {
    let material = Material { young: 1e6, law: LawKind::RestStable, ..Default::default() };
    let end = |solver: LinearSolver| {
        let method = MethodConfig { solver, tolerance: 1e-5, ..Default::default() };
        let mut world = World::new(WorldConfig::default()).unwrap();
        let body = held_body(bar(Split::Tet5), material, &["x-"]);
        let tip = body.model().locate(DVec3::new(2.0, 0.2, 0.2)).unwrap();
        let handle = world.add_with(body, method).unwrap();
        run(&mut world, 60);
        tip.position(&world[handle].state.x)
    };
    let (usual, other) = (end(LinearSolver::Auto), end(LinearSolver::MatrixFree));
    let way = (other - DVec3::new(2.0, 0.2, 0.2)).length();
    assert!((usual - other).length() < 1e-3 * way, "{usual} {other}");
}

/// A factor is renewed over three solves. A world that is restored or cloned between any two of them goes on with the same bits, and a soft
/// bar that swings far is renewed several times in the second.
#[test]
fn a_renewal_in_stages_goes_on_with_the_same_bits() {
    let material = Material { young: 2e5, law: LawKind::RestStable, ..Default::default() };
    let build = || {
        let mut world = World::new(WorldConfig::default()).unwrap();
        world.add(held_body(bar(Split::Tet5), material, &["x-"]));
        world
    };
    let mut world = build();
    let mut other = world.clone();
    let mut factorisations = 0;
    for step in 0..60 {
        factorisations += world.step().linear.factorisations;
        other.restore(&world.snapshot()).unwrap();
        let (mut ahead, mut copy) = (world.clone(), other.clone());
        for world in [&mut ahead, &mut copy, &mut other] {
            run(world, 4);
        }
        let hash = ahead.state_hash();
        assert_eq!([copy.state_hash(), other.state_hash()], [hash; 2], "step {step}");
    }
    assert!(factorisations > 3, "{factorisations} factorisations");
}

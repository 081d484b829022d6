//! Loads on skins: forces and torques of another simulation act on the body completely and exclusively.

use std::sync::Arc;

use crate::common::{Random, all_kinds, crumpled, free_body, held_body, jittered, run, soft};
use glam::DVec3;
use pliant::body::{Body, Model, RigidConfig, Skin, SkinMotion};
use pliant::contact::{ContactLevel, Obstacle};
use pliant::geometry::Shape;
use pliant::material::{LawKind, Material};
use pliant::mesh::Mesh;
use pliant::mesh::generate::{BoxConfig, Split, box_mesh};
use pliant::solver::{MethodConfig, StaticConfig, Stepper};
use pliant::world::{BodyHandle, EventKind, HandleError, LoadError, World, WorldConfig};

/// A world without gravity and contact.
fn space(dt: f64, substeps: Option<u32>) -> World {
    let (gravity, contact) = (DVec3::ZERO, ContactLevel::Off);
    let config = WorldConfig { gravity, contact, dt, substeps, sleep: None, ..Default::default() };
    World::new(config).unwrap()
}

fn rigid_crate() -> Body {
    let shape = Shape::Box { half: DVec3::new(0.5, 0.3, 0.4) };
    let model = Model::rigid_shape(&shape, 3, RigidConfig::default()).unwrap();
    Body::new("crate", Arc::new(model), vec![]).unwrap()
}

fn motion_of(world: &mut World, handle: BodyHandle) -> SkinMotion {
    let mut motion = SkinMotion::default();
    world.skin_motion(handle, &mut motion).unwrap();
    motion
}

/// Random vectors of this size, the same in every run.
fn random(count: usize, size: f64) -> Vec<DVec3> {
    let mut random = Random::new(3);
    (0..count).map(|_| size * random.vector()).collect()
}

/// The momentum, and the angular momentum about the origin with nodes at `x`.
fn momenta(body: &Body, x: &[DVec3]) -> [DVec3; 2] {
    let moving = || body.model().masses().iter().zip(&body.state.v);
    let linear = moving().map(|(mass, v)| *mass * *v).sum();
    [linear, moving().zip(x).map(|((mass, v), x)| x.cross(*mass * *v)).sum()]
}

/// Bodies with all kinds of cells, curved if possible, and a rigid body, whose skin has negative weights.
fn bodies() -> Vec<Body> {
    let kinds = all_kinds().into_iter();
    let soft = |(split, degree)| crumpled(split, degree, [2, 2, 2]);
    let bodies = kinds.map(|kind| free_body(soft(kind), self::soft(LawKind::Corotated)));
    bodies.chain([rigid_crate()]).collect()
}

/// One short step gives a body at rest the momentum Σ h A t and the angular momentum Σ h c × A t of all triangles
/// with centroids c: Hᵀ preserves forces and torques. Tolerance 1e-12: rounding of sums of a few hundred terms.
/// (Elastic forces at rest are rounding errors times E, and negligible over so short a step.)
#[test]
fn tractions_reach_the_body_with_their_force_and_their_torque() {
    const H: f64 = 1e-6;
    for body in bodies() {
        let mut world = space(H, Some(1));
        let method = MethodConfig { stepper: Stepper::SymplecticEuler, ..Default::default() };
        let handle = world.add_with(body, method).unwrap();
        let motion = motion_of(&mut world, handle);
        let triangles = world.skin(handle).unwrap().triangles().to_vec();
        let tractions = random(triangles.len(), 1e3);
        world.set_tractions(handle, &tractions).unwrap();
        let x = world.get(handle).unwrap().state.x.clone();
        world.step();
        let (mut force, mut torque, mut size) = (DVec3::ZERO, DVec3::ZERO, 0.0);
        for ((triangle, area), traction) in triangles.iter().zip(&motion.areas).zip(&tractions) {
            let push = area.length() * *traction;
            force += push;
            torque += motion.centre(*triangle).cross(push);
            size += push.length();
        }
        let [linear, angular] = momenta(world.get(handle).unwrap(), &x);
        assert!((linear / H - force).length() < 1e-12 * size, "{linear} for {force}");
        assert!((angular / H - torque).length() < 1e-12 * size, "{angular} for {torque}");
    }
}

/// A uniform pressure on a closed skin has neither force nor torque: Σ A n = 0 and Σ c × A n = 0 for every closed
/// surface, to rounding.
#[test]
fn an_even_pressure_moves_nothing() {
    for body in bodies() {
        let model = body.model();
        let skin = model.skin().cloned().unwrap_or_else(|| Skin::of_mesh(model.mesh(), 3));
        let mut motion = SkinMotion::default();
        motion.follow(&skin, &body.state);
        let tractions: Vec<DVec3> = motion.areas.iter().map(|area| -area.normalize()).collect();
        let mut vertices = vec![DVec3::ZERO; skin.vertex_count()];
        motion.add_tractions(&skin, &tractions, &mut vertices);
        let mut nodes = vec![DVec3::ZERO; body.state.x.len()];
        skin.spread(&vertices, &mut nodes);
        let force: DVec3 = nodes.iter().sum();
        let torque: DVec3 = nodes.iter().zip(&body.state.x).map(|(f, x)| x.cross(*f)).sum();
        let whole: f64 = nodes.iter().map(|f| f.length()).sum();
        assert!(force.length() < 1e-13 * whole, "{force} of {whole} N");
        assert!(torque.length() < 1e-13 * whole, "{torque} of {whole} N·m");
    }
}

/// Constant forces for one second give a free body the momentum F t, under every stepper. Tolerance 1e-8: 50 steps
/// with solver tolerances of 1e-10.
#[test]
fn momentum_arrives_under_every_stepper() {
    for stepper in Stepper::ALL {
        for rigid in [false, true] {
            let mesh = jittered(Split::Tet5, 2, [2, 1, 1]);
            let soft = || free_body(mesh.clone(), soft(LawKind::Corotated));
            let body = if rigid { rigid_crate() } else { soft() };
            let mut world = space(1.0 / 50.0, None);
            let method = MethodConfig { stepper, tolerance: 1e-10, ..Default::default() };
            let handle = world.add_with(body, method).unwrap();
            let forces = random(world.skin(handle).unwrap().vertex_count(), 0.2);
            world.set_skin_forces(handle, &forces).unwrap();
            run(&mut world, 50);
            let body = world.get(handle).unwrap();
            let [momentum, _] = momenta(body, &body.state.x);
            let pushed: DVec3 = forces.iter().sum();
            let off = (momentum - pushed).length();
            let name = stepper.name();
            assert!(off < 1e-8 * pushed.length(), "{name}, rigid {rigid}: {momentum}, {pushed}");
        }
    }
}

fn cube() -> Mesh {
    box_mesh(&BoxConfig { cells: [2; 3], degree: 2, ..Default::default() }).unwrap()
}

/// A cube under a uniform pressure p shrinks by the strain p (1 − 2ν)/E along each side (Hooke's law), under every
/// stepper. Tolerance 2 %: the strain is 0.4 %, so the quadratic term is 0.4 % of it, and XPBD solves its constraints
/// before it adds forces on points.
#[test]
fn a_cube_under_pressure_shrinks_as_hooke_says() {
    let (material, pressure) = (soft(LawKind::Corotated), 100.0);
    let strain = pressure * (1.0 - 2.0 * material.poisson) / material.young;
    for stepper in Stepper::ALL {
        let mut world = space(1.0 / 60.0, None);
        world.set_config(WorldConfig { damping: 20.0, ..*world.config() }).unwrap();
        let method = MethodConfig { stepper, ..Default::default() };
        let handle = world.add_with(free_body(cube(), material), method).unwrap();
        for _ in 0..180 {
            let motion = motion_of(&mut world, handle);
            let push = |area: &DVec3| -pressure * area.normalize();
            let tractions: Vec<DVec3> = motion.areas.iter().map(push).collect();
            world.set_tractions(handle, &tractions).unwrap();
            world.step();
        }
        let found = (1.0 - world.volume_ratio()) / 3.0;
        let off = (found / strain - 1.0).abs();
        assert!(off < 0.02, "{}: {found:.5} for {strain:.5}", stepper.name());
    }
}

/// The static solver includes loads on skins: a block with ν = 0 under a pressure on its upper side becomes shorter
/// by p L/E. Tolerance 1 %: the dead load on the undeformed area, at a strain of 1 %. With linear cells, for which a
/// third of the force on a triangle per vertex is the exact nodal load of a uniform traction.
#[test]
fn a_column_in_equilibrium_carries_its_load() {
    let material = Material { poisson: 0.0, ..soft(LawKind::Corotated) };
    let mesh = box_mesh(&BoxConfig { cells: [2; 3], ..Default::default() }).unwrap();
    let body = held_body(mesh, material, &["y-"]);
    let mut world = space(1.0 / 60.0, None);
    let handle = world.add(body);
    let motion = motion_of(&mut world, handle);
    let up = |area: &DVec3| area.normalize().y > 0.9;
    let push = |area: &DVec3| if up(area) { DVec3::new(0.0, -100.0, 0.0) } else { DVec3::ZERO };
    let tractions: Vec<DVec3> = motion.areas.iter().map(push).collect();
    world.set_tractions(handle, &tractions).unwrap();
    world.solve_static(&StaticConfig::default(), &mut |_| {}).unwrap();
    let top = motion_of(&mut world, handle).x.iter().map(|x| x.y).fold(0.0, f64::max);
    assert!((1.0 - top - 0.01).abs() < 1e-4, "{top}");
}

/// Loads of the wrong length, loads that are not finite or too large, and loads for a body of another world
/// return errors and leave the world unchanged.
#[test]
fn bad_loads_are_refused_and_change_nothing() {
    let mut world = space(1.0 / 60.0, None);
    let handle = world.add(free_body(cube(), soft(LawKind::Corotated)));
    let triangles = world.skin(handle).unwrap().triangles().len();
    let vertices = world.skin(handle).unwrap().vertex_count();
    world.set_tractions(handle, &random(triangles, 1.0)).unwrap();
    let before = world.snapshot();
    let short = world.set_tractions(handle, &[DVec3::X; 3]);
    assert!(
        matches!(short, Err(LoadError::Count { given: 3, expected, .. }) if expected == triangles)
    );
    for bad in [f64::NAN, f64::INFINITY, -1e16] {
        let mut forces = vec![DVec3::ZERO; vertices];
        forces[5].z = bad;
        let refused = world.set_skin_forces(handle, &forces);
        assert!(matches!(refused, Err(LoadError::Value { index: 5, .. })), "{bad}: {refused:?}");
        let mut tractions = vec![DVec3::ZERO; triangles];
        tractions[7].x = bad;
        let refused = world.set_tractions(handle, &tractions);
        assert!(matches!(refused, Err(LoadError::Value { index: 7, .. })), "{bad}: {refused:?}");
    }
    let mut other = space(1.0 / 60.0, None);
    let refused = other.set_tractions(handle, &[]);
    assert!(matches!(refused, Err(LoadError::Handle(HandleError::OtherWorld { .. }))));
    assert!(world.snapshot() == before);
    // The largest loads that are valid leave every number finite.
    world.set_skin_forces(handle, &vec![DVec3::splat(1e15); vertices]).unwrap();
    run(&mut world, 5);
    assert!(world.get(handle).unwrap().state.is_finite());
}

/// A block on the ground under a constant pressure falls asleep, stays asleep while the pressure changes by less than
/// 1e-4 of its value, and wakes when the pressure changes by half or ends.
#[test]
fn sleepers_wake_where_their_load_changes() {
    let mut world = World::new(WorldConfig::default()).unwrap();
    world.add_obstacle(Obstacle::ground(0.5)).unwrap();
    let material = Material { young: 3e5, ..soft(LawKind::Corotated) };
    let handle = world.add(free_body(cube(), material));
    let count = world.skin(handle).unwrap().triangles().len();
    let push = |pressure: f64| vec![DVec3::new(0.0, -pressure, 0.0); count];
    let settle = |world: &mut World| {
        (0..600).any(|_| {
            world.step();
            world.is_asleep(handle).unwrap()
        })
    };
    world.set_tractions(handle, &push(200.0)).unwrap();
    assert!(settle(&mut world), "the block must fall asleep");
    // The same pressure, then slightly more in every step.
    for step in 0..5 {
        world.set_tractions(handle, &push(200.0 + 0.001 * f64::from(step))).unwrap();
        world.step();
        assert!(world.is_asleep(handle).unwrap());
    }
    for pressure in [300.0, 0.0] {
        world.set_tractions(handle, &push(pressure)).unwrap();
        world.step();
        assert!(!world.is_asleep(handle).unwrap(), "{pressure} Pa");
        assert!(world.events().iter().any(|event| event.kind == EventKind::Woke));
        assert!(settle(&mut world), "the block must fall asleep again");
    }
}

/// Small changes that would not wake a body one by one wake it together, because loads are compared with those under
/// which it fell asleep.
#[test]
fn loads_that_grow_slowly_wake_in_the_end() {
    let mut world = World::new(WorldConfig::default()).unwrap();
    world.add_obstacle(Obstacle::ground(0.5)).unwrap();
    let material = Material { young: 3e5, ..soft(LawKind::Corotated) };
    let handle = world.add(free_body(cube(), material));
    let count = world.skin(handle).unwrap().triangles().len();
    (0..600).find(|_| {
        world.step();
        world.is_asleep(handle).unwrap()
    });
    let woke = (0..10_000).position(|step| {
        let push = DVec3::new(0.0, -0.01 * f64::from(step), 0.0);
        world.set_tractions(handle, &vec![push; count]).unwrap();
        world.step();
        !world.is_asleep(handle).unwrap()
    });
    assert!(woke.is_some_and(|step| step > 10), "woke after {woke:?} steps of 0.01 Pa");
}

/// Snapshots contain loads: a new world that is restored from a snapshot moves with the same bits, and bodies that
/// slept under their loads stay asleep.
#[test]
fn snapshots_hold_loads() {
    let build = || {
        let mut world = World::new(WorldConfig::default()).unwrap();
        world.add_obstacle(Obstacle::ground(0.5)).unwrap();
        let material = Material { young: 3e5, ..soft(LawKind::Corotated) };
        let handle = world.add(free_body(cube(), material));
        (world, handle)
    };
    let (mut world, handle) = build();
    let count = world.skin(handle).unwrap().triangles().len();
    world.set_tractions(handle, &random(count, 300.0)).unwrap();
    for steps in [20, 500] {
        run(&mut world, steps);
        let bytes = world.snapshot();
        run(&mut world, 20);
        let (mut other, _) = build();
        other.restore(&bytes).unwrap();
        run(&mut other, 20);
        assert!(other.snapshot() == world.snapshot(), "after {steps} steps");
    }
    assert!(world.is_asleep(handle).unwrap());
}

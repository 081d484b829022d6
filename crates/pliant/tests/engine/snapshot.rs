//! Snapshots: a restored world continues with the same bits, and invalid bytes change nothing.

use std::sync::Arc;

use crate::common::{Random, for_cases, model, run, soft};
use glam::DVec3;
use pliant::body::{
    Action, Body, Contents, MaterialPoint, Model, ModelConfig, Motion, Pin, Pull, Ramp, RigidConfig,
};
use pliant::contact::{ContactConfig, ContactLevel, Obstacle};
use pliant::geometry::{Pose, Shape};
use pliant::internals::Leaf;
use pliant::material::{LawKind, Material};
use pliant::mesh::Mesh;
use pliant::mesh::generate::{BoxConfig, Split, box_mesh};
use pliant::sleep::SleepConfig;
use pliant::solver::{
    AdaptiveConfig, LinearSolver, Mass, MethodConfig, Rayleigh, Rotation, Stepper,
};
use pliant::world::{
    Attachment, BodyHandle, Event, SnapshotError, StepReport, Support, World, WorldConfig,
};
use pliant_kernels::math::Digest;

/// The kind of cells of a body.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Cells {
    Tetrahedra,
    Hexahedra,
    Voxels,
}

fn mesh(split: Split, degree: usize, cells: [usize; 3]) -> Mesh {
    let size = cells.map(|count| 0.5 * count as f64);
    box_mesh(&BoxConfig { size, cells, split, degree, ..Default::default() }).unwrap()
}

/// Cells with random contents.
fn voxels(law: LawKind) -> Arc<Model> {
    let (mesh, mut random) = (mesh(Split::Hex, 1, [2, 2, 1]), Random::new(5));
    let mut contents = Contents { resolution: 2, start: vec![0], leaves: Vec::new() };
    for _ in 0..mesh.cell_count() {
        for k in 0..8u16 {
            let place = [k % 2, k / 2 % 2, k / 4];
            let fill = 0.2 + 0.8 * random.signed().abs();
            contents.leaves.push(Leaf { place, fill, material: 0 });
        }
        contents.start.push(contents.leaves.len() as u32);
    }
    let config = ModelConfig::default();
    Arc::new(Model::with_contents(mesh, vec![soft(law)], contents, config).unwrap())
}

fn model_of(cells: Cells, law: LawKind) -> Arc<Model> {
    match cells {
        Cells::Tetrahedra => model(mesh(Split::Tet5, 2, [2, 1, 1]), soft(law), None),
        Cells::Hexahedra => model(mesh(Split::Hex, 1, [2, 2, 1]), soft(law), None),
        Cells::Voxels => voxels(law),
    }
}

/// A model that is stiff enough to come to rest soon.
fn firm() -> Arc<Model> {
    let material = Material { young: 3e5, ..soft(LawKind::Corotated) };
    model(mesh(Split::Hex, 1, [2, 2, 1]), material, None)
}

fn moved(by: DVec3, start: f64, end: f64) -> Motion {
    Motion { ramps: vec![Ramp { start, end, action: Action::Translate(by) }] }
}

/// Rough ground and a moving ball.
fn obstacles() -> [Obstacle; 2] {
    let ball = Obstacle {
        shape: Shape::Sphere { radius: 0.4 },
        pose: Pose::from(DVec3::new(0.4, 0.2, 1.2)),
        motion: moved(DVec3::new(0.0, 0.0, -0.6), 0.1, 2.0),
        friction: 0.3,
        ..Obstacle::default()
    };
    [Obstacle::ground(0.6), ball]
}

/// A body that falls on the ground, slides, is pulled at a corner and hit by the ball.
fn thrown(cells: Cells, law: LawKind, method: MethodConfig) -> World {
    let mut body = Body::new("thrown", model_of(cells, law), Vec::new()).unwrap();
    body.state.x.iter_mut().for_each(|x| x.y += 0.05);
    body.state.v.fill(DVec3::new(1.0, -0.5, 0.2));
    let corner = body.model().mesh().nodes[0];
    let point = body.model().locate(corner).unwrap();
    let motion = moved(DVec3::new(0.2, 0.3, 0.0), 0.2, 1.5);
    body.add_pull(Pull { point, motion, stiffness: 400.0, damping: 3.0 }).unwrap();
    let mut world = World::new(WorldConfig::default()).unwrap();
    for obstacle in obstacles() {
        world.add_obstacle(obstacle).unwrap();
    }
    world.add_with(body, method).unwrap();
    world
}

/// Reports and events of some steps.
fn reports(world: &mut World, steps: usize) -> Vec<(StepReport, String)> {
    (0..steps).map(|_| (world.step(), text(world.events()))).collect()
}

/// Events as text, without the id of the world: it differs between worlds that are built the same way.
fn text(events: &[Event]) -> String {
    let text = format!("{events:?}");
    let parts = text.split("WorldId(");
    parts.map(|part| part.trim_start_matches(|c: char| c.is_ascii_digit())).collect()
}

/// Runs a world, then restores a snapshot from the middle and runs again, in the same world and in a newly built one.
/// All runs must report the same for every step and end with the same bits in all their data.
fn goes_on_alike(build: impl Fn() -> World, before: usize, after: usize, what: &str) {
    let mut world = build();
    run(&mut world, before);
    let bytes = world.snapshot();
    let told = reports(&mut world, after);
    let (hash, end) = (world.state_hash(), world.snapshot());
    assert_ne!(bytes, end, "{what}: the world does not change");

    world.restore(&bytes).unwrap();
    assert!(world.snapshot() == bytes, "{what}: a snapshot after restoring differs");
    assert!(reports(&mut world, after) == told, "{what}: reports of steps differ");
    assert_eq!(world.state_hash(), hash, "{what}");
    assert!(world.snapshot() == end, "{what}: the final snapshot differs");

    let mut fresh = build();
    fresh.restore(&bytes).unwrap();
    assert!(reports(&mut fresh, after) == told, "{what}, built anew: reports of steps differ");
    assert_eq!(fresh.state_hash(), hash, "{what}, built anew");
    assert!(fresh.snapshot() == end, "{what}, built anew: the final snapshot differs");
    assert_eq!((fresh.time(), fresh.health()), (world.time(), world.health()));
}

fn every_method() -> Vec<MethodConfig> {
    let mut methods = Vec::new();
    for stepper in Stepper::ALL {
        let solvers =
            if stepper.solves() { &LinearSolver::ALL[..] } else { &LinearSolver::ALL[..1] };
        methods.extend(solvers.iter().map(|solver| MethodConfig {
            stepper,
            solver: *solver,
            ..Default::default()
        }));
    }
    methods
}

/// Every combination of stepper, linear solver, kind of cells and one of two laws continues from a snapshot
/// with the same bits.
#[test]
fn every_stepper_and_solver_goes_on_with_the_same_bits() {
    for method in every_method() {
        for cells in [Cells::Tetrahedra, Cells::Hexahedra, Cells::Voxels] {
            for law in [LawKind::Corotated, LawKind::RestStable] {
                let what =
                    format!("{} {} {cells:?} {law}", method.stepper.name(), method.solver.name());
                goes_on_alike(|| thrown(cells, law, method), 30, 40, &what);
            }
        }
    }
}

/// Bodies with adaptive degree, whose degrees change in the steps before and after the snapshot, continue with the
/// same bits.
#[test]
fn adaptive_bodies_go_on_with_the_same_bits() {
    let adaptive = Some(AdaptiveConfig { refine: 1e-3, coarsen: 2e-4, dwell: 1 });
    for method in every_method() {
        let method = MethodConfig { adaptive, ..method };
        if method.check().is_err() {
            continue;
        }
        for law in [LawKind::Corotated, LawKind::RestStable] {
            let what = format!("adaptive {} {} {law}", method.stepper.name(), method.solver.name());
            let build = || thrown(Cells::Tetrahedra, law, method);
            for before in [0, 1, 30] {
                goes_on_alike(build, before, 30, &what);
            }
        }
    }
}

/// So do damped, consistent-mass and multi-sweep methods, and all choices of rotation.
#[test]
fn other_choices_of_method_go_on_with_the_same_bits() {
    let rayleigh = Rayleigh { mass: 0.1, stiffness: 1e-3 };
    let usual = MethodConfig::default();
    let damped = MethodConfig { rayleigh, stepper: Stepper::Newmark, ..usual };
    let lazy = MethodConfig { solver: LinearSolver::Cholesky, refactor_threshold: 0.4, ..usual };
    let consistent = MethodConfig { mass: Mass::Consistent, ..usual };
    let sweeps = MethodConfig { stepper: Stepper::Xpbd, sweeps: 3, rayleigh, ..usual };
    let rotations = Rotation::ALL.map(|rotation| MethodConfig { rotation, ..usual });
    for method in rotations.into_iter().chain([damped, lazy, consistent, sweeps]) {
        let build = || thrown(Cells::Tetrahedra, LawKind::Corotated, method);
        goes_on_alike(build, 30, 100, &format!("{method:?}"));
    }
}

/// So do bodies that are large enough for multigrid: one for which `Auto` tries it, and one with more than two levels.
#[test]
fn levels_of_large_bodies_go_on_with_the_same_bits() {
    let usual = MethodConfig { tolerance: 1e-8, ..Default::default() };
    let chosen =
        MethodConfig { solver: LinearSolver::Multigrid, refactor_threshold: 0.02, ..usual };
    for (cells, method) in [([12, 4, 4], usual), ([20, 8, 6], chosen)] {
        let model = model(mesh(Split::Tet5, 2, cells), soft(LawKind::Corotated), None);
        let wall = model.mesh().node_set("x-").unwrap().nodes.clone();
        let build = || {
            let pin = Pin { nodes: wall.clone(), ..Default::default() };
            let mut world = World::new(WorldConfig::default()).unwrap();
            world.add_obstacle(Obstacle::ground(0.5)).unwrap();
            let body = Body::new("large", model.clone(), vec![pin]).unwrap();
            world.add_with(body, method).unwrap();
            world
        };
        goes_on_alike(build, 4, 4, &format!("{cells:?}"));
    }
}

/// So do bodies of which some sleep when the snapshot is taken, some fall asleep after it, and one is woken by a pull
/// whose target starts to move.
#[test]
fn sleepers_go_on_with_the_same_bits() {
    let build = || {
        let sleep = Some(SleepConfig { speed: 0.02, steps: 5, ..Default::default() });
        let config = WorldConfig { damping: 5.0, sleep, ..Default::default() };
        let mut world = World::new(config).unwrap();
        world.add_obstacle(Obstacle::ground(0.5)).unwrap();
        let model = firm();
        for k in 0..4 {
            let mut body = Body::new(format!("cube {k}"), model.clone(), vec![]).unwrap();
            let up = DVec3::new(3.0 * f64::from(k), 0.8 * f64::from(k), 0.0);
            body.state.x.iter_mut().for_each(|x| *x += up);
            if k == 0 {
                let point = body.model().locate(DVec3::splat(0.25)).unwrap();
                let motion = moved(DVec3::new(0.0, 0.5, 0.0), 1.5, 2.5);
                body.add_pull(Pull { point, motion, stiffness: 500.0, damping: 5.0 }).unwrap();
            }
            world.add(body);
        }
        world
    };
    let sleepers = |world: &World| {
        world.bodies().filter(|(handle, _)| world.is_asleep(*handle) == Some(true)).count()
    };
    let mut world = build();
    run(&mut world, 70);
    let (early, bytes) = (sleepers(&world), world.snapshot());
    assert!((1..4).contains(&early), "{early} of 4 sleep");
    run(&mut world, 60);
    world.restore(&bytes).unwrap();
    assert_eq!(sleepers(&world), early);
    assert!(world.events().is_empty());
    goes_on_alike(build, 70, 100, "sleepers");
}

/// Stacks of bodies with different steppers, and rigid boxes that fall on them when they are asleep.
fn stack(contact: ContactLevel) -> World {
    let sleep = Some(SleepConfig { speed: 0.1, steps: 3, ..Default::default() });
    let config = WorldConfig { damping: 4.0, sleep, contact, ..Default::default() };
    let mut world = World::new(config).unwrap();
    world.add_obstacle(Obstacle::ground(0.5)).unwrap();
    let half = DVec3::new(0.4, 0.3, 0.2);
    let rigid = Model::rigid_shape(&Shape::Box { half }, 2, RigidConfig::default()).unwrap();
    let (soft, rigid) = (firm(), Arc::new(rigid));
    let middle = DVec3::new(0.5, 0.3, 0.25);
    let stepped = |stepper| MethodConfig { stepper, ..Default::default() };
    let bodies = [
        (&soft, DVec3::ZERO, Stepper::ImplicitEuler),
        (&soft, DVec3::new(0.05, 1.01, 0.0), Stepper::Bdf2),
        (&soft, DVec3::new(0.0, 0.0, 3.0), Stepper::Xpbd),
        (&soft, DVec3::new(0.05, 1.01, 3.0), Stepper::Xpbd),
        (&rigid, middle + DVec3::new(3.0, 0.0, 0.0), Stepper::ImplicitEuler),
        (&rigid, middle + DVec3::new(0.0, 5.0, 0.0), Stepper::ImplicitEuler),
        (&rigid, middle + DVec3::new(0.0, 5.5, 3.0), Stepper::ImplicitEuler),
    ];
    for (k, (model, at, stepper)) in bodies.into_iter().enumerate() {
        let mut body = Body::new(format!("body {k}"), model.clone(), vec![]).unwrap();
        body.state.x.iter_mut().for_each(|x| *x += at);
        world.add_with(body, stepped(stepper)).unwrap();
    }
    world
}

/// So do bodies in contact: snapshots contain the state of friction between bodies and the skins of sleeping bodies.
#[test]
fn bodies_that_touch_go_on_with_the_same_bits() {
    let build = || stack(ContactLevel::Game);
    let mut world = build();
    run(&mut world, 45);
    let asleep =
        world.bodies().filter(|(handle, _)| world.is_asleep(*handle) == Some(true)).count();
    let (bytes, hash) = (world.snapshot(), world.state_hash());
    assert!((1..6).contains(&asleep), "{asleep} of 7 sleep");
    for before in [5, 20, 45, 60, 80] {
        goes_on_alike(build, before, 60, &format!("a stack after {before}"));
    }
    for before in [0, 1, 50] {
        goes_on_alike(|| stack(ContactLevel::Safe), before, 30, &format!("safe after {before}"));
    }
    // Restoring also works after all bodies have moved.
    run(&mut world, 100);
    world.restore(&bytes).unwrap();
    assert_eq!(world.state_hash(), hash);
}

/// So do attached bodies: a snapshot contains attachments, also those that were detached after it.
#[test]
fn attached_bodies_go_on_with_the_same_bits() {
    let attached = || {
        let mut world = stack(ContactLevel::Game);
        let bodies: Vec<BodyHandle> = world.bodies().map(|(handle, _)| handle).collect();
        let nodes: Vec<u32> = (0..4).collect();
        let mesh = world.get(bodies[0]).unwrap().model().mesh().clone();
        let points = MaterialPoint::of_nodes(&mesh, &nodes);
        let wall = Attachment { points, ..Attachment::new(bodies[0], Support::World) };
        let wall = world.attach(&wall).unwrap();
        (world, wall)
    };
    goes_on_alike(|| attached().0, 20, 60, "attached");
    let (mut world, wall) = attached();
    let bytes = world.snapshot();
    world.detach(wall);
    world.restore(&bytes).unwrap();
    assert!(world.reaction(wall).is_some());
}

fn only(world: &World) -> BodyHandle {
    world.bodies().next().unwrap().0
}

/// Snapshots contain pulls, contact settings and states that were changed at run time.
#[test]
fn changes_at_run_time_are_undone() {
    let mut world = thrown(Cells::Tetrahedra, LawKind::Corotated, MethodConfig::default());
    run(&mut world, 5);
    let (body, bytes) = (only(&world), world.snapshot());
    let pulls = world.get(body).unwrap().pulls().to_vec();
    let first = world[body].pull_handles()[0];
    world.get_mut(body).unwrap().remove_pull(first).unwrap();
    world.set_contact(body, ContactConfig { friction: 0.9, ..Default::default() }).unwrap();
    world.get_mut(body).unwrap().state.v.fill(DVec3::X);
    world.restore(&bytes).unwrap();
    assert_eq!(world.get(body).unwrap().pulls(), pulls);
    assert_eq!(world.contact(body), Some(&ContactConfig::default()));
    assert!(world.snapshot() == bytes);
    // The other direction: a pull that was added after the world was built.
    let turn = Action::Rotate { centre: DVec3::ZERO, axis: DVec3::Y, angle: 1.0 };
    let motion = Motion { ramps: vec![Ramp { start: 0.0, end: 1.0, action: turn }] };
    let point: MaterialPoint = pulls[0].point.clone();
    let pull = Pull { point, motion, stiffness: 10.0, damping: 0.0 };
    world.get_mut(body).unwrap().add_pull(pull.clone()).unwrap();
    let bytes = world.snapshot();
    let mut fresh = thrown(Cells::Tetrahedra, LawKind::Corotated, MethodConfig::default());
    fresh.restore(&bytes).unwrap();
    assert_eq!(fresh[only(&fresh)].pulls()[1], pull);
}

/// A snapshot keeps a state that is not finite: the next step recovers the body, as it would have done without the
/// snapshot.
#[test]
fn a_broken_state_is_kept_as_it_is() {
    let build = || {
        let mut world = thrown(Cells::Tetrahedra, LawKind::Corotated, MethodConfig::default());
        run(&mut world, 3);
        let body = only(&world);
        world.get_mut(body).unwrap().state.x[0].x = f64::NAN;
        world
    };
    goes_on_alike(build, 0, 20, "not a number");
}

/// The same bytes with a valid length and checksum, to test the checks behind the checksum.
fn resealed(mut bytes: Vec<u8>) -> Vec<u8> {
    let length = bytes.len() as u64;
    let sum = Digest::default().bytes(&bytes[28..]).value();
    bytes[12..20].copy_from_slice(&length.to_le_bytes());
    bytes[20..28].copy_from_slice(&sum.to_le_bytes());
    bytes
}

fn is_finite(world: &World) -> bool {
    world.bodies().all(|(_, body)| body.state.is_finite())
}

/// A snapshot that is truncated at any byte, or has any single bit flipped, is refused and changes nothing.
#[test]
fn every_cut_and_every_flip_is_noticed() {
    let mut world = thrown(Cells::Hexahedra, LawKind::Corotated, MethodConfig::default());
    run(&mut world, 10);
    let bytes = world.snapshot();
    run(&mut world, 2);
    let now = world.snapshot();
    for length in 0..bytes.len() {
        assert!(world.restore(&bytes[..length]).is_err(), "cut off at {length}");
    }
    for at in 0..bytes.len() {
        let mut bad = bytes.clone();
        bad[at] ^= 1 << (at % 8);
        assert!(world.restore(&bad).is_err(), "flipped at {at}");
    }
    let longer = [&bytes[..], &[0]].concat();
    assert!(matches!(world.restore(&longer), Err(SnapshotError::Length { .. })));
    assert!(matches!(world.restore(&resealed(longer)), Err(SnapshotError::Value { .. })));
    assert!(world.snapshot() == now, "a refused snapshot changed the world");
    assert_eq!(world.restore(b"GIF89a"), Err(SnapshotError::NotASnapshot));
    let mut other = bytes;
    other[8] = 21;
    assert_eq!(world.restore(&other), Err(SnapshotError::Version { found: 21, known: 20 }));
}

/// Corrupt bytes with a valid checksum are either refused, and change nothing, or accepted, and then the world is
/// finite after the three steps that a reset of a body may take. At least 100 of each kind occur.
#[test]
fn forged_bytes_neither_panic_nor_spread() {
    let adaptive = Some(AdaptiveConfig { dwell: 1, ..Default::default() });
    let methods = [
        MethodConfig { adaptive, ..Default::default() },
        MethodConfig { solver: LinearSolver::Cholesky, adaptive, ..Default::default() },
        MethodConfig { solver: LinearSolver::Multigrid, ..Default::default() },
        MethodConfig { stepper: Stepper::Bdf2, ..Default::default() },
        MethodConfig { stepper: Stepper::Xpbd, ..Default::default() },
    ];
    let (mut taken, mut refused) = (0, 0);
    for (seed, method) in (1..).zip(methods) {
        let mut world = thrown(Cells::Tetrahedra, LawKind::Corotated, method);
        run(&mut world, 20);
        let bytes = world.snapshot();
        let mut random = Random::new(seed);
        let mut below = |count: usize| (random.signed().abs() * count as f64) as usize % count;
        for _ in 0..150 {
            let mut bad = bytes.clone();
            for _ in 0..=below(4) {
                let at = 28 + below(bad.len() - 28);
                bad[at] = below(256) as u8;
            }
            if below(4) == 0 {
                bad.truncate(28 + below(bad.len() - 28));
            }
            let before = world.snapshot();
            if world.restore(&resealed(bad)).is_ok() {
                run(&mut world, 3);
                assert!(is_finite(&world), "{method:?}");
                taken += 1;
            } else {
                assert!(world.snapshot() == before, "{method:?}");
                refused += 1;
            }
        }
        world.restore(&bytes).unwrap();
        assert!(world.snapshot() == bytes, "{method:?}: the original snapshot cannot be restored");
    }
    assert!(taken > 100 && refused > 100, "{taken} taken, {refused} refused");
}

/// Random bytes, with and without a valid header, are refused and change nothing.
#[test]
fn random_bytes_are_refused() {
    let mut world = thrown(Cells::Hexahedra, LawKind::Corotated, MethodConfig::default());
    let good = world.snapshot();
    for_cases(256, &mut |random| {
        let count = random.below(400);
        let bytes = random.bytes(count);
        assert!(world.restore(&bytes).is_err());
        let kept = (28 + random.below(2000)).min(good.len());
        let mixed = resealed([&good[..kept], &bytes[..]].concat());
        if mixed != good {
            assert!(world.restore(&mixed).is_err());
        }
        assert!(world.snapshot() == good);
    });
}

fn refusal(world: &World, other: &mut World) -> SnapshotError {
    let before = other.snapshot();
    let error = other.restore(&world.snapshot()).unwrap_err();
    assert!(other.snapshot() == before, "{error}");
    error
}

/// A bar of one material on the ground.
fn plain(cells: [usize; 3], young: f64, method: MethodConfig, config: WorldConfig) -> World {
    let material = Material { young, ..soft(LawKind::Corotated) };
    let model = model(mesh(Split::Tet5, 1, cells), material, None);
    let mut world = World::new(config).unwrap();
    world.add_obstacle(Obstacle::ground(0.5)).unwrap();
    world.add_with(Body::new("bar", model, vec![]).unwrap(), method).unwrap();
    world
}

/// A snapshot of a world that was built differently is refused, and the error names the difference.
#[test]
fn a_world_of_other_make_says_what_differs() {
    let (method, config) = (MethodConfig::default(), WorldConfig::default());
    let world = plain([2, 1, 1], 1e4, method, config);
    let dt = 1.0 / 120.0;
    let mut faster = plain([2, 1, 1], 1e4, method, WorldConfig { dt, ..config });
    let error = refusal(&world, &mut faster);
    let setting = SnapshotError::Setting { field: "dt", snapshot: config.dt, world: dt };
    assert_eq!(error, setting);
    assert!(error.to_string().contains("set_config"), "{error}");
    // With that setting changed back, as the message advises, the snapshot is accepted.
    faster.set_config(config).unwrap();
    faster.restore(&world.snapshot()).unwrap();

    let mut longer = plain([3, 1, 1], 1e4, method, config);
    let error = refusal(&world, &mut longer);
    assert!(
        matches!(error, SnapshotError::BodyCount { what: "nodes", snapshot: 12, .. }),
        "{error}"
    );
    let part = |other: &mut World| match refusal(&world, other) {
        SnapshotError::BodyPart { body: 0, what, .. } => what,
        error => panic!("{error}"),
    };
    assert_eq!(part(&mut plain([2, 1, 1], 2e4, method, config)), "material");
    let xpbd = MethodConfig { stepper: Stepper::Xpbd, ..method };
    assert_eq!(part(&mut plain([2, 1, 1], 1e4, xpbd, config)), "stepper");
    let loose = MethodConfig { tolerance: 1e-2, ..method };
    assert_eq!(part(&mut plain([2, 1, 1], 1e4, loose, config)), "method");

    let mut more = plain([2, 1, 1], 1e4, method, config);
    more.add_obstacle(Obstacle::default()).unwrap();
    let count = SnapshotError::Count { what: "obstacles", snapshot: 1, world: 2 };
    assert_eq!(refusal(&world, &mut more), count);
    let mut slippery = World::new(config).unwrap();
    slippery.add_obstacle(Obstacle::ground(0.1)).unwrap();
    let bar = world.bodies().next().unwrap().1.clone();
    slippery.add_with(bar.clone(), method).unwrap();
    assert_eq!(refusal(&world, &mut slippery), SnapshotError::Obstacle { obstacle: 0 });

    let pin = Pin { nodes: vec![0], ..Default::default() };
    let mut held = World::new(config).unwrap();
    held.add_obstacle(Obstacle::ground(0.5)).unwrap();
    held.add_with(Body::new("bar", bar.model().clone(), vec![pin]).unwrap(), method).unwrap();
    assert_eq!(part(&mut held), "pins");
}

/// The size of a snapshot is that of its data: for XPBD two states of 48 bytes per node, plus at most 2 bytes; with a
/// linear solver mostly the matrix of its factorisation, at most 2500 bytes per node here (`--nocapture` prints the
/// sizes).
#[test]
fn snapshots_are_as_large_as_what_is_remembered() {
    let size = |degree: usize, cells: [usize; 3], method: MethodConfig| {
        let model = model(mesh(Split::Tet5, degree, cells), soft(LawKind::Corotated), None);
        let nodes = model.mesh().nodes.len();
        let mut world = World::new(WorldConfig::default()).unwrap();
        world.add_with(Body::new("body", model, vec![]).unwrap(), method).unwrap();
        run(&mut world, 3);
        let bytes = world.snapshot().len();
        let (stepper, solver) = (method.stepper.name(), method.solver.name());
        let adaptive = if method.adaptive.is_some() { ", adaptive" } else { "" };
        println!("{nodes} nodes of degree {degree}, {stepper}, {solver}{adaptive}: {bytes} bytes");
        bytes as f64 / nodes as f64
    };
    let usual = MethodConfig::default();
    let xpbd = MethodConfig { stepper: Stepper::Xpbd, ..usual };
    let cholesky = MethodConfig { solver: LinearSolver::Cholesky, ..usual };
    let levels = MethodConfig { solver: LinearSolver::Multigrid, ..usual };
    let adaptive = MethodConfig { adaptive: Some(AdaptiveConfig::default()), ..usual };
    // 1,000 nodes: 9 × 9 × 9 linear cubes.
    assert!((96.0..98.0).contains(&size(1, [9, 9, 9], xpbd)));
    let linear = [usual, cholesky].map(|method| size(1, [9, 9, 9], method));
    let quadratic = [usual, cholesky, levels, adaptive].map(|method| size(2, [5, 4, 4], method));
    assert!(linear[0] < linear[1] && quadratic[0] < quadratic[1]);
    assert!(linear.iter().chain(&quadratic).all(|bytes| (96.0..2500.0).contains(bytes)));
}

//! Coulomb friction: bodies on slopes hold or slide, belts carry, balls roll.

use std::sync::Arc;

use crate::common::{Random, free_body, heavy, largest, run};
use glam::{DMat3, DQuat, DVec3};
use pliant::body::{Action, Body, Contents, Model, ModelConfig, Motion, Pin, Ramp, RigidConfig};
use pliant::contact::{ContactConfig, Obstacle};
use pliant::geometry::{Pose, Shape};
use pliant::internals::Leaf;
use pliant::internals::PointForces;
use pliant::internals::{Friction, ObstacleContact, Reach, Slip, VertexAnchors};
use pliant::material::Material;
use pliant::mesh::Mesh;
use pliant::mesh::generate::{BallConfig, BoxConfig, Split, ball, box_mesh};
use pliant::solver::{MethodConfig, Stepper};
use pliant::world::{BodyHandle, World, WorldConfig};
use pliant_kernels::math::TimeStep;

const GRAVITY: f64 = 9.81;

/// Stiff rubber: a cube of 0.2 m is compressed by 0.2 % under its own weight.
fn rubber() -> Material {
    Material { young: 5e5, poisson: 0.4, ..Default::default() }
}

/// The kinds of cells of a body.
#[derive(Debug, Clone, Copy)]
enum Cells {
    Linear,
    Quadratic,
    Voxels,
}

const CELLS: [Cells; 3] = [Cells::Linear, Cells::Quadratic, Cells::Voxels];

/// A cube of 0.2 m on the ground, above the origin.
fn cube(cells: Cells, split: Split, degree: usize) -> Mesh {
    let cells = if matches!(cells, Cells::Linear) { [3; 3] } else { [2; 3] };
    let config = BoxConfig { size: [0.2; 3], cells, split, degree, ..Default::default() };
    box_mesh(&BoxConfig { origin: [-0.1, 0.0, -0.1], ..config }).unwrap()
}

/// Hexahedra of 2³ leaves each, one of which is empty.
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

/// A cube, rotated as a whole.
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

/// A cube on a slope of tan θ = 0.5, downhill along +x.
fn on_slope(cells: Cells, stepper: Stepper, friction: f64) -> (World, BodyHandle) {
    let turn = DQuat::from_rotation_z(-0.5_f64.atan());
    let slope = Obstacle {
        shape: Shape::Plane { normal: DVec3::Y },
        pose: Pose { rotation: turn, translation: DVec3::ZERO },
        ..Obstacle::ground(friction)
    };
    let mut world = World::new(awake(damping(stepper))).unwrap();
    world.add_obstacle(slope).unwrap();
    let method = MethodConfig { stepper, tolerance: 1e-6, ..Default::default() };
    let handle = world.add_with(body(cells, turn), method).unwrap();
    (world, handle)
}

/// A world without sleep, so that bodies are held by friction only.
fn awake(damping: f64) -> WorldConfig {
    WorldConfig { damping, sleep: None, ..Default::default() }
}

/// All steppers but the midpoint rule: it hardly damps oscillations that are too fast for its step, and a vibrating
/// body slips down a slope.
fn steppers() -> impl Iterator<Item = Stepper> {
    Stepper::ALL.into_iter().filter(|stepper| *stepper != Stepper::Variational)
}

/// The damping, in 1/s, that a stepper needs so that oscillations decay: zero for steppers that damp by themselves.
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

/// A cube on a slope with μ = 0.55 > tan θ = 0.5 does not creep: it moves by less than 0.1 mm/s, for 2 s, or 10 s in
/// a heavy run.
#[test]
fn a_slope_holds_what_friction_can() {
    let seconds = if heavy() { 10 } else { 2 };
    let mut crept = Vec::new();
    for stepper in steppers() {
        for cells in CELLS {
            let (mut world, cube) = on_slope(cells, stepper, 0.55);
            run(&mut world, 60);
            let before = world.get(cube).unwrap().state.x.clone();
            run(&mut world, 60 * seconds);
            let state = &world.get(cube).unwrap().state;
            let moved = largest(before.iter().zip(&state.x).map(|(a, b)| *b - *a));
            let (speed, name) = (largest(state.v.iter().copied()), stepper.name());
            // What is left are elastic waves; the springs of friction do not creep.
            println!("{name} {cells:?}: moved {moved:.1e} m, {speed:.1e} m/s");
            if moved >= 1e-4 * seconds as f64 {
                crept.push((name, cells, moved));
            }
        }
    }
    assert!(
        crept.is_empty(),
        "cubes crept (stepper, cells, distance in m in {seconds} s): {crept:?}"
    );
}

/// A cube on a slope with μ = 0.45 < tan θ = 0.5 accelerates at g (sin θ − μ cos θ), within 5 %.
#[test]
fn a_slope_lets_slide_what_friction_cannot_hold() {
    let mut wrong = Vec::new();
    for stepper in steppers() {
        for cells in CELLS {
            let (mut world, cube) = on_slope(cells, stepper, 0.45);
            let downhill = DVec3::new(2.0, -1.0, 0.0).normalize();
            run(&mut world, 60);
            let before = velocity(world.get(cube).unwrap()).dot(downhill);
            run(&mut world, 60);
            let after = velocity(world.get(cube).unwrap()).dot(downhill);
            // The velocity lost to the damping of the world is added.
            let pull = GRAVITY * (0.5 - 0.45) / 1.25_f64.sqrt();
            let lost = damping(stepper) * 0.5 * (before + after);
            let (gained, name) = (after - before + lost, stepper.name());
            println!("{name} {cells:?}: {gained:.4} of {pull:.4} m/s²");
            // Friction is nine times the remaining force, and the smoothed law is off by 4 (h a/v)²: with steps of
            // 1/60 s and v = 0.4 m/s that is 1 % of the remaining force.
            if (gained / pull - 1.0).abs() > 0.05 {
                wrong.push((name, cells, gained));
            }
        }
    }
    assert!(wrong.is_empty(), "not g (sin θ − μ cos θ) = 0.439 m/s²: {wrong:?}");
}

/// A slab on a belt that starts at full speed slips for the time v/μg, until it has the speed of the belt, and then
/// does not move on the belt. Tolerance 10 % of the slipped distance: steps of 1/60 s are an eighth of that time;
/// afterwards 1 mm in 5 s.
#[test]
fn a_belt_carries_a_slab() {
    let (speed, friction) = (0.8, 0.6);
    for stepper in [Stepper::ImplicitEuler, Stepper::Xpbd] {
        let way = Action::Translate(DVec3::new(10.0 * speed, 0.0, 0.0));
        let belt = Obstacle {
            shape: Shape::Box { half: DVec3::new(20.0, 0.1, 1.0) },
            pose: Pose::from(DVec3::new(0.0, -0.1, 0.0)),
            motion: Motion { ramps: vec![Ramp { start: 1.0, end: 11.0, action: way }] },
            friction,
            ..Obstacle::default()
        };
        let mut world = World::new(awake(0.0)).unwrap();
        world.add_obstacle(belt).unwrap();
        let method = MethodConfig { stepper, ..Default::default() };
        let slab = world.add_with(body(Cells::Linear, DQuat::IDENTITY), method).unwrap();
        run(&mut world, 60);
        let start = centre(world.get(slab).unwrap()).x;
        run(&mut world, 60);
        let lag = speed - (centre(world.get(slab).unwrap()).x - start);
        run(&mut world, 300);
        let later = 6.0 * speed - (centre(world.get(slab).unwrap()).x - start);
        let name = stepper.name();
        // The slab lags by the distance it slipped, v²/2μg.
        let slipped = speed * speed / (2.0 * friction * GRAVITY);
        println!("{name}: lags by {lag:.5} of {slipped:.5} m, {:.1e} m later", later - lag);
        assert!((lag / slipped - 1.0).abs() < 0.1, "{name}: lags by {lag} of {slipped} m");
        assert!((later - lag).abs() < 1e-3, "{name}: fell back by {} m", later - lag);
    }
}

/// A ball that starts sliding at v₀ without rotation ends up rolling at 5/7 v₀, whatever the friction, because its
/// angular momentum about the ground is conserved. A heavy run also takes implicit Euler steps.
#[test]
fn a_ball_set_down_sliding_ends_up_rolling() {
    let (radius, start) = (0.1, 1.0);
    let steppers = [Stepper::Bdf2, Stepper::Xpbd, Stepper::ImplicitEuler];
    for stepper in steppers.into_iter().take(if heavy() { 3 } else { 2 }) {
        let config = BallConfig { centre: [0.0, radius, 0.0], radius, ..Default::default() };
        let mesh = ball(&BallConfig { cells: 6, layers: 2, degree: 1, ..config }).unwrap();
        let mut rubber = free_body(mesh, Material { young: 1e6, ..rubber() });
        rubber.state.v.fill(DVec3::new(start, 0.0, 0.0));
        let mut world = World::new(WorldConfig { dt: 1.0 / 240.0, ..Default::default() }).unwrap();
        world.add_obstacle(Obstacle::ground(0.3)).unwrap();
        let substeps = (stepper == Stepper::Xpbd).then_some(5);
        let method = MethodConfig { stepper, substeps, ..Default::default() };
        let ball = world.add_with(rubber, method).unwrap();
        // The ball slips for 2/7 v₀/μg = 0.1 s.
        run(&mut world, 36);
        let (soon, _) = rolling(&mut world, ball, 24);
        let (along, turning) = rolling(&mut world, ball, 60);
        let (name, turning) = (stepper.name(), radius * turning);
        println!("{name}: {soon:.3} m/s, later {along:.3}, and turns at {turning:.3}");
        // Within 3 %: the ball rolls on facets, whose distance from the centre is less than the radius.
        assert!((turning / along - 1.0).abs() < 0.03, "{name}: {along} and {turning} m/s");
        // Implicit Euler damps rotation; with the others the ball loses some speed at every edge of its facets.
        let least = if stepper == Stepper::ImplicitEuler { 0.8 } else { 0.94 };
        assert!((least..1.02).contains(&(soon / (5.0 / 7.0 * start))), "{name}: {soon} m/s");
    }
}

/// The mean speed along x, in m/s, and the mean angular speed of rolling in that direction, in rad/s, over `steps`
/// steps.
fn rolling(world: &mut World, ball: BodyHandle, steps: u32) -> (f64, f64) {
    let (mut along, mut turning) = (0.0, 0.0);
    for _ in 0..steps {
        world.step();
        let ball = world.get(ball).unwrap();
        along += velocity(ball).x / f64::from(steps);
        turning -= spin(ball).z / f64::from(steps);
    }
    (along, turning)
}

/// Friction keeps a cube in its place on a turning table: its anchors rotate with the table.
#[test]
fn a_turntable_carries_a_cube() {
    let (rate, place) = (2.0, DVec3::new(0.3, 0.0, 0.0));
    let turn = Action::Rotate { centre: DVec3::ZERO, axis: DVec3::Y, angle: 10.0 * rate };
    let table = Obstacle {
        motion: Motion { ramps: vec![Ramp { start: 0.0, end: 10.0, action: turn }] },
        ..Obstacle::ground(0.5)
    };
    let mut cube = body(Cells::Linear, DQuat::IDENTITY);
    cube.state.x.iter_mut().for_each(|x| *x += place);
    cube.state.v = cube.state.x.iter().map(|x| rate * DVec3::Y.cross(*x)).collect();
    let mut world = World::new(awake(0.0)).unwrap();
    world.add_obstacle(table.clone()).unwrap();
    let cube = world.add_with(cube, MethodConfig::default()).unwrap();
    let on_table =
        |world: &World| table.pose_at(world.time()).local_point(centre(world.get(cube).unwrap()));
    run(&mut world, 120);
    let before = on_table(&world);
    run(&mut world, 300);
    let moved = (on_table(&world) - before).length();
    println!("moved {moved:.1e} m over the table, from {before}");
    // The centripetal acceleration ω² r = 1.2 m/s² is below the limit μ g = 4.9 m/s².
    assert!(moved < 1e-4, "{moved:.1e} m over the table in five seconds");
}

/// A point mass under friction alone stops after v²/2μg and does not turn back, for soft and stiff friction
/// springs. One step is (m + h² S + h B) v⁺ = m v + h f.
#[test]
fn a_sliding_mass_stops_where_coulomb_says_and_does_not_turn_round() {
    let (mass, h, mut x, mut v) = (2.0, 0.01, DVec3::ZERO, DVec3::new(1.2, 0.0, 1.6));
    for stiffness in [1e3, 1e5, 1e7] {
        let friction = Friction { coefficient: 0.4, stiffness };
        let (start, mut anchor, mut before) = (v, x, None);
        let from = x;
        let mut slowest = f64::INFINITY;
        for _ in 0..300 {
            let (velocity, offset, load) = (v, x - anchor, mass * GRAVITY);
            let hold = friction
                .evaluate(&Slip { normal: DVec3::Y, velocity, offset, before, load, mass }, h);
            (anchor, before) = (x - hold.offset, Some(hold.velocity));
            let matrix = DMat3::from(hold.force.matrix([h * h, h]))
                + DMat3::from_diagonal(DVec3::splat(mass));
            v = matrix.inverse() * (mass * v + h * hold.force.force);
            x += h * v;
            slowest = slowest.min(v.dot(start.normalize()));
        }
        let (way, expected) = ((x - from).length(), start.length_squared() / (0.8 * GRAVITY));
        println!("{stiffness:.0e} N/m: {way:.4} of {expected:.4} m, {slowest:.1e} m/s");
        // Within 3 %: a step changes the speed by μ g h = 0.04 m/s of 2 m/s, so half a step is 2 % of the distance.
        assert!((way / expected - 1.0).abs() < 0.03, "{way} of {expected} m");
        assert!(v.length() < 1e-6, "{stiffness}: still {} m/s", v.length());
        // The friction spring contracts by its own stretch, μ m g/k, and no more.
        let stretch = 0.4 * mass * GRAVITY / stiffness;
        assert!(-slowest <= stretch / h, "{stiffness}: the mass turned back at {slowest} m/s");
        (x, v) = (DVec3::ZERO, start);
    }
}

/// A load a thousand times the weight for one step, as at a hard impact, stops a slip and does not turn it round, however steady it was before. A constant
/// force would turn it round at 65 times its speed.
#[test]
fn a_load_that_jumps_does_not_turn_a_slip_round() {
    let (mass, h, velocity) = (2.0, 0.01, 0.6 * DVec3::X);
    let (normal, offset, before) = (DVec3::Y, DVec3::ZERO, Some(velocity));
    for jump in [1.0, 10.0, 1e3, 1e6] {
        let friction = Friction { coefficient: 0.4, stiffness: 1e6 };
        let load = jump * mass * GRAVITY;
        let hold = friction.evaluate(&Slip { normal, velocity, offset, before, load, mass }, h);
        let matrix =
            DMat3::from(hold.force.matrix([h * h, h])) + DMat3::from_diagonal(DVec3::splat(mass));
        let after = matrix.inverse() * (mass * velocity + h * hold.force.force);
        assert!((0.0..0.6).contains(&after.x), "{jump} weights: {} m/s", after.x);
    }
}

/// For random slips, friction is at most μ N, opposes stretch and slip, is tangential, and has a symmetric, positive
/// semidefinite matrix. Tolerance 1e-9: rounding.
#[test]
fn friction_stays_in_its_cone() {
    let mut random = Random::new(3);
    for _ in 0..1000 {
        let normal = random.vector().normalize();
        let size = 10_f64.powf(4.0 * random.signed());
        let (velocity, before) = (size * random.vector(), Some(size * random.vector()));
        let (offset, load) = (1e-3 * random.vector(), 10.0 * random.signed().max(0.0));
        let friction = Friction { coefficient: 0.5, stiffness: 1e4 };
        let h = 1e-2;
        let mass = 10_f64.powf(4.0 * random.signed());
        let hold = friction.evaluate(&Slip { normal, velocity, offset, before, load, mass }, h);
        let resistance = hold.force.matrix([h, 1.0]);
        let felt = hold.force.force - DVec3::from(resistance.mul_vec(velocity.into()));
        let most = friction.coefficient * load;
        assert!(felt.length() <= most * (1.0 + 1e-9), "{} of {most} N", felt.length());
        assert!(felt.dot(normal).abs() <= 1e-9 * most);
        assert!(felt.dot(hold.offset + 3.0 * h * hold.velocity) <= 0.0);
        assert!(hold.offset.length() <= most / friction.stiffness * (1.0 + 1e-9));
        let along = random.vector();
        let taken = DVec3::from(resistance.mul_vec(along.into())).dot(along);
        assert!(taken >= -1e-9 * resistance.norm_squared().sqrt(), "{taken}");
        assert_eq!(resistance, resistance.transpose());
    }
}

/// Anchors exist exactly while a vertex touches, and a vertex in a corner has one on each obstacle.
#[test]
fn a_vertex_lets_go_of_what_it_leaves() {
    let body = body(Cells::Linear, DQuat::IDENTITY);
    let wall = Obstacle {
        shape: Shape::Plane { normal: DVec3::X },
        pose: Pose::from(DVec3::new(-0.1 + 1e-4, 0.0, 0.0)),
        ..Obstacle::default()
    };
    let obstacles = [Obstacle::ground(0.5), wall];
    let mut contact = ObstacleContact::new(body.model());
    let mut touch = |lift: f64| {
        let mut state = body.state.clone();
        state.x.iter_mut().for_each(|x| x.y += lift);
        let (step, mut points) = (TimeStep { t: 0.0, h: 0.01 }, PointForces::default());
        contact.gather(&obstacles, &state, step, Reach::Now, &mut points);
        let anchors =
            |vertex: &VertexAnchors| [0, 1].map(|obstacle| vertex.anchor(obstacle).is_some());
        let count = |kind: [bool; 2]| {
            contact.anchors().iter().filter(|vertex| anchors(vertex) == kind).count()
        };
        [count([true, false]), count([false, true]), count([true, true])]
    };
    // Two sides of 4 × 4 vertices share an edge of 4.
    assert_eq!(touch(-1e-4), [12, 12, 4]);
    assert_eq!(touch(0.1), [0, 16, 0]);
    assert_eq!(touch(-1e-4), [12, 12, 4]);
}

/// Centre of mass, in m.
fn centre(body: &Body) -> DVec3 {
    let moments = body.state.x.iter().zip(body.model().masses()).map(|(x, m)| *m * *x);
    moments.sum::<DVec3>() / body.model().mass()
}

/// Angular velocity of a body that moves almost rigidly, in rad/s.
fn spin(body: &Body) -> DVec3 {
    let (mid, mean) = (centre(body), velocity(body));
    let (mut momentum, mut inertia) = (DVec3::ZERO, DMat3::ZERO);
    for ((x, v), m) in body.state.x.iter().zip(&body.state.v).zip(body.model().masses()) {
        let (r, v) = (*x - mid, *v - mean);
        momentum += *m * r.cross(v);
        let outer = DMat3::from_cols(r * r.x, r * r.y, r * r.z);
        inertia += (DMat3::from_diagonal(DVec3::splat(r.length_squared())) - outer) * *m;
    }
    inertia.inverse() * momentum
}

/// Gravity as on a slope of this angle, in rad, downhill along x.
fn tilted(slope: f64) -> WorldConfig {
    let gravity = GRAVITY * DVec3::new(slope.sin(), -slope.cos(), 0.0);
    WorldConfig { gravity, ..awake(0.0) }
}

/// The friction of a pair of materials overrides that of the obstacle: on a slope of tan θ = 0.5 with μ = 0.8, a cube
/// whose pair has μ = 0.1 slides at g (sin θ − μ cos θ), within 3 %, and a cube of another material does not slide.
#[test]
fn a_pair_of_materials_has_friction_of_its_own() {
    let (rubber, ice) = (1, 2);
    let slope = 0.5f64.atan();
    let mut world = World::new(tilted(slope)).unwrap();
    world.add_obstacle(Obstacle { material: ice, ..Obstacle::ground(0.8) }).unwrap();
    world.set_friction([ice, rubber], Some(0.1)).unwrap();
    let [slides, holds] = [rubber, 7].map(|material| {
        let mut body = body(Cells::Linear, DQuat::IDENTITY);
        body.state.x.iter_mut().for_each(|x| x.z += f64::from(material));
        let handle = world.add(body);
        let touch = ContactConfig { material, ..Default::default() };
        world.set_contact(handle, touch).unwrap();
        handle
    });
    let place = |world: &World, handle| centre(world.get(handle).unwrap());
    run(&mut world, 60);
    let before = [slides, holds].map(|handle| place(&world, handle));
    run(&mut world, 60);
    let after = [slides, holds].map(|handle| place(&world, handle));
    run(&mut world, 60);
    let end = place(&world, slides);
    let acceleration = (end - 2.0 * after[0] + before[0]).length();
    let expected = GRAVITY * (slope.sin() - 0.1 * slope.cos());
    assert!((acceleration / expected - 1.0).abs() < 0.03, "{acceleration}, expected {expected}");
    assert!((after[1] - before[1]).length() < 1e-3, "the cube of another material must not slide");
    assert!(world.set_friction([0, 1], Some(f64::NAN)).is_err());
}

/// The same between two bodies: a rubber cube on a fixed slab of ice slides with μ = 0.1 for the pair, and not with
/// 0.9 or without a value for the pair.
#[test]
fn two_bodies_have_the_friction_of_their_materials() {
    let (rubber, ice) = (1, 2);
    for (coefficient, slides) in [(Some(0.1), true), (Some(0.9), false), (None, false)] {
        let slope = 0.5f64.atan();
        let mut world = World::new(tilted(slope)).unwrap();
        let shape = Shape::Box { half: DVec3::new(3.0, 0.1, 0.5) };
        let slab = Model::rigid_shape(&shape, 8, RigidConfig::default()).unwrap();
        let pin = Pin { nodes: vec![0, 1, 2, 3], ..Default::default() };
        let mut slab = Body::new("slab", Arc::new(slab), vec![pin]).unwrap();
        let jump = Action::Translate(DVec3::new(0.0, -0.1, 0.0));
        let motion = Motion { ramps: vec![Ramp { start: 0.0, end: 0.0, action: jump }] };
        let pin = Pin { nodes: vec![0, 1, 2, 3], motion, ..Default::default() };
        slab = Body::new("slab", slab.model().clone(), vec![pin]).unwrap();
        slab.state.x.iter_mut().for_each(|x| x.y -= 0.1);
        let slab = world.add(slab);
        let mut cube = body(Cells::Linear, DQuat::IDENTITY);
        cube.state.x.iter_mut().for_each(|x| x.y += 1e-4);
        let cube = world.add(cube);
        for (handle, material) in [(slab, ice), (cube, rubber)] {
            let touch = ContactConfig { material, friction: 0.8, ..Default::default() };
            world.set_contact(handle, touch).unwrap();
        }
        world.set_friction([rubber, ice], coefficient).unwrap();
        run(&mut world, 30);
        let before = centre(world.get(cube).unwrap());
        run(&mut world, 30);
        let moved = (centre(world.get(cube).unwrap()) - before).length();
        assert_eq!(moved > 0.1, slides, "{coefficient:?}: {moved} m");
        assert!(slides || moved < 1e-3, "{coefficient:?}: {moved} m");
    }
}

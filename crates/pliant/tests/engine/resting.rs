//! Deformable bodies on obstacles come to rest and stay at rest.

use crate::common::{free_body, largest};
use glam::DVec3;
use pliant::body::{Action, Body, Motion, Ramp};
use pliant::contact::Obstacle;
use pliant::geometry::{Pose, Shape};
use pliant::internals::PointForces;
use pliant::internals::{External, Implicit};
use pliant::internals::{ObstacleContact, Reach};
use pliant::material::{LawKind, Material};
use pliant::mesh::generate::{BallConfig, BoxConfig, box_mesh};
use pliant::mesh::{Mesh, generate};
use pliant::solver::{AdaptiveConfig, LinearReport, LinearSolver, MethodConfig, Rayleigh, Stepper};
use pliant::world::{BodyHandle, Health, World, WorldConfig};
use pliant_kernels::math::TimeStep;

const H: f64 = 1.0 / 60.0;
const GRAVITY: DVec3 = DVec3::new(0.0, -9.81, 0.0);

/// A body with its stepper and contact.
struct Run {
    body: Body,
    stepper: Implicit,
    contact: ObstacleContact,
    points: PointForces,
    time: f64,
}

impl Run {
    fn new(mesh: Mesh, young: f64) -> Self {
        let material =
            Material { law: LawKind::Corotated, young, poisson: 0.4, ..Default::default() };
        let body = free_body(mesh, material);
        let rayleigh = Rayleigh { mass: 0.0, stiffness: 0.01 };
        let method = MethodConfig { rayleigh, tolerance: 1e-8, ..Default::default() };
        let stepper = Implicit::new(&body, &method).unwrap();
        let contact = ObstacleContact::new(body.model());
        Self { body, stepper, contact, points: PointForces::default(), time: 0.0 }
    }

    fn step(&mut self, obstacles: &[Obstacle]) {
        let interval = TimeStep { t: self.time, h: H };
        self.points.clear();
        let state = &self.body.state;
        self.contact.gather(obstacles, state, interval, Reach::Ahead, &mut self.points);
        let external = External { gravity: GRAVITY, damping: 0.0, points: &self.points };
        self.stepper.step(&mut self.body, interval, external, &mut |_| {});
        self.time += H;
    }

    /// The largest change of a node's velocity in the next step, in m/s.
    fn jitter(&mut self, obstacles: &[Obstacle]) -> f64 {
        let before = self.body.state.v.clone();
        self.step(obstacles);
        largest(before.iter().zip(&self.body.state.v).map(|(a, b)| *b - *a))
    }

    fn run(&mut self, obstacles: &[Obstacle], seconds: f64) {
        (0..(seconds / H).round() as usize).for_each(|_| self.step(obstacles));
    }

    /// The speed of the fastest node, in m/s.
    fn speed(&self) -> f64 {
        largest(self.body.state.v.iter().copied())
    }

    /// The depth of the deepest vertex of the skin in an obstacle, in m.
    fn depth(&self, obstacle: &Obstacle) -> f64 {
        let mut vertices = Vec::new();
        self.contact.skin().interpolate(&self.body.state.x, &mut vertices);
        let pose = obstacle.pose_at(self.time);
        let inside = |x: &DVec3| -obstacle.shape.distance(pose.local_point(*x)).distance;
        vertices.iter().map(inside).fold(0.0, f64::max)
    }

    fn centre(&self) -> DVec3 {
        let masses = self.body.model().masses();
        let sum: DVec3 = self.body.state.x.iter().zip(masses).map(|(x, m)| *m * *x).sum();
        sum / self.body.model().mass()
    }
}

fn cube(degree: usize, lift: f64) -> Mesh {
    let config = BoxConfig { size: [0.4; 3], cells: [3; 3], degree, ..Default::default() };
    box_mesh(&BoxConfig { origin: [-0.2, lift, -0.2], ..config }).unwrap()
}

fn ball(degree: usize, lift: f64) -> Mesh {
    let centre = [0.0, lift + 0.25, 0.0];
    generate::ball(&BallConfig { centre, radius: 0.25, cells: 3, degree, ..Default::default() })
        .unwrap()
}

/// Cubes and balls with cells of every degree come to rest on the ground within 3 s, without jitter and at the
/// depth of the contact layer.
#[test]
fn cubes_and_balls_of_every_degree_come_to_rest() {
    let ground = Obstacle::ground(0.5);
    for degree in 1..=3 {
        for (name, mesh) in [("cube", cube(degree, 0.3)), ("ball", ball(degree, 0.3))] {
            let mut run = Run::new(mesh, 1e5);
            run.run(std::slice::from_ref(&ground), 3.0);
            let (speed, depth) = (run.speed(), run.depth(&ground));
            let (jitter, sticking) =
                (run.jitter(std::slice::from_ref(&ground)), run.contact.sticking());
            println!(
                "{name} {degree}: {speed:.1e} m/s, jitter {jitter:.1e} m/s, {depth:.1e} m deep, {} points, {sticking:.1e}",
                run.points.len()
            );
            // Friction is viscous below the speed of sticking, so the base of the body spreads under its weight at
            // about that speed.
            assert!(
                speed < 2.0 * sticking,
                "{name} of degree {degree} still moves at {speed:.1e} m/s"
            );
            assert!(jitter < 1e-6, "{name} of degree {degree} jitters by {jitter:.1e} m/s");
            // A hundredth of a cell of 0.13 m, three times that where a ball stands on a single cell.
            assert!(depth > 0.0 && depth < 4e-3, "{name} of degree {degree}: {depth:.1e} m deep");
        }
    }
}

/// A resting cube moves by less than a thousandth of its size in two seconds.
#[test]
fn a_resting_body_stays_where_it_is() {
    let ground = [Obstacle::ground(0.5)];
    let mut run = Run::new(cube(2, 0.0), 1e5);
    run.run(&ground, 3.0);
    let before = run.body.state.x.clone();
    run.run(&ground, 2.0);
    let moved = largest(before.iter().zip(&run.body.state.x).map(|(a, b)| *b - *a));
    println!("moved {moved:.1e} m");
    // The lower side creeps outward at about the speed of sticking: a thousandth of its 0.4 m.
    assert!(moved < 4e-4, "{moved:.1e} m in two seconds");
}

/// A cube on a moving table is carried along with it.
#[test]
fn a_moving_table_carries_a_cube() {
    let motion = |by, start, end| Ramp { start, end, action: Action::Translate(by) };
    let table = Obstacle {
        shape: Shape::Box { half: DVec3::new(2.0, 0.1, 1.0) },
        pose: Pose::from(DVec3::new(0.0, -0.1, 0.0)),
        motion: Motion { ramps: vec![motion(DVec3::new(1.0, 0.3, 0.0), 1.0, 3.0)] },
        friction: 0.9,
        ..Obstacle::default()
    };
    let mut run = Run::new(cube(2, 0.0), 1e5);
    run.run(std::slice::from_ref(&table), 1.0);
    let before = run.centre();
    // The cube sways when the table stops at 3 s, and the sway halves in 0.17 s: in 3 s it falls below the speed of sticking
    // at any phase.
    run.run(std::slice::from_ref(&table), 5.0);
    let carried = run.centre() - before;
    println!("carried {carried}");
    // Within 3 cm: the cube slips by v²/2μg = 14 mm when the table starts and again, in the other direction, when it
    // stops.
    assert!((carried - DVec3::new(1.0, 0.3, 0.0)).length() < 0.03, "{carried}");
    assert!(run.speed() < 2.0 * run.contact.sticking(), "{}", run.speed());
}

/// A sphere that moves at 6 m/s pushes a ball along without passing through it.
#[test]
fn a_ball_swept_away_by_a_sphere_is_not_passed_through() {
    let sweep = Ramp { start: 0.2, end: 0.7, action: Action::Translate(DVec3::new(3.0, 0.0, 0.0)) };
    let sphere = Obstacle {
        shape: Shape::Sphere { radius: 0.2 },
        pose: Pose::from(DVec3::new(-1.0, 0.2, 0.0)),
        motion: Motion { ramps: vec![sweep] },
        friction: 0.3,
        ..Obstacle::default()
    };
    let obstacles = [Obstacle::ground(0.3), sphere];
    let mut run = Run::new(ball(2, 0.0), 1e5);
    let mut deepest: f64 = 0.0;
    while run.time < 0.75 {
        run.step(&obstacles);
        deepest = deepest.max(run.depth(&obstacles[1]));
    }
    println!("at {} deepest {deepest}", run.centre());
    // The sphere moves 0.1 m per step, so the ball may be that deep at most.
    assert!(run.centre().x > 2.0, "the ball was left behind at {}", run.centre());
    assert!(deepest < 0.1, "{deepest} m deep");
    assert!(run.body.state.is_finite());
}

/// A cube that falls on a lying capsule or on a small box comes to rest on it.
#[test]
fn a_capsule_and_a_box_hold_what_falls_on_them() {
    let lying = Pose {
        rotation: glam::DQuat::from_rotation_x(std::f64::consts::FRAC_PI_2),
        translation: DVec3::new(0.0, -0.3, 0.0),
    };
    let capsule = Obstacle {
        shape: Shape::Capsule { half_length: 0.5, radius: 0.3 },
        pose: lying,
        friction: 1.0,
        ..Obstacle::default()
    };
    let plinth = Obstacle {
        shape: Shape::Box { half: DVec3::splat(0.15) },
        pose: Pose::from(DVec3::new(0.0, -0.15, 0.0)),
        ..Obstacle::default()
    };
    for obstacle in [capsule, plinth] {
        let mut run = Run::new(cube(2, 0.05), 1e5);
        run.run(std::slice::from_ref(&obstacle), 4.0);
        let (centre, speed) = (run.centre(), run.speed());
        println!("{:?}: {centre} {speed:.1e} {:.1e}", obstacle.shape, run.depth(&obstacle));
        assert!(centre.y > 0.1 && centre.x.abs() < 0.05, "{:?}: fell to {centre}", obstacle.shape);
        assert!(speed < 1e-3, "{:?}: {speed:.1e} m/s", obstacle.shape);
    }
}

/// A world with obstacles and a body of soft rubber, stepped by this method.
fn meeting(obstacles: &[Obstacle], mesh: Mesh, method: MethodConfig) -> (World, BodyHandle) {
    let material = Material { young: 1e5, poisson: 0.4, ..Default::default() };
    // The world is damped because some steppers have no damping. The midpoint rule reduces the damping of waves that
    // are too fast for the step, ω h ≫ 1, by the factor 1 + (ω h/2)², so the step is short enough for all waves.
    // Without sleep, because a sleeping body has no velocity to test.
    let config = WorldConfig { dt: 1.0 / 240.0, damping: 2.0, sleep: None, ..Default::default() };
    let mut world = World::new(config).unwrap();
    obstacles.iter().for_each(|obstacle| _ = world.add_obstacle(obstacle.clone()).unwrap());
    let handle = world.add_with(free_body(mesh, material), method).unwrap();
    (world, handle)
}

/// The depth of the deepest vertex of a body's skin in an obstacle, in m.
fn depth(world: &World, handle: BodyHandle, obstacle: &Obstacle) -> f64 {
    let body = world.get(handle).unwrap();
    let mut vertices = Vec::new();
    ObstacleContact::new(body.model()).skin().interpolate(&body.state.x, &mut vertices);
    let pose = obstacle.pose_at(world.time());
    let inside = |x: &DVec3| -obstacle.shape.distance(pose.local_point(*x)).distance;
    vertices.iter().map(inside).fold(0.0, f64::max)
}

fn speed(world: &World, handle: BodyHandle) -> f64 {
    largest(world.get(handle).unwrap().state.v.iter().copied())
}

/// With every stepper a cube that falls from 0.1 m, to 1.4 m/s, is stopped by the ground and comes to rest.
#[test]
fn every_stepper_brings_a_cube_to_rest() {
    let ground = Obstacle::ground(0.5);
    for stepper in Stepper::ALL {
        let config = BoxConfig { size: [0.4; 3], cells: [2; 3], ..Default::default() };
        let mesh = box_mesh(&BoxConfig { origin: [-0.2, 0.1, -0.2], ..config }).unwrap();
        let method = MethodConfig { stepper, tolerance: 1e-8, ..Default::default() };
        let (mut world, cube) = meeting(std::slice::from_ref(&ground), mesh, method);
        let mut deepest: f64 = 0.0;
        for _ in 0..2400 {
            world.step();
            deepest = deepest.max(depth(&world, cube, &ground));
        }
        let (speed, rests) = (speed(&world, cube), depth(&world, cube, &ground));
        let name = stepper.name();
        println!("{name}: {speed:.1e} m/s, {rests:.1e} m deep, {deepest:.1e} m at most");
        assert!(world.health() == Health::default(), "{name}: {:?}", world.health());
        // The contact layer gives way by a tenth of a cell of 0.2 m under the cube's 4 kPa, 0.8 mm; more at the
        // corners.
        assert!(rests > 0.0 && rests < 1e-3, "{name} rests {rests:.1e} m deep");
        // The pressure of the impact is √(Eρ) v = 14 kPa, 1.5 times that because the cube cannot widen at once, plus
        // the weight: six times as deep as at rest, if it were uniform.
        assert!(deepest < 6e-3, "{name} went {deepest:.1e} m deep");
        // Elastic waves die by the damping of the world alone, at half its rate.
        assert!(speed < 1e-3, "{name} still moves at {speed:.1e} m/s");
    }
}

/// A body with adaptive degree, whose tied midpoints pass contact forces to the ends of their edges, comes to rest on
/// a plane and on a sphere.
#[test]
fn an_adaptive_body_rests_on_a_plane_and_on_a_sphere() {
    let ground = Obstacle::ground(0.5);
    // Much wider than the cube, which would roll off a small sphere.
    let sphere = Obstacle {
        shape: Shape::Sphere { radius: 1.0 },
        pose: Pose::from(DVec3::new(0.0, -1.0, 0.0)),
        friction: 1.0,
        ..Obstacle::default()
    };
    for obstacle in [ground, sphere] {
        let adaptive = Some(AdaptiveConfig::default());
        let method = MethodConfig { adaptive, tolerance: 1e-6, ..Default::default() };
        let (mut world, cube) = meeting(std::slice::from_ref(&obstacle), cube(2, 0.1), method);
        let (mut deepest, mut changes) = (0.0_f64, 0);
        let mut degrees = world.degrees(cube).unwrap();
        for _ in 0..900 {
            world.step();
            deepest = deepest.max(depth(&world, cube, &obstacle));
            let now = world.degrees(cube).unwrap();
            changes += now.iter().zip(&degrees).filter(|(a, b)| a != b).count();
            degrees = now;
        }
        let (speed, rests) = (speed(&world, cube), depth(&world, cube, &obstacle));
        let shape = obstacle.shape;
        println!("{shape:?}: {speed:.1e} m/s, {rests:.1e} of {deepest:.1e} m, {changes} changes");
        assert!(world.health() == Health::default(), "{shape:?}: {:?}", world.health());
        assert!(changes > 0, "{shape:?}: no degree ever changed");
        // A hundredth of a cell of 0.13 m, three times that where few vertices touch the sphere, and twice as deep
        // during the impact.
        assert!(rests > 0.0 && rests < 4e-3, "{shape:?}: rests {rests:.1e} m deep");
        assert!(deepest < 8e-3, "{shape:?}: went {deepest:.1e} m deep");
        assert!(speed < 1e-3, "{shape:?}: still moves at {speed:.1e} m/s");
    }
}

/// Multigrid converges for a block on the ground, in less than 100 iterations per step. Its coarse levels must
/// contain the contact stiffness: without it they moved the block as if it were in the air, and 200 iterations were
/// not enough.
#[test]
fn levels_solve_a_block_on_the_ground() {
    // The coarse mesh of corners is small enough for a factorisation in the first case, and too large in the second.
    for cells in [[8, 4, 8], [14, 5, 14]] {
        let mesh =
            box_mesh(&BoxConfig { size: [1.0, 0.5, 1.0], cells, degree: 2, ..Default::default() })
                .unwrap();
        let material =
            Material { law: LawKind::Corotated, young: 1e5, poisson: 0.4, ..Default::default() };
        let mut world = World::new(WorldConfig { sleep: None, ..Default::default() }).unwrap();
        world.add_obstacle(Obstacle::ground(0.5)).unwrap();
        let method = MethodConfig { solver: LinearSolver::Multigrid, ..Default::default() };
        world.add_with(free_body(mesh, material), method).unwrap();
        let steps: Vec<LinearReport> = (0..20).map(|_| world.step().linear).collect();
        println!("{cells:?}: {:?}", steps.iter().map(|step| step.iterations).collect::<Vec<_>>());
        // Once the block stands; a block held at its lower side takes 16 iterations.
        let later = &steps[5..];
        assert!(later.iter().all(|step| step.unconverged == 0), "{cells:?}: {later:?}");
        let mean = later.iter().map(|step| f64::from(step.iterations)).sum::<f64>() / 15.0;
        assert!(mean < 100.0, "{cells:?}: {mean} iterations per step");
    }
}

/// With explicit steps of the default length a cube comes to rest on the ground, at most 1 mm deep, the depth
/// of the contact layer.
#[test]
fn explicit_steps_bring_a_cube_to_rest_too() {
    let config = BoxConfig { size: [0.4; 3], cells: [2; 3], ..Default::default() };
    let mesh = box_mesh(&BoxConfig { origin: [-0.2, 0.1, -0.2], ..config }).unwrap();
    let material = Material { young: 1e5, poisson: 0.4, ..Default::default() };
    let config = WorldConfig { damping: 2.0, sleep: None, ..Default::default() };
    let mut world = World::new(config).unwrap();
    world.add_obstacle(Obstacle::ground(0.5)).unwrap();
    let method = MethodConfig { stepper: Stepper::SymplecticEuler, ..Default::default() };
    let cube = world.add_with(free_body(mesh, material), method).unwrap();
    crate::common::run(&mut world, 600);
    let state = &world.get(cube).unwrap().state;
    let lowest = state.x.iter().map(|x| x.y).fold(f64::INFINITY, f64::min);
    let speed = largest(state.v.iter().copied());
    println!("explicit: {speed:.1e} m/s, {lowest:.1e} m");
    assert!(lowest < 0.0 && lowest > -1e-3, "{lowest} m");
    // Elastic waves die by the damping of the world alone, at half its rate.
    assert!(speed < 1e-3, "{speed:.1e} m/s");
    assert!(world.add_obstacle(Obstacle::ground(-1.0)).is_err());
}

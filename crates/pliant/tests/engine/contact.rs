//! Contact with obstacles: bodies rest on them, slide, stick, and never pass through them.
//!
//! The block of these tests cannot deform or turn, so that its motion is known by a formula: its whole skin has one
//! velocity, which follows from implicit Euler.

use glam::{DMat3, DQuat, DVec3};
use pliant::body::{Action, Model, Motion, Ramp, Skin, State};
use pliant::contact::{Obstacle, ObstacleError};
use pliant::geometry::{Pose, Shape};
use pliant::internals::PointForces;
use pliant::internals::{HalfSpace, ObstacleContact, ObstacleSweep, Reach};
use pliant::material::Material;
use pliant::mesh::generate::{BoxConfig, Split, box_mesh};
use pliant_kernels::math::TimeStep;

const GRAVITY: f64 = 9.81;
const H: f64 = 1.0 / 60.0;
const YOUNG: f64 = 1e5;

/// A cube of 0.2 m with cells of this degree, whose lowest corner is the origin.
fn cube_model(degree: usize) -> Model {
    let (size, cells) = ([0.2; 3], [2; 3]);
    let config = BoxConfig { size, cells, degree, split: Split::Tet5, ..Default::default() };
    let material = Material { young: YOUNG, ..Default::default() };
    Model::uniform(box_mesh(&config).unwrap(), material).unwrap()
}

/// A cube that neither deforms nor turns.
struct Block {
    model: Model,
    contact: ObstacleContact,
    state: State,
    points: PointForces,
    time: f64,
    gravity: DVec3,
}

impl Block {
    fn new(position: DVec3, velocity: DVec3) -> Self {
        let model = cube_model(1);
        let mut state = State::at_rest(&model.mesh().nodes);
        state.x.iter_mut().for_each(|x| *x += position);
        state.v.fill(velocity);
        let (contact, points) = (ObstacleContact::new(&model), PointForces::default());
        Self { model, contact, state, points, time: 0.0, gravity: GRAVITY * DVec3::NEG_Y }
    }

    /// One step of implicit Euler: (m + h² S + h B) v⁺ = m v + h (f + m g).
    fn step(&mut self, obstacles: &[Obstacle]) {
        let interval = TimeStep { t: self.time, h: H };
        self.points.clear();
        self.contact.gather(obstacles, &self.state, interval, Reach::Ahead, &mut self.points);
        let mass = self.model.mass();
        let mut matrix = DMat3::from_diagonal(DVec3::splat(mass));
        let mut right = mass * (self.velocity() + H * self.gravity);
        for (point, _) in self.points.iter() {
            matrix += DMat3::from(point.matrix([H * H, H]));
            right += H * point.force;
        }
        self.state.v.fill(matrix.inverse() * right);
        let moved = H * self.velocity();
        self.state.x.iter_mut().for_each(|x| *x += moved);
        self.time += H;
    }

    fn run(&mut self, obstacles: &[Obstacle], steps: usize) {
        (0..steps).for_each(|_| self.step(obstacles));
    }

    fn velocity(&self) -> DVec3 {
        self.state.v[0]
    }

    /// The position of the corner that is the origin at rest.
    fn corner(&self) -> DVec3 {
        self.state.x[0] - self.model.mesh().nodes[0]
    }

    /// The total contact stiffness of the lower side, in N/m.
    fn stiffness(&self) -> f64 {
        let mut vertices = Vec::new();
        self.contact.skin().interpolate(&self.model.mesh().nodes, &mut vertices);
        let laws = vertices.iter().zip(self.contact.laws()).filter(|(x, _)| x.y < 1e-12);
        laws.map(|(_, law)| law.stiffness).sum()
    }
}

/// A block at rest sinks by m g/k into the contact layer and does not move. Tolerances 1e-12 m/s and 1e-9: the
/// motion is damped to rounding.
#[test]
fn a_block_rests_where_the_spring_bears_its_weight_and_does_not_jitter() {
    let mut block = Block::new(DVec3::new(0.0, 0.3, 0.0), DVec3::ZERO);
    block.run(&[Obstacle::ground(0.5)], 600);
    assert!(block.velocity().length() < 1e-12, "{}", block.velocity());
    let depth = block.model.mass() * GRAVITY / block.stiffness();
    assert!((-block.corner().y / depth - 1.0).abs() < 1e-9, "{} of {depth}", block.corner().y);
    // The layer is a tenth of a cell thick. The range allows for a contact that is twice as stiff: on so coarse a
    // cube the patches of corner vertices extend around the edges.
    let layer = 0.1 * 0.1 * block.model.mass() * GRAVITY / (YOUNG * 0.04);
    assert!((0.4..1.0).contains(&(depth / layer)), "{depth} of {layer}");
    assert!(depth < 0.01 * 0.1, "depth {depth} m is more than a hundredth of a cell");
}

/// The contact force on a falling and bouncing block is never tensile (rounding of 1e-13 m/s allowed).
#[test]
fn contact_never_pulls() {
    let mut block = Block::new(DVec3::new(0.0, 0.4, 0.0), DVec3::new(0.0, 3.0, 0.0));
    let ground = Obstacle::ground(0.5);
    for _ in 0..300 {
        let before = block.velocity();
        block.step(std::slice::from_ref(&ground));
        let push = (block.velocity() - before).y + H * GRAVITY;
        assert!(push > -1e-13, "pulled by {push} m/s at {} s", block.time);
    }
}

/// A block that moves away from the ground is not slowed by it: in one step only gravity changes its velocity,
/// to rounding.
#[test]
fn a_block_leaves_the_ground_freely() {
    let mut block = Block::new(DVec3::new(0.0, -1e-4, 0.0), DVec3::new(0.0, 2.0, 0.0));
    block.step(&[Obstacle::ground(0.5)]);
    assert!((block.velocity().y - (2.0 - H * GRAVITY)).abs() < 1e-15);
}

/// A block of any speed is stopped by the contact layer and does not bounce.
#[test]
fn a_fast_block_is_stopped_within_the_layer() {
    for speed in [1.0, 10.0, 100.0, 1000.0] {
        let mut block = Block::new(DVec3::new(0.0, 0.5, 0.0), DVec3::new(0.0, -speed, 0.0));
        let mut deepest: f64 = 0.0;
        for _ in 0..120 {
            block.step(&[Obstacle::ground(0.5)]);
            deepest = deepest.min(block.corner().y);
        }
        // To lose the momentum m v in one step h takes the force m v/h, which the layer exerts at the depth
        // m v/(h k); from just above the ground the block may also fall in by h² g.
        let most = block.model.mass() * (speed / H + GRAVITY) / block.stiffness() + H * H * GRAVITY;
        assert!(-deepest <= most, "{speed} m/s: {deepest} m, expected {most}");
        // Implicit Euler dissipates all the energy, because the step is long compared with the time of the impact.
        assert!(block.corner().y < 1e-3, "{speed} m/s: bounced to {}", block.corner().y);
    }
}

/// A sliding block decelerates by μ g (Coulomb) and then stays at rest.
#[test]
fn a_sliding_block_is_slowed_by_friction_times_gravity() {
    for friction in [0.1, 0.5] {
        let ground = [Obstacle::ground(friction)];
        let mut block = Block::new(DVec3::ZERO, DVec3::ZERO);
        block.run(&ground, 300);
        block.state.v.iter_mut().for_each(|v| v.x = 4.0);
        block.run(&ground, 30);
        let slowed = (4.0 - block.velocity().x) / (30.0 * H);
        // Within 0.5 %: the smoothed friction law is off by 4 (h μ g/v)², at most 0.2 %, and the first step by 1/30
        // of h μ g/v.
        assert!((slowed / (friction * GRAVITY) - 1.0).abs() < 0.005, "{friction}: {slowed} m/s²");
        block.run(&ground, 600);
        assert!(block.velocity().length() < 1e-9, "{friction}: {}", block.velocity());
    }
}

/// On a slope of 20° a block with μ = 0.5 > tan 20° stays at rest, and one with μ = 0.2 slides with the
/// acceleration g (sin α − μ cos α) of Coulomb's law, within 2 %.
#[test]
fn a_slope_holds_what_friction_can_and_lets_slide_what_it_cannot() {
    let angle = 20_f64.to_radians();
    let slope = |friction| Obstacle::ground(friction);
    // Gravity is tilted instead of the ground.
    let tilted = GRAVITY * DVec3::new(angle.sin(), -angle.cos(), 0.0);
    let settled = |friction: f64| {
        let mut block = Block { gravity: tilted, ..Block::new(DVec3::ZERO, DVec3::ZERO) };
        block.run(&[slope(friction)], 300);
        block
    };
    let mut held = settled(0.5);
    let before = held.corner();
    held.run(&[slope(0.5)], 600);
    // Static friction is a spring, which does not creep; only rounding is left.
    let (moved, speed) = ((held.corner() - before).length(), held.velocity().length());
    assert!(moved < 1e-9 && speed < 1e-9, "{moved:.1e} m in ten seconds, {speed:.1e} m/s");
    let mut sliding = settled(0.2);
    let before = sliding.velocity().x;
    sliding.run(&[slope(0.2)], 60);
    let gained = sliding.velocity().x - before;
    let expected = GRAVITY * (angle.sin() - 0.2 * angle.cos());
    assert!((gained / expected - 1.0).abs() < 0.02, "{gained} of {expected} m/s²");
}

/// A table that moves carries a block along by friction: the block reaches the velocity of the table, to
/// 1e-6 m/s, and stops with it.
#[test]
fn a_moving_table_takes_what_stands_on_it_along() {
    let action = Action::Translate(DVec3::new(0.0, 0.5, 3.0));
    let ramp = Ramp { start: 1.0, end: 3.0, action };
    let table = Obstacle {
        shape: Shape::Box { half: DVec3::new(1.0, 0.1, 1.0) },
        pose: Pose::from(DVec3::new(0.0, -0.1, 0.0)),
        motion: Motion { ramps: vec![ramp] },
        friction: 0.8,
        ..Obstacle::default()
    };
    let mut block = Block::new(DVec3::ZERO, DVec3::ZERO);
    block.run(std::slice::from_ref(&table), 150);
    // The block slid until it had the speed of the table, and now moves with it.
    let apart = block.velocity() - DVec3::new(0.0, 0.25, 1.5);
    assert!(apart.length() < 1e-6, "{apart}");
    block.run(std::slice::from_ref(&table), 300);
    assert!(block.velocity().length() < 1e-9, "{}", block.velocity());
    assert!((block.corner().y - 0.5).abs() < 2e-3, "{}", block.corner());
}

/// A plate that moves five times its thickness per step does not pass through a block but pushes it along: the
/// block ends at the face of the plate, at 4.95 m, or at most 0.15 m inside it.
#[test]
fn nothing_passes_through_a_thin_fast_obstacle() {
    // A plate of 10 cm that moves 50 cm per step.
    let action = Action::Translate(DVec3::new(6.0, 0.0, 0.0));
    let plate = Obstacle {
        shape: Shape::Box { half: DVec3::new(0.05, 1.0, 1.0) },
        pose: Pose::from(DVec3::new(-1.1, 0.0, 0.0)),
        motion: Motion { ramps: vec![Ramp { start: 0.0, end: 12.0 * H, action }] },
        friction: 0.0,
        ..Obstacle::default()
    };
    let mut block = Block { gravity: DVec3::ZERO, ..Block::new(DVec3::ZERO, DVec3::ZERO) };
    block.run(std::slice::from_ref(&plate), 12);
    assert!(block.corner().x > 4.9 - 0.1, "the block was left behind at {}", block.corner());
}

/// A turning disc accelerates a block by friction, at μ g along the velocity ω × r of its surface, within 15 %
/// over the first steps.
#[test]
fn a_turning_obstacle_drags_with_the_velocity_of_its_surface() {
    let turn = Action::Rotate { centre: DVec3::ZERO, axis: DVec3::Y, angle: -2.0 * 1000.0 };
    let disc = Obstacle {
        motion: Motion { ramps: vec![Ramp { start: 0.0, end: 1000.0, action: turn }] },
        ..Obstacle::ground(0.5)
    };
    let mut block = Block::new(DVec3::new(-0.1, 0.0, 0.9), DVec3::ZERO);
    block.run(std::slice::from_ref(&disc), 12);
    // ω × r = −2 ŷ × ẑ = −2 x̂; friction has its full strength while they slide.
    let slid = block.velocity().x / (11.0 * H);
    assert!((slid / (-0.5 * GRAVITY) - 1.0).abs() < 0.15, "{slid} m/s²");
}

/// A block rests on the top of a sphere and of a capsule, which its lower side touches in one vertex: it is at
/// rest, less than 1 cm deep.
#[test]
fn round_obstacles_hold_a_block_at_their_top() {
    let shapes = [
        (Shape::Sphere { radius: 0.5 }, DQuat::IDENTITY),
        (
            Shape::Capsule { half_length: 0.5, radius: 0.5 },
            DQuat::from_rotation_x(std::f64::consts::FRAC_PI_2),
        ),
    ];
    for (shape, rotation) in shapes {
        let pose = Pose { rotation, translation: DVec3::new(0.0, -0.5, 0.0) };
        let obstacle = Obstacle { shape: shape.clone(), pose, ..Obstacle::default() };
        // The middle vertex of the lower side is right above the top.
        let mut block = Block::new(DVec3::new(-0.1, 0.05, -0.1), DVec3::ZERO);
        block.run(&[obstacle], 600);
        assert!(block.velocity().length() < 1e-9, "{shape:?}: {}", block.velocity());
        assert!(block.corner().y.abs() < 0.01, "{shape:?}: {}", block.corner());
    }
}

/// The contact stiffness per area is E over the thickness of the layer for every degree, to rounding.
#[test]
fn skins_of_every_degree_share_the_same_stiffness_per_area() {
    let per_area = |degree: usize| {
        let model = cube_model(degree);
        let contact = ObstacleContact::new(&model);
        assert_eq!(contact.skin(), &Skin::of_mesh(model.mesh(), degree));
        contact.laws().iter().map(|law| law.stiffness).sum::<f64>() / 0.24
    };
    // The layer is a tenth of the node spacing, which is the side of a cell over its degree.
    for degree in 1..=3 {
        let expected = YOUNG / (0.1 * 0.1 / degree as f64);
        let ratio = per_area(degree) / expected;
        assert!((ratio - 1.0).abs() < 1e-12, "degree {degree}: {ratio}");
    }
}

/// The contact plane of a point that entered an obstacle is on the side where it entered, also if the point has
/// left it on the other side; a path that does not enter has no plane.
#[test]
fn the_way_in_decides_the_side() {
    let ball = ObstacleSweep {
        shape: &Shape::Sphere { radius: 1.0 },
        before: Pose::IDENTITY,
        after: Pose::IDENTITY,
    };
    let normal = |from: DVec3, to: DVec3| ball.entry(from, to).map(|plane| plane.normal);
    // Through the whole ball: held on the side where it entered.
    let up = normal(DVec3::new(0.0, 3.0, 0.0), DVec3::new(0.0, -5.0, 0.0)).unwrap();
    assert!((up - DVec3::Y).length() < 1e-12);
    assert_eq!(normal(DVec3::new(0.0, 3.0, 0.0), DVec3::new(0.0, 1.001, 0.0)), None);
    assert_eq!(normal(DVec3::new(-3.0, 1.1, 0.0), DVec3::new(3.0, 1.1, 0.0)), None);
    assert_eq!(normal(DVec3::new(0.0, 0.99, 0.0), DVec3::new(0.0, 1.2, 0.0)), None, "leaves");
    assert_eq!(normal(DVec3::ZERO, DVec3::ZERO), Some(DVec3::Y), "stuck in the middle");
}

/// The quick rejection of a sphere around a path is conservative: it never rejects a path that enters the
/// moving box. At least 100 of 3000 random paths enter it, so that the test is not empty.
#[test]
fn a_sweep_rules_out_only_what_it_does_not_touch() {
    let mut random = crate::common::Random::new(12);
    let mut touched = 0;
    for _ in 0..3000 {
        let mut pose = || Pose {
            rotation: DQuat::from_axis_angle(random.vector().normalize(), random.signed()),
            translation: random.vector(),
        };
        let (before, after) = (pose(), pose());
        let shape = Shape::Box { half: DVec3::new(0.1, 0.6, 0.3) };
        let sweep = ObstacleSweep { shape: &shape, before, after };
        let (centre, radius) = (random.vector(), 0.3);
        let mut inside = || centre + 0.5 * radius * random.vector();
        let met = sweep.entry(inside(), inside()).is_some();
        assert!(!(met && sweep.misses(centre, radius)), "{sweep:?} {centre}");
        touched += usize::from(met);
    }
    assert!(touched > 100, "only {touched} of 3000 touched");
}

/// The gap of a half-space is the signed distance from its plane.
#[test]
fn a_half_space_tells_the_gap() {
    let plane = HalfSpace { point: DVec3::Y, normal: DVec3::Y };
    assert_eq!(plane.gap(DVec3::new(3.0, 0.5, 1.0)), -0.5);
}

/// Contact ahead of the motion finds all 25 vertices of the lower side, 1 mm above the ground; contact now
/// finds none.
#[test]
fn explicit_steppers_feel_only_what_is_inside() {
    let model = cube_model(2);
    let mut contact = ObstacleContact::new(&model);
    let mut state = State::at_rest(&model.mesh().nodes);
    state.v.fill(-DVec3::Y);
    state.x.iter_mut().for_each(|x| x.y += 1e-3);
    let mut count = |reach| {
        let mut points = PointForces::default();
        let interval = TimeStep { t: 0.0, h: H };
        contact.gather(&[Obstacle::ground(0.5)], &state, interval, reach, &mut points);
        points.len()
    };
    assert_eq!((count(Reach::Ahead), count(Reach::Now)), (25, 0));
}

/// Every kind of invalid obstacle returns its own error.
#[test]
fn obstacles_that_cannot_be_are_refused() {
    let sound = Obstacle::default();
    for friction in [-0.1, f64::NAN, 1e3] {
        let error = Obstacle::ground(friction).check().unwrap_err();
        assert!(matches!(error, ObstacleError::Friction { .. }), "{error}");
    }
    let far = Obstacle { pose: Pose::from(DVec3::splat(1e10)), ..sound.clone() };
    assert!(matches!(far.check(), Err(ObstacleError::Pose { .. })));
    let flat = Obstacle { shape: Shape::Sphere { radius: 0.0 }, ..sound.clone() };
    assert!(matches!(flat.check(), Err(ObstacleError::Shape(_))));
    let action = Action::Translate(DVec3::NAN);
    let motion = Motion { ramps: vec![Ramp { start: 0.0, end: 1.0, action }] };
    assert!(matches!(Obstacle { motion, ..sound }.check(), Err(ObstacleError::Ramp { .. })));
}

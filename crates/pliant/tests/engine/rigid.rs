//! Rigid bodies: inertia, free motion, resting and rolling on obstacles.

use std::f64::consts::PI;
use std::sync::Arc;

use crate::common::{largest, run, symplectic_euler};
use glam::{DMat3, DQuat, DVec3};
use pliant::body::{
    Action, Body, BodyError, Model, ModelError, Motion, Pin, Pull, Ramp, RigidConfig,
};
use pliant::contact::{ContactLevel, Obstacle};
use pliant::geometry::{Pose, Shape, ShapeError, SolidError, Surface};
use pliant::world::{BodyHandle, World, WorldConfig};

const BALL: Shape = Shape::Sphere { radius: 0.3 };
const BRICK: Shape = Shape::Box { half: DVec3::new(0.5, 0.1, 0.25) };
const PILL: Shape = Shape::Capsule { half_length: 0.4, radius: 0.1 };

fn rigid(shape: &Shape, fineness: u32) -> Arc<Model> {
    Arc::new(Model::rigid_shape(shape, fineness, RigidConfig::default()).unwrap())
}

fn body(model: &Arc<Model>) -> Body {
    Body::new("rigid", model.clone(), vec![]).unwrap()
}

/// The same body, displaced by `by`.
fn moved(model: &Arc<Model>, by: DVec3) -> Body {
    let mut body = body(model);
    body.state.x.iter_mut().for_each(|x| *x += by);
    body
}

fn world(gravity: f64) -> World {
    let config = WorldConfig { gravity: DVec3::new(0.0, -gravity, 0.0), ..Default::default() };
    World::new(config).unwrap()
}

/// Momentum and angular momentum of the point masses about the origin.
fn momenta(body: &Body) -> [DVec3; 2] {
    let terms = || body.state.x.iter().zip(&body.state.v).zip(body.model().masses());
    [terms().map(|((_, v), m)| *m * *v).sum(), terms().map(|((x, v), m)| *m * x.cross(*v)).sum()]
}

/// The largest change of a distance between nodes, relative to the size of the body.
fn distortion(body: &Body) -> f64 {
    let rest = &body.model().mesh().nodes;
    let size = rest[0].distance(rest[1]).max(rest[0].distance(rest[2]));
    let pairs = (0..4).flat_map(|a| (0..a).map(move |b| (a, b)));
    let x = &body.state.x;
    pairs
        .map(|(a, b)| (x[a].distance(x[b]) - rest[a].distance(rest[b])).abs() / size)
        .fold(0.0, f64::max)
}

/// The inertia tensor of the point masses about their centre.
fn inertia_of_points(model: &Model) -> DMat3 {
    let centre = model.mesh().nodes.iter().sum::<DVec3>() / 4.0;
    let mut sum = DMat3::ZERO;
    for (x, mass) in model.mesh().nodes.iter().zip(model.masses()) {
        let r = *x - centre;
        let outer = DMat3::from_cols(r.x * r, r.y * r, r.z * r);
        sum += *mass * (DMat3::from_diagonal(DVec3::splat(r.length_squared())) - outer);
    }
    sum
}

fn close(found: DMat3, expected: DMat3, tolerance: f64) {
    let difference =
        (found - expected).to_cols_array().into_iter().map(f64::abs).fold(0.0, f64::max);
    let size = expected.to_cols_array().into_iter().map(f64::abs).fold(0.0, f64::max);
    assert!(difference <= tolerance * size, "{found} is not {expected}");
}

/// The four point masses of a rigid body have the mass, the centre and the inertia tensor of the solid, to rounding.
#[test]
fn four_points_have_the_inertia_of_textbooks() {
    let density = 1000.0;
    let m = density * 4.0 / 3.0 * PI * 0.3f64.powi(3);
    let ball = [m, 0.4 * m * 0.09, 0.4 * m * 0.09, 0.4 * m * 0.09];
    let m = density * 0.1;
    let brick = [
        m,
        m / 12.0 * (0.2f64.powi(2) + 0.5f64.powi(2)),
        m / 12.0 * (1.0 + 0.5f64.powi(2)),
        m / 12.0 * (1.0 + 0.2f64.powi(2)),
    ];
    let (r, length) = (0.1f64, 0.8f64);
    let (tube, ends) = (density * PI * r * r * length, density * 4.0 / 3.0 * PI * r.powi(3));
    let about = tube * r * r / 2.0 + ends * 0.4 * r * r;
    let across = tube * (length * length / 12.0 + r * r / 4.0)
        + ends * (0.4 * r * r + length * length / 4.0 + 3.0 / 8.0 * length * r);
    let pill = [tube + ends, across, about, across];
    for (shape, [mass, x, y, z]) in [(BALL, ball), (BRICK, brick), (PILL, pill)] {
        let model = rigid(&shape, 3);
        assert!(model.is_rigid());
        assert!((model.mass() / mass - 1.0).abs() < 1e-14);
        assert!(model.masses().iter().all(|m| *m == model.masses()[0]));
        close(inertia_of_points(&model), DMat3::from_diagonal(DVec3::new(x, y, z)), 1e-14);
    }
}

/// A rotated surface far from the origin has the inertia of its shape. Tolerance: rounding for a box; 2e-3 for round
/// shapes with 40 segments, whose triangles are inside the shape, with an error that falls with the square of the
/// fineness.
#[test]
fn surfaces_have_the_inertia_of_what_they_enclose() {
    let turn = DQuat::from_euler(glam::EulerRot::XYZ, 0.3, -1.1, 0.7);
    let place = Pose { rotation: turn, translation: DVec3::new(3.0, -2.0, 5.0) };
    let matrix = DMat3::from_quat(turn);
    for (shape, fineness, tolerance) in [(BRICK, 3, 1e-13), (BALL, 40, 2e-3), (PILL, 40, 2e-3)] {
        let exact = shape.mass_properties().unwrap();
        let mut surface = shape.surface(fineness).unwrap();
        surface.vertices.iter_mut().for_each(|x| *x = place.point(*x));
        let found = surface.mass_properties().unwrap();
        assert!((found.volume / exact.volume - 1.0).abs() < tolerance);
        assert!(found.centre.distance(place.translation) < 1e-12);
        let expected = matrix * exact.inertia(1.0) * matrix.transpose();
        close(found.inertia(1.0), expected, tolerance);
        let model = Model::rigid(&surface, RigidConfig::default()).unwrap();
        close(
            inertia_of_points(&model),
            matrix * exact.inertia(1000.0) * matrix.transpose(),
            tolerance,
        );
    }
}

/// The vertices of the skin are those of the surface, in order, and move rigidly with the body, to rounding.
#[test]
fn the_skin_is_the_surface() {
    for shape in [BALL, BRICK, PILL] {
        let surface = shape.surface(4).unwrap();
        surface.check_closed().unwrap();
        assert!(surface.vertices.iter().all(|x| shape.distance(*x).distance.abs() < 1e-15));
        let model = rigid(&shape, 4);
        let mut body = body(&model);
        let turn = DQuat::from_rotation_x(2.0) * DQuat::from_rotation_z(1.0);
        let pose = Pose { rotation: turn, translation: DVec3::new(0.2, 5.0, -1.0) };
        let inertia = *model.inertia().unwrap();
        inertia.set(&pose, DVec3::ZERO, DVec3::ZERO, &mut body.state);
        let mut vertices = Vec::new();
        model.skin().unwrap().interpolate(&body.state.x, &mut vertices);
        let errors = vertices.iter().zip(&surface.vertices).map(|(x, rest)| *x - pose.point(*rest));
        assert!(largest(errors) < 1e-14);
        let found = inertia.pose(&body.state);
        assert!(found.rotation.dot(turn).abs() > 1.0 - 1e-14);
        assert!(found.translation.distance(pose.translation) < 1e-14);
    }
}

/// The projection of random node positions and velocities to a rigid motion keeps centre, momentum and angular
/// momentum, to rounding. (Angular momentum with the arms of the rigid body, which is why positions are projected
/// first.)
#[test]
fn projection_keeps_centre_and_momenta() {
    let model = rigid(&BRICK, 1);
    let inertia = model.inertia().unwrap();
    let mut random = crate::common::Random::new(3);
    for _ in 0..100 {
        let mut body = body(&model);
        body.state.x.iter_mut().for_each(|x| *x += 0.02 * random.vector());
        inertia.project(&mut body.state);
        body.state.v.iter_mut().for_each(|v| *v = random.vector());
        let [before, turning] = momenta(&body);
        let centre: DVec3 = body.state.x.iter().sum();
        inertia.project(&mut body.state);
        let [after, turned] = momenta(&body);
        assert!(distortion(&body) < 1e-14);
        assert!(before.distance(after) < 1e-12 && turning.distance(turned) < 1e-12);
        assert!(centre.distance(body.state.x.iter().sum()) < 1e-14);
    }
}

/// A brick that spins about its axis of middle inertia turns over (the Dzhanibekov effect). Angular momentum is
/// conserved to rounding. The energy of the midpoint rule does not drift; it oscillates by the square of the angle
/// per step, (0.1 rad)² = 1 %.
#[test]
fn a_brick_tumbles_and_keeps_its_momentum() {
    let model = rigid(&BRICK, 1);
    let inertia = model.inertia().unwrap();
    let mut world = world(0.0);
    let mut body = body(&model);
    // The moments are m/12 (0.29, 1.25, 1.04): the middle one is about z.
    let spin = DVec3::new(1e-3, 1e-3, 6.0);
    inertia.set(&Pose::IDENTITY, DVec3::new(0.0, 0.3, 0.0), spin, &mut body.state);
    let handle = world.add(body);
    let [_, before] = momenta(world.get(handle).unwrap());
    let energy = world.energy().kinetic;
    let mut flipped = false;
    for _ in 0..600 {
        world.step();
        let body = world.get(handle).unwrap();
        let motion = inertia.motion(&body.state);
        let drift = motion.angular_momentum.distance(inertia.tensor(DMat3::IDENTITY) * spin);
        assert!(drift < 1e-12 * before.length());
        assert!(distortion(body) < 1e-12);
        assert!((world.energy().kinetic / energy - 1.0).abs() < 1e-2);
        flipped |= motion.rotation.z_axis.z < -0.9;
    }
    assert!(flipped, "rotation about the middle axis must be unstable");
}

/// A rigid body falls as in symplectic Euler, by g h² n (n + 1)/2 in n steps, to rounding.
#[test]
fn a_body_falls_freely() {
    let model = rigid(&PILL, 2);
    let mut world = world(9.81);
    let handle = world.add(body(&model));
    run(&mut world, 60);
    let centre = world.get(handle).unwrap().state.x.iter().sum::<DVec3>() / 4.0;
    let expected = -9.81 / 3600.0 * 60.0 * 61.0 / 2.0;
    assert!((centre - expected * DVec3::Y).length() < 1e-12);
}

fn resting(shape: &Shape, height: f64, fineness: u32, steps: usize) -> (World, BodyHandle) {
    let model = rigid(shape, fineness);
    let mut world = world(9.81);
    world.add_obstacle(Obstacle::ground(0.5)).unwrap();
    let handle = world.add(moved(&model, height * DVec3::Y));
    run(&mut world, steps);
    (world, handle)
}

/// Two seconds after a fall of 10 cm a brick is at rest: no node is faster than 1 µm/s, and its centre is within
/// 0.1 mm of its height, the depth of the contact layer.
#[test]
fn a_box_rests_without_a_tremor() {
    let (mut world, handle) = resting(&BRICK, 0.2, 2, 120);
    for _ in 0..60 {
        world.step();
        let body = world.get(handle).unwrap();
        assert!(largest(body.state.v.iter().copied()) < 1e-6);
        let centre = body.state.x.iter().sum::<DVec3>() / 4.0;
        assert!((centre.y - 0.1).abs() < 1e-4, "the centre is at {centre}");
        assert!(distortion(body) < 1e-12);
    }
}

/// A ball that starts sliding without rotation ends up rolling: the velocity of its lowest point is below 1 % of its
/// speed. Without losses it would keep 5/7 of its initial speed. Here it rolls on facets of about a centimetre and on
/// an inelastic contact layer, which costs at most half of that within 1.5 s.
#[test]
fn a_sliding_ball_begins_to_roll() {
    let model = rigid(&BALL, 40);
    let mut world = world(9.81);
    world.add_obstacle(Obstacle::ground(0.5)).unwrap();
    let mut ball = moved(&model, 0.3 * DVec3::Y);
    ball.state.v.fill(DVec3::X);
    let handle = world.add(ball);
    run(&mut world, 90);
    let inertia = model.inertia().unwrap();
    let motion = inertia.motion(&world.get(handle).unwrap().state);
    let omega = inertia.angular_velocity(motion.rotation, motion.angular_momentum);
    let (speed, rolled) = (motion.velocity.x, -0.3 * omega.z);
    assert!(
        (rolled / speed - 1.0).abs() < 0.01,
        "the ball moves at {speed} m/s and rolls at {rolled} m/s"
    );
    assert!((0.5..1.0).contains(&(speed * 7.0 / 5.0)), "the ball moves at {}", motion.velocity);
}

/// A pinned rigid body follows its pin, to rounding, and a rigid body on a spring hangs lower by its weight over the
/// stiffness, within 0.1 %, the motion that is left when it falls asleep.
#[test]
fn pins_and_pulls_hold_rigid_bodies() {
    let model = rigid(&BRICK, 1);
    let ramp = Ramp { start: 0.0, end: 1.0, action: Action::Translate(DVec3::X) };
    let motion = Motion { ramps: vec![ramp] };
    let pin = Pin { nodes: vec![0, 1, 2, 3], motion, ..Default::default() };
    let config = WorldConfig { contact: ContactLevel::Off, ..Default::default() };
    let mut world = World::new(config).unwrap();
    let held = world.add(Body::new("held", model.clone(), vec![pin]).unwrap());
    let mut hanging = body(&model);
    let top = DVec3::new(0.0, 0.1, 0.0);
    let point = model.locate(top).unwrap();
    let motion = Motion::default();
    hanging
        .add_pull(Pull { point: point.clone(), motion, stiffness: 1e4, damping: 100.0 })
        .unwrap();
    let hanging = world.add_with(hanging, symplectic_euler()).unwrap();
    run(&mut world, 2400);
    let shift = world.get(held).unwrap().state.x[2] - model.mesh().nodes[2];
    assert!((shift - DVec3::X).length() < 1e-12);
    let place = point.position(&world.get(hanging).unwrap().state.x);
    let sag = model.mass() * 9.81 / 1e4;
    assert!((place - top + sag * DVec3::Y).length() < 1e-3 * sag, "the body hangs at {place}");
}

/// Every kind of surface, mass and pin that cannot make a rigid body returns its own error.
#[test]
fn what_cannot_be_rigid_is_refused_with_a_remedy() {
    let sound = BRICK.surface(1).unwrap();
    let config = RigidConfig::default();
    let refused = |surface: &Surface, config| Model::rigid(surface, config).unwrap_err();
    let solid = |error: ModelError| match error {
        ModelError::Solid(error) => error,
        other => panic!("{other}"),
    };
    let mut open = sound.clone();
    open.triangles.pop();
    assert!(matches!(solid(refused(&open, config)), SolidError::Open { count: 3, .. }));
    let mut flat = sound.clone();
    flat.vertices.iter_mut().for_each(|x| x.y = 0.0);
    assert!(matches!(solid(refused(&flat, config)), SolidError::Flat { .. }));
    let mut inside_out = sound.clone();
    inside_out.triangles.iter_mut().for_each(|t| t.swap(0, 1));
    assert!(matches!(solid(refused(&inside_out, config)), SolidError::InsideOut { .. }));
    let mut missing = sound.clone();
    missing.vertices.pop();
    assert!(matches!(solid(refused(&missing, config)), SolidError::NoSuchVertex { .. }));
    let mut broken = sound.clone();
    broken.vertices[3].x = f64::NAN;
    assert!(matches!(solid(refused(&broken, config)), SolidError::NotFinite { vertex: 3 }));
    assert!(matches!(solid(refused(&Surface::default(), config)), SolidError::Empty));
    for mass in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        let error = refused(&sound, RigidConfig { mass: Some(mass), ..config });
        assert!(matches!(error, ModelError::RigidMass { .. }), "{error}");
        assert!(error.to_string().contains("give a mass or a density"));
    }
    let plane = Shape::Plane { normal: DVec3::Y };
    let error = Model::rigid_shape(&plane, 1, config).unwrap_err();
    assert_eq!(error, ModelError::Shape(ShapeError::Unbounded));
    assert!(matches!(BALL.surface(0), Err(ShapeError::Fineness { .. })));
    let model = rigid(&BALL, 1);
    assert!(matches!(model.at_shape(&model.mesh().nodes), Err(ModelError::RigidShape)));
    let pin = Pin { nodes: vec![0, 2], ..Default::default() };
    let error = Body::new("hinged", model, vec![pin]).unwrap_err();
    assert_eq!(error, BodyError::PartOfRigid { pin: 0, held: 2 });
}

//! Bodies that start inside each other or inside obstacles are separated slowly, and the overlap is reported once.

use std::sync::Arc;

use glam::DVec3;
use pliant::body::{Body, Model, RigidConfig};
use pliant::contact::{ContactLevel, Obstacle};
use pliant::geometry::Shape;
use pliant::material::Material;
use pliant::mesh::generate::{BoxConfig, Split, box_mesh};
use pliant::solver::{MethodConfig, Stepper};
use pliant::world::{BodyHandle, EventKind, World, WorldConfig};

const GRAVITY: f64 = 9.81;
const DT: f64 = 1.0 / 60.0;

/// The largest allowed speed, in m/s. Overlaps are resolved at the speed that gravity gives in one frame. A vertex of
/// a soft body may be a quarter faster for a moment, because the body swings under the force that starts to push it.
const LIMIT: f64 = 1.25 * GRAVITY * DT;

fn soft_cube() -> Arc<Model> {
    let config = BoxConfig {
        origin: [-0.1; 3],
        size: [0.2; 3],
        cells: [3; 3],
        split: Split::Tet5,
        ..Default::default()
    };
    let material = Material { young: 2e5, poisson: 0.35, density: 1000.0, ..Default::default() };
    Arc::new(Model::uniform(box_mesh(&config).unwrap(), material).unwrap())
}

fn rigid_cube() -> Arc<Model> {
    let shape = Shape::Box { half: DVec3::splat(0.1) };
    Arc::new(Model::rigid_shape(&shape, 4, RigidConfig::default()).unwrap())
}

fn placed(name: &str, model: &Arc<Model>, at: DVec3) -> Body {
    let mut body = Body::new(name, model.clone(), vec![]).unwrap();
    body.state.x.iter_mut().for_each(|x| *x += at);
    body
}

fn fastest(world: &World) -> f64 {
    let speeds = world.bodies().flat_map(|(_, body)| body.state.v.iter().map(|v| v.length()));
    speeds.fold(0.0, f64::max)
}

fn weightless() -> WorldConfig {
    WorldConfig { gravity: DVec3::ZERO, dt: DT, ..Default::default() }
}

fn overlaps(world: &World) -> Vec<(BodyHandle, BodyHandle, f64)> {
    let told = world.events().iter().filter_map(|event| match event.kind {
        EventKind::Overlapped { other, depth } => Some((event.body, other, depth)),
        _ => None,
    });
    told.collect()
}

/// Steps for two seconds; returns the largest speed and the final distance of the two bodies along x. Checks that the
/// overlap is reported once, with this depth.
fn let_out(mut world: World, depth: f64) -> (f64, f64) {
    let mut top: f64 = 0.0;
    for step in 0..120 {
        world.step();
        top = top.max(fastest(&world));
        let told = overlaps(&world);
        if step > 0 {
            assert!(told.is_empty(), "the overlap is reported again in step {step}");
            continue;
        }
        assert_eq!(told.len(), 1);
        assert!((told[0].2 - depth).abs() < 1e-9, "{} m deep, expected {depth}", told[0].2);
    }
    let reach = |handle: usize, pick: fn(f64, f64) -> f64| {
        let (_, body) = world.bodies().nth(handle).unwrap();
        let collider = body.model().skin().map_or_else(
            || pliant::body::Skin::of_mesh(body.model().mesh(), 1),
            |skin| skin.clone(),
        );
        let mut vertices = Vec::new();
        collider.interpolate(&body.state.x, &mut vertices);
        vertices.iter().map(|x| x.x).reduce(pick).unwrap()
    };
    assert_eq!(world.health().resets, 0);
    (top, reach(1, f64::min) - reach(0, f64::max))
}

/// Two cubes that overlap by up to four fifths of their edge are separated, under every kind of step, and no node is faster
/// than [`LIMIT`]. They end at most 1 mm inside each other.
#[test]
fn bodies_come_apart_no_faster_than_gravity_would_make_them() {
    let (soft, rigid) = (soft_cube(), rigid_cube());
    let cases = [
        ("implicit", [&soft, &soft], Stepper::ImplicitEuler),
        ("bdf2", [&soft, &soft], Stepper::Bdf2),
        ("xpbd", [&soft, &soft], Stepper::Xpbd),
        ("rigid", [&rigid, &rigid], Stepper::ImplicitEuler),
        ("soft and rigid", [&soft, &rigid], Stepper::ImplicitEuler),
        ("xpbd and rigid", [&soft, &rigid], Stepper::Xpbd),
    ];
    for (name, models, stepper) in cases {
        for depth in [0.005, 0.02, 0.06, 0.1, 0.16] {
            let mut world = World::new(weightless()).unwrap();
            for (side, model) in [0.0, 1.0].into_iter().zip(models) {
                let at = DVec3::new(side * (0.2 - depth), 0.013 * side, 0.017 * side);
                let method = MethodConfig { stepper, ..Default::default() };
                world.add_with(placed(name, model, at), method).unwrap();
            }
            let (top, apart) = let_out(world, depth);
            println!("{name}, {depth} m deep: {top:.3} m/s at most, ends {apart:.4} m apart");
            assert!(top < LIMIT, "{name}, {depth} m deep: {top} m/s");
            assert!(apart > -1e-3, "{name}, {depth} m deep: {apart} m apart");
        }
    }
}

/// The largest speed of a cube that starts at this height above the ground, in three seconds, and its final mean
/// height. Checks that `told` overlaps are reported in the first step.
fn put_on_ground(model: &Arc<Model>, stepper: Stepper, height: f64, told: usize) -> (f64, f64) {
    let mut world = World::new(WorldConfig { dt: DT, sleep: None, ..Default::default() }).unwrap();
    world.add_obstacle(Obstacle::ground(0.5)).unwrap();
    let method = MethodConfig { stepper, ..Default::default() };
    let cube = placed("cube", model, DVec3::new(0.0, 0.1 + height, 0.0));
    let handle = world.add_with(cube, method).unwrap();
    let mut top: f64 = 0.0;
    for step in 0..180 {
        world.step();
        top = top.max(fastest(&world));
        let events = world.events().iter().filter(
            |event| matches!(event.kind, EventKind::InObstacle { depth, .. } if (depth + height).abs() < 5e-3),
        );
        assert_eq!(events.count(), if step == 0 { told } else { 0 }, "step {step}");
    }
    let x = &world.get(handle).unwrap().state.x;
    (top, x.iter().map(|x| x.y).sum::<f64>() / x.len() as f64)
}

/// A cube that starts 5 cm inside the ground rises no faster than [`LIMIT`] and finally rests on the ground, within
/// 1 cm. Without damping by the stepper (XPBD, explicit) the free end of an elastic body moves twice as fast as the end
/// that is pushed, and waves add up: three times the speed of gravity in a frame is allowed there, in addition to the
/// swinging of a cube that starts exactly on the ground.
#[test]
fn bodies_come_out_of_the_ground_gently() {
    for (model, stepper) in [
        (soft_cube(), Stepper::ImplicitEuler),
        (soft_cube(), Stepper::Xpbd),
        (soft_cube(), Stepper::SymplecticEuler),
        (rigid_cube(), Stepper::ImplicitEuler),
    ] {
        let damped = stepper == Stepper::ImplicitEuler;
        let (swings, _) = put_on_ground(&model, stepper, 0.0, 0);
        let (top, middle) = put_on_ground(&model, stepper, -0.05, 1);
        println!(
            "{stepper:?}: {top:.3} m/s at most, {swings:.3} on the ground, ends at {middle:.4} m"
        );
        assert!(
            top < if damped { LIMIT } else { swings + 3.0 * GRAVITY * DT },
            "{stepper:?}: {top} m/s, {swings} on the ground"
        );
        assert!(
            (middle - 0.1).abs() < 0.01,
            "{stepper:?}: the mean height of the cube is {middle} m"
        );
    }
}

/// A body that is carried into another by its own speed is not reported as overlapping; it is stopped or bounces.
#[test]
fn an_impact_is_no_overlap() {
    let model = soft_cube();
    let mut world = World::new(weightless()).unwrap();
    let mut fast = placed("fast", &model, DVec3::new(-0.3, 0.0, 0.0));
    fast.state.v.fill(DVec3::X * 3.0);
    world.add(fast);
    world.add(placed("slow", &model, DVec3::ZERO));
    for _ in 0..60 {
        world.step();
        assert!(overlaps(&world).is_empty());
    }
    let [first, second] = [0, 1].map(|k| world.bodies().nth(k).unwrap().1.state.x[0].x);
    assert!(second - first > 0.15, "{first} and {second}");
}

/// An overlap is also reported when contact is switched on, and when the user moves a body into another.
#[test]
fn contact_switched_on_and_bodies_put_elsewhere_are_told() {
    let model = soft_cube();
    let off = WorldConfig { contact: ContactLevel::Off, ..weightless() };
    let mut world = World::new(off).unwrap();
    let first = world.add(placed("first", &model, DVec3::ZERO));
    let second = world.add(placed("second", &model, DVec3::X * 0.17));
    world.step();
    assert!(overlaps(&world).is_empty());
    world.set_config(weightless()).unwrap();
    world.step();
    assert_eq!(overlaps(&world).len(), 1);
    let text = world.events()[0].kind.to_string();
    assert!(text.contains("farther apart"), "{text}");
    for _ in 0..120 {
        world.step();
    }
    let place = world.get(first).unwrap().state.x.clone();
    let body = world.get_mut(second).unwrap();
    body.state.x.iter_mut().zip(place).for_each(|(x, first)| *x = first + DVec3::X * 0.17);
    world.step();
    assert_eq!(overlaps(&world).len(), 1);
    assert_eq!((overlaps(&world)[0].0, overlaps(&world)[0].1), (first, second));
}

/// A world that is restored while an overlap is being resolved continues with the same bits.
#[test]
fn an_overlap_that_is_let_out_is_part_of_a_snapshot() {
    let model = soft_cube();
    let mut world = World::new(WorldConfig { dt: DT, ..Default::default() }).unwrap();
    world.add_obstacle(Obstacle::ground(0.5)).unwrap();
    world.add(placed("first", &model, DVec3::new(0.0, 0.06, 0.0)));
    world.add(placed("second", &model, DVec3::new(0.15, 0.1, 0.01)));
    for _ in 0..5 {
        world.step();
    }
    let bytes = world.snapshot();
    let go_on = |world: &mut World| {
        for _ in 0..20 {
            world.step();
        }
        world.state_hash()
    };
    let expected = go_on(&mut world);
    world.restore(&bytes).unwrap();
    assert_eq!(go_on(&mut world), expected);
}

/// Stiff cubes of 1 GPa that are laid 1 mm into each other are not strained by it: a contact of that stiffness would have 500 J in such an overlap. They rise
/// slowly until they lie on each other at level `safe`, and on the way have no more elastic energy than a hundredth of the work that lifts the upper one by the overlap.
#[test]
fn stiff_bodies_laid_into_each_other_are_not_strained() {
    const EDGE: f64 = 0.3;
    const OVERLAP: f64 = 1e-3;
    let config = BoxConfig { size: [EDGE; 3], cells: [1; 3], ..Default::default() };
    let material = Material { young: 1e9, poisson: 0.3, density: 1000.0, ..Default::default() };
    let cube = Arc::new(Model::uniform(box_mesh(&config).unwrap(), material).unwrap());
    let mut world =
        World::new(WorldConfig { contact: ContactLevel::Safe, ..Default::default() }).unwrap();
    world.add_obstacle(Obstacle::ground(0.5)).unwrap();
    for height in [0.0, EDGE - OVERLAP] {
        world.add(placed("cube", &cube, DVec3::Y * height));
    }
    let lift = cube.mass() * GRAVITY * OVERLAP;
    for _ in 0..120 {
        world.step();
        let elastic = world.energy().elastic;
        assert!(elastic < 0.01 * lift, "{elastic} J of {lift} J");
    }
    let (_, upper) = world.bodies().nth(1).unwrap();
    let lowest = upper.state.x.iter().map(|x| x.y).fold(f64::INFINITY, f64::min);
    assert!(lowest > EDGE - 0.1 * OVERLAP, "the upper cube is at {lowest} m");
}

/// A body that a contact pushes out of an overlap never has more kinetic energy than the energy in the contact, and never less than a
/// tenth of that energy if the contact is soft. One dimension: a mass `m` at depth `d`, the contact law `f = k d − (c + h k) v` with `c = 2 h k`, and implicit Euler,
/// `v⁺ = (m v + h k d)/(m + h c + h² k)`. The stiffer the contact, the less of the energy of its spring becomes motion.
#[test]
fn a_contact_gives_back_no_more_than_its_energy() {
    use pliant::internals::{PointForce, PointForces};
    use pliant_kernels::math::Mat3;
    let (h, mass, start) = (1.0 / 60.0, 0.7, 0.01);
    for exponent in -6..=12 {
        let stiffness = mass / (h * h) * 10f64.powf(0.5 * f64::from(exponent));
        let damping = 2.0 * h * stiffness;
        let force = PointForce {
            force: stiffness * start * DVec3::Y,
            stiffness: Mat3::IDENTITY * stiffness,
            damping: Mat3::IDENTITY * damping,
        };
        let mut contacts = PointForces::default();
        contacts.push_one_sided([(0, 1.0)], force, DVec3::Y);
        let (energy, spring) =
            (contacts.energy_in_contacts(mass, h), 0.5 * stiffness * start * start);
        assert!(energy <= spring * (1.0 + 1e-12), "{exponent}: {energy} J of {spring} J");
        let (mut depth, mut v, mut most) = (start, 0.0, 0.0f64);
        for _ in 0..200 {
            let resistance = mass + h * damping + h * h * stiffness;
            v = (mass * v + h * stiffness * depth.max(0.0))
                / if depth > 0.0 { resistance } else { mass };
            depth -= h * v;
            most = most.max(0.5 * mass * v * v);
        }
        assert!(most <= energy, "{exponent}: {most} J of motion from {energy} J");
        assert!(exponent > -2 || most > 0.1 * energy, "{exponent}: {most} J of {energy} J");
    }
}

//! Wind: terminal velocities follow the formula, a body that moves with the wind has no drag, and no step overshoots.

use std::sync::Arc;

use crate::common::{free_body, heavy, run, soft};
use glam::DVec3;
use pliant::body::{Body, Model, RigidConfig};
use pliant::contact::{ContactLevel, Obstacle};
use pliant::force::{Gusts, Wind, WindError};
use pliant::geometry::Shape;
use pliant::material::{LawKind, Material};
use pliant::mesh::Mesh;
use pliant::mesh::generate::{BoxConfig, box_mesh};
use pliant::solver::{MethodConfig, Stepper};
use pliant::world::{BodyHandle, World, WorldConfig};
use rayon::ThreadPoolBuilder;

const GRAVITY: f64 = 9.81;

/// Half the sides of the plate, in m.
const HALF: DVec3 = DVec3::new(0.5, 0.02, 0.5);

/// Water at rest, so that terminal velocities are reached soon.
const WATER: Wind = Wind {
    velocity: DVec3::ZERO,
    density: 1000.0,
    drag: 0.5,
    friction: 0.02,
    gusts: Gusts { strength: 0.0, length: 2.0, seed: 0 },
    start: f64::NEG_INFINITY,
    end: f64::INFINITY,
};

fn world(gravity: f64, dt: f64, wind: Wind) -> World {
    let gravity = DVec3::new(0.0, -gravity, 0.0);
    let contact = ContactLevel::Off;
    let config = WorldConfig { gravity, dt, contact, sleep: None, ..Default::default() };
    let mut world = World::new(config).unwrap();
    world.set_wind(Some(wind)).unwrap();
    world
}

fn rigid(shape: &Shape, fineness: u32) -> Body {
    let model = Model::rigid_shape(shape, fineness, RigidConfig::default()).unwrap();
    Body::new("rigid", Arc::new(model), vec![]).unwrap()
}

fn plate() -> Body {
    rigid(&Shape::Box { half: HALF }, 2)
}

/// The drag of a plate that moves broadside, over its speed squared, in kg/m: ½ ρ (2 c A + cₜ times the area of the
/// rim).
fn plate_drag(wind: &Wind) -> f64 {
    let rim = 8.0 * HALF.y * (HALF.x + HALF.z);
    0.5 * wind.density * (8.0 * wind.drag * HALF.x * HALF.z + wind.friction * rim)
}

/// Velocity of the centre of mass, in m/s.
fn velocity(world: &World, handle: BodyHandle) -> DVec3 {
    let body = world.get(handle).unwrap();
    let moving = body.model().masses().iter().zip(&body.state.v);
    moving.map(|(mass, v)| *mass * *v).sum::<DVec3>() / body.model().mass()
}

/// A plate that falls flat through water has v = v∞ tanh(g t/v∞), with v∞² = m g/k and the drag k |v| v. The terminal
/// velocity is exact to rounding; before it, the error is of second order in the step, because the drag k v v⁺ is
/// symmetric in time.
#[test]
fn a_falling_plate_follows_the_hyperbolic_tangent() {
    let error = |dt: f64| {
        let mut world = world(GRAVITY, dt, WATER);
        let handle = world.add(plate());
        let mass = world.get(handle).unwrap().model().mass();
        let terminal = (mass * GRAVITY / plate_drag(&WATER)).sqrt();
        let middle = terminal / GRAVITY;
        run(&mut world, (middle / dt).round() as usize);
        let expected = -terminal * (GRAVITY * world.time() / terminal).tanh();
        let off = (velocity(&world, handle).y / expected - 1.0).abs();
        run(&mut world, (20.0 * middle / dt) as usize);
        let end = velocity(&world, handle);
        assert!((end.y / terminal + 1.0).abs() < 1e-9, "{end} for {terminal}");
        assert!(end.x.abs() + end.z.abs() < 1e-9 * terminal, "{end}");
        off
    };
    let [coarse, fine] = [4e-3, 2e-3].map(error);
    let order = (coarse / fine).log2();
    assert!(fine < 2e-4 && (1.8..2.2).contains(&order), "errors {coarse:.1e}, {fine:.1e}: {order}");
}

/// The terminal velocity of a falling ball is that of the drag coefficient c + 8/3 cₜ. Tolerance 1 %: its surface is
/// made of flat triangles.
#[test]
fn a_falling_ball_has_its_terminal_velocity() {
    let radius = 0.1;
    let mut world = world(GRAVITY, 5e-3, WATER);
    let handle = world.add(rigid(&Shape::Sphere { radius }, 24));
    run(&mut world, 1000);
    let mass = world.get(handle).unwrap().model().mass();
    let across = std::f64::consts::PI * radius * radius;
    let coefficient = WATER.drag + 8.0 / 3.0 * WATER.friction;
    let expected = (mass * GRAVITY / (0.5 * WATER.density * coefficient * across)).sqrt();
    let found = -velocity(&world, handle).y;
    assert!((found / expected - 1.0).abs() < 0.01, "{found} m/s for {expected}");
}

fn soft_plate(young: f64) -> Body {
    let mesh: Mesh = box_mesh(&BoxConfig {
        origin: (-HALF).to_array(),
        size: (2.0 * HALF).to_array(),
        cells: [4, 1, 4],
        degree: 2,
        ..Default::default()
    })
    .unwrap();
    let material = Material { young, density: 1000.0, ..soft(LawKind::Corotated) };
    free_body(mesh, material)
}

/// A stiff deformable plate has the terminal velocity of the rigid one, with every stepper. Tolerance 1 %: it bends
/// by less than a hundredth of its width.
#[test]
fn every_stepper_reaches_the_terminal_velocity() {
    for stepper in Stepper::ALL {
        let mut world = world(GRAVITY, 1.0 / 50.0, WATER);
        let method = MethodConfig { stepper, ..Default::default() };
        let handle = world.add_with(soft_plate(1e7), method).unwrap();
        run(&mut world, 60);
        let mass = world.get(handle).unwrap().model().mass();
        let expected = (mass * GRAVITY / plate_drag(&WATER)).sqrt();
        let found = -velocity(&world, handle).y;
        let name = stepper.name();
        assert!((found / expected - 1.0).abs() < 0.01, "{name}: {found} m/s for {expected}");
    }
}

/// A body that moves with the wind keeps its velocity, to rounding, with every stepper.
#[test]
fn no_force_acts_on_what_moves_with_the_wind() {
    let velocity_of_wind = DVec3::new(6.0, 1.0, -3.0);
    for stepper in Stepper::ALL {
        for mut body in [soft_plate(1e5), plate()] {
            body.state.v.fill(velocity_of_wind);
            let mut world = world(0.0, 1.0 / 60.0, Wind { velocity: velocity_of_wind, ..WATER });
            let method = MethodConfig { stepper, ..Default::default() };
            let handle = world.add_with(body, method).unwrap();
            run(&mut world, 20);
            let off = (velocity(&world, handle) - velocity_of_wind).length();
            assert!(off < 1e-9, "{}: {off} m/s", stepper.name());
        }
    }
}

/// In one step of any length the relative wind of a plate falls from u to u/(1 + k u h/m), the exact solution for
/// drag alone, to rounding. So it never changes sign, in winds of up to a million m/s.
#[test]
fn one_step_of_drag_is_exact_and_never_overshoots() {
    for (speed, h) in [(1.0, 1e-3), (100.0, 1.0 / 60.0), (1e4, 0.2), (1e6, 1.0)] {
        let wind = Wind { velocity: DVec3::new(0.0, speed, 0.0), ..WATER };
        let mut world = world(0.0, h, wind);
        let handle = world.add(plate());
        world.step();
        let mass = world.get(handle).unwrap().model().mass();
        let felt = speed - velocity(&world, handle).y;
        let expected = speed / (1.0 + plate_drag(&wind) * speed * h / mass);
        assert!((felt - expected).abs() < 1e-11 * speed, "{speed} m/s: {felt} for {expected}");
    }
}

/// The kinetic energy relative to the air, ½ Σ m |v − w|², in J.
fn energy_in(wind: DVec3, body: &Body) -> f64 {
    let moving = body.model().masses().iter().zip(&body.state.v);
    moving.map(|(mass, v)| 0.5 * mass * (*v - wind).length_squared()).sum()
}

/// Drag only takes energy, relative to the air. So a soft sheet in a storm never has more of it than at the start, is
/// finally carried along, and is never reset, with every stepper and with steps that are far too long for the drag.
/// (Parts of it may be faster than the storm for a while, when they spring back.)
///
/// Newmark's rule in the stronger storms is an exception: its elastic forces are explicit and undamped, and a sheet
/// that is crumpled at 1000 m/s is beyond its stable step. It stays finite, with up to 8 times the energy.
#[test]
fn no_storm_overshoots() {
    let mut failures = String::new();
    for speed in [30.0, 1e5, 1e3].into_iter().take(if heavy() { 3 } else { 2 }) {
        for stepper in Stepper::ALL {
            let storm = DVec3::new(0.0, speed, 0.0);
            let wind = Wind { velocity: storm, ..Wind::default() };
            let mut world = world(0.0, 1.0 / 30.0, wind);
            let method = MethodConfig { stepper, ..Default::default() };
            let handle = world.add_with(soft_plate(1e6), method).unwrap();
            let begin = energy_in(storm, world.get(handle).unwrap());
            let energies: Vec<f64> = (0..30)
                .map(|_| {
                    world.step();
                    energy_in(storm, world.get(handle).unwrap()) / begin
                })
                .collect();
            let most = energies.iter().copied().fold(0.0, f64::max);
            let (last, resets) = (energies[29], world.health().resets);
            let crumpled = stepper == Stepper::Newmark && speed > 100.0;
            if (!crumpled && (most > 1.0 || last > 0.9)) || resets > 0 {
                let name = stepper.name();
                failures += &format!("{name}, {speed} m/s: {most} at most, {last}, {resets}\n");
            }
        }
    }
    assert!(failures.is_empty(), "{failures}");
}

/// Gusts are a function of place and time only, are limited by their strength, have zero mean, are smooth, and move
/// with the wind.
#[test]
fn gusts_are_a_pattern_that_the_wind_carries() {
    let velocity = DVec3::new(8.0, 0.0, 2.0);
    let gusts = Gusts { strength: 0.5, length: 3.0, seed: 11 };
    let wind = Wind { velocity, gusts, ..Wind::default() };
    let most = 0.5 * velocity.length();
    let (mut sum, mut count) = (DVec3::ZERO, 0.0);
    for k in 0..20_000 {
        let [a, b, c] = [0.731, 0.519, 0.347].map(|step| step * f64::from(k) - 1000.0);
        let (x, t) = (DVec3::new(a, b, c), 0.01 * f64::from(k));
        let here = wind.at(x, t);
        assert_eq!(here, wind.at(x, t));
        let gust = here - velocity;
        assert!(gust.abs().max_element() <= most, "{gust}");
        let later = wind.at(x + 1.5 * velocity, t + 1.5);
        // The two places agree to about 1e-12 of a kilometre.
        assert!((later - here).length() < 1e-8 * most, "{later} for {here}");
        let near = wind.at(x + DVec3::splat(1e-6), t);
        assert!((near - here).length() < 1e-5 * most, "the wind is not smooth at {x}");
        sum += gust;
        count += 1.0;
    }
    // About one sample in twenty is independent: the mean of a thousand independent gusts of half the strength.
    assert!((sum / count).length() < 0.06 * most, "{}", sum / count);
    let other = Wind { gusts: Gusts { seed: 12, ..gusts }, ..wind };
    assert_ne!(other.at(DVec3::ONE, 0.0), wind.at(DVec3::ONE, 0.0));
}

/// A wind with a start and an end is zero before and after, and has its full speed one second after the start.
#[test]
fn a_wind_rises_and_drops() {
    let velocity = DVec3::new(0.0, 0.0, 7.0);
    let wind = Wind { velocity, start: 1.0, end: 4.0, ..Wind::default() };
    let speeds = [0.9, 1.1, 1.25, 2.0, 3.75, 3.9, 4.1].map(|t| wind.at(DVec3::ZERO, t).z);
    assert_eq!([speeds[0], speeds[3], speeds[6]], [0.0, 7.0, 0.0]);
    assert!((speeds[2] - 3.5).abs() < 1e-12 && (speeds[4] - 3.5).abs() < 1e-12, "{speeds:?}");
    assert!(0.0 < speeds[1] && speeds[1] < speeds[2] && speeds[5] < speeds[4], "{speeds:?}");
    assert!(!wind.is_steady() && Wind { velocity, ..Wind::default() }.is_steady());
}

/// Every invalid field of a wind returns an error with its name, and the wind of the world stays.
#[test]
fn bad_winds_are_refused_and_change_nothing() {
    let mut world = world(0.0, 0.1, WATER);
    let bad = [
        ("velocity", Wind { velocity: DVec3::new(f64::NAN, 0.0, 0.0), ..WATER }),
        ("velocity", Wind { velocity: DVec3::new(0.0, -4e8, 0.0), ..WATER }),
        ("density", Wind { density: -1.0, ..WATER }),
        ("drag", Wind { drag: f64::INFINITY, ..WATER }),
        ("friction", Wind { friction: -0.1, ..WATER }),
        ("gusts.strength", Wind { gusts: Gusts { strength: -1.0, ..WATER.gusts }, ..WATER }),
        ("gusts.length", Wind { gusts: Gusts { length: 0.0, ..WATER.gusts }, ..WATER }),
        ("start", Wind { start: f64::NAN, ..WATER }),
        ("end", Wind { start: 2.0, end: 1.0, ..WATER }),
    ];
    for (expected, wind) in bad {
        let refused = world.set_wind(Some(wind));
        let named =
            matches!(refused, Err(WindError::OutOfRange { field, .. }) if field == expected);
        assert!(named, "{expected}: {refused:?}");
        assert_eq!(world.wind(), Some(&WATER));
    }
}

/// A block in a constant wind falls asleep and stays asleep when the same wind is set again; another wind wakes it,
/// and so does none.
#[test]
fn sleepers_wake_when_the_wind_changes() {
    let mut world = World::new(WorldConfig::default()).unwrap();
    world.add_obstacle(Obstacle::ground(0.9)).unwrap();
    let mesh = box_mesh(&BoxConfig { cells: [2; 3], ..Default::default() }).unwrap();
    let handle = world.add(free_body(mesh, Material { young: 3e5, ..soft(LawKind::Corotated) }));
    let breeze = Wind { velocity: DVec3::new(3.0, 0.0, 0.0), ..Wind::default() };
    let storm = Wind { velocity: DVec3::new(20.0, 0.0, 0.0), ..breeze };
    for wind in [Some(breeze), Some(storm), None] {
        world.set_wind(wind).unwrap();
        world.step();
        assert!(!world.is_asleep(handle).unwrap(), "{wind:?} must wake the block");
        run(&mut world, 900);
        assert!(world.is_asleep(handle).unwrap(), "the block must sleep under {wind:?}");
        world.set_wind(wind).unwrap();
        run(&mut world, 5);
        assert!(
            world.is_asleep(handle).unwrap(),
            "setting the same wind again must not wake the block"
        );
    }
}

/// Three sheets in gusts move with the same bits on one and on three threads, and after restoring a snapshot.
#[test]
fn threads_and_snapshots_do_not_change_what_wind_does() {
    let build = || {
        let gusts = Gusts { strength: 0.8, length: 0.7, seed: 4 };
        let wind = Wind { velocity: DVec3::new(9.0, 2.0, 1.0), gusts, ..Wind::default() };
        let mut world = world(GRAVITY, 1.0 / 60.0, wind);
        for stepper in [Stepper::ImplicitEuler, Stepper::Bdf2, Stepper::Xpbd] {
            let method = MethodConfig { stepper, ..Default::default() };
            world.add_with(soft_plate(1e4), method).unwrap();
        }
        world
    };
    let ran = |threads: usize| {
        let pool = ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            let mut world = build();
            run(&mut world, 15);
            let bytes = world.snapshot();
            run(&mut world, 15);
            let mut again = build();
            again.set_wind(None).unwrap();
            again.restore(&bytes).unwrap();
            run(&mut again, 15);
            assert!(again.snapshot() == world.snapshot());
            world.state_hash()
        })
    };
    assert_eq!(ran(1), ran(3));
}

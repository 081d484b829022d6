//! Bodies that fly farther in a step than what they hit is thick.

use std::sync::Arc;

use glam::{DQuat, DVec3};
use pliant::body::{Body, Model, Pin, RigidConfig, Skin};
use pliant::contact::{ContactLevel, Obstacle};
use pliant::geometry::Shape;
use pliant::internals::Facets;
use pliant::material::Material;
use pliant::mesh::generate::{BoxConfig, box_mesh};
use pliant::solver::{MethodConfig, Stepper};
use pliant::world::{World, WorldConfig};
use pliant_kernels::math::SplitMix;

/// Thickness of the sheet, in m. It measures 1 × 1 m across x.
const THICKNESS: f64 = 0.02;

/// Simulated time, in s.
const SECONDS: f64 = 0.15;

/// Steps per second.
const RATES: [f64; 3] = [15.0, 60.0, 240.0];

fn soft(low: DVec3, size: DVec3, cells: [usize; 3], young: f64) -> Arc<Model> {
    let config =
        BoxConfig { origin: low.to_array(), size: size.to_array(), cells, ..Default::default() };
    let material = Material { young, density: 1000.0, ..Default::default() };
    Arc::new(Model::uniform(box_mesh(&config).unwrap(), material).unwrap())
}

fn soft_sheet(young: f64) -> Arc<Model> {
    let (low, size) = (DVec3::new(-0.5 * THICKNESS, -0.5, -0.5), DVec3::new(THICKNESS, 1.0, 1.0));
    soft(low, size, [1, 6, 6], young)
}

fn rigid_sheet() -> Arc<Model> {
    let half = DVec3::new(0.5 * THICKNESS, 0.5, 0.5);
    Arc::new(Model::rigid_shape(&Shape::Box { half }, 1, RigidConfig::default()).unwrap())
}

/// The sheet, clamped at its four narrow sides or free.
fn sheet(model: &Arc<Model>, clamped: bool) -> Body {
    let sides = if clamped { &["y-", "y+", "z-", "z+"][..] } else { &[] };
    let pin = |side: &&str| Pin {
        nodes: model.mesh().node_set(side).unwrap().nodes.clone(),
        ..Default::default()
    };
    Body::new("sheet", model.clone(), sides.iter().map(pin).collect()).unwrap()
}

fn rigid_ball(velocity: DVec3) -> Body {
    let config = RigidConfig { density: 8000.0, ..Default::default() };
    let model = Model::rigid_shape(&Shape::Sphere { radius: 0.05 }, 2, config).unwrap();
    thrown(Arc::new(model), velocity)
}

/// A soft cube with a side of 0.1 m.
fn soft_cube(velocity: DVec3) -> Body {
    thrown(soft(DVec3::splat(-0.05), DVec3::splat(0.1), [1; 3], 1e6), velocity)
}

/// A body that starts half a metre in front of the sheet, not opposite to one of its nodes.
fn thrown(model: Arc<Model>, velocity: DVec3) -> Body {
    let mut body = Body::new("thrown", model, vec![]).unwrap();
    body.state.x.iter_mut().for_each(|x| *x += DVec3::new(-0.5, 0.031, 0.017));
    body.state.v.fill(velocity);
    body
}

fn momentum(world: &World) -> DVec3 {
    let of = |body: &Body| -> DVec3 {
        body.state.v.iter().zip(body.model().masses()).map(|(v, mass)| *mass * *v).sum()
    };
    world.bodies().map(|(_, body)| of(body)).sum()
}

fn energy(world: &World) -> f64 {
    let energy = world.energy();
    energy.kinetic + energy.elastic
}

/// Throws a body at a sheet. It never comes to the far side of the sheet, no step creates energy beyond a fiftieth of that at the start (the slack of the
/// guards of the steppers), nothing is reset, and a pair that nothing holds keeps its momentum to rounding.
fn hits(what: &str, bodies: [Body; 2], stepper: Stepper, config: WorldConfig) {
    let held = bodies[1].pins().iter().any(|pin| !pin.nodes.is_empty());
    let mut world = World::new(WorldConfig { gravity: DVec3::ZERO, ..config }).unwrap();
    let method = MethodConfig { stepper, ..Default::default() };
    let [ball, sheet] = bodies.map(|body| world.add_with(body, method).unwrap());
    let (momentum_before, energy_before) = (momentum(&world), energy(&world));
    for step in 0..(SECONDS / config.dt).ceil() as u32 {
        world.step();
        let of = |body| &world.get(body).unwrap().state.x;
        let middle = of(ball).iter().sum::<DVec3>() / of(ball).len() as f64;
        let end = of(sheet).iter().map(|x| x.x).fold(f64::NEG_INFINITY, f64::max);
        let beside = middle.y.abs() > 0.5 || middle.z.abs() > 0.5;
        assert!(
            middle.x < end || beside,
            "{what}, step {step}: at {middle}, the sheet ends at {end}"
        );
        let gained = energy(&world) / energy_before;
        assert!(gained < 1.02, "{what}, step {step}: {gained} times the energy");
    }
    let lost = (momentum(&world) - momentum_before).length() / momentum_before.length();
    assert!(held || lost < 1e-9, "{what}: momentum changed by {lost:e}");
    assert_eq!(world.health().resets, 0, "{what}");
}

fn in_all_worlds(mut run: impl FnMut(WorldConfig, &str)) {
    for contact in [ContactLevel::Game, ContactLevel::Safe] {
        for rate in RATES {
            let config = WorldConfig { contact, dt: 1.0 / rate, ..Default::default() };
            run(config, &format!("{contact:?}, 1/{rate} s"));
        }
    }
}

/// A steel ball at 50 and 200 m/s does not pass through a sheet, be it soft or rigid, clamped or free.
#[test]
fn a_bullet_does_not_pass_a_sheet() {
    let sheets = [(soft_sheet(1e6), true), (soft_sheet(1e6), false), (rigid_sheet(), false)];
    in_all_worlds(|config, world| {
        for (model, clamped) in &sheets {
            for speed in [50.0, 200.0] {
                let what =
                    format!("{world}, {speed} m/s, rigid {}, clamped {clamped}", model.is_rigid());
                let bodies = [rigid_ball(speed * DVec3::X), sheet(model, *clamped)];
                hits(&what, bodies, Stepper::default(), config);
            }
        }
    });
}

/// A soft cube thrown at a soft sheet, straight at 60 and askew at 175 m/s, does not pass it, and no step creates energy though shapes change far beyond one
/// linearisation.
#[test]
fn a_soft_cube_at_high_speed_gains_no_energy() {
    let model = soft_sheet(1e6);
    in_all_worlds(|config, world| {
        for velocity in [DVec3::new(60.0, 0.0, 0.0), DVec3::new(150.0, 90.0, 0.0)] {
            let bodies = [soft_cube(velocity), sheet(&model, true)];
            hits(&format!("{world}, {velocity} m/s"), bodies, Stepper::default(), config);
        }
    });
}

/// Soft bars that fall into a pit at 8 m/s, and hit each other in every direction, are neither held up in the air nor gain energy: kinetic, elastic and
/// potential energy together never rise by more than a hundredth of that at the start, and after a second all are below the height of the heap.
#[test]
fn a_crowd_that_falls_fast_is_not_held_up() {
    let bar = soft(DVec3::new(-0.25, -0.1, -0.1), DVec3::new(0.5, 0.2, 0.2), [5, 2, 2], 2e5);
    let mut world =
        World::new(WorldConfig { contact: ContactLevel::Game, ..Default::default() }).unwrap();
    world.add_obstacle(Obstacle::ground(0.6)).unwrap();
    let mut random = SplitMix::new(3);
    let bars: Vec<_> = (0..36)
        .map(|index| {
            let [x, y, z] = [index % 3, index / 9, index / 3 % 3].map(f64::from);
            let turn = DVec3::from([(); 3].map(|()| 0.4 * random.signed_unit()));
            let rotation = DQuat::from_scaled_axis(turn);
            let mut body = Body::new("bar", bar.clone(), vec![]).unwrap();
            let place = DVec3::new(0.6 * x, 0.4 + 0.4 * y, 0.6 * z);
            body.state.x.iter_mut().for_each(|x| *x = place + rotation * *x);
            body.state.v.fill(-8.0 * DVec3::Y);
            world.add(body)
        })
        .collect();
    let total = |world: &World| {
        let energy = world.energy();
        energy.kinetic + energy.elastic + energy.potential
    };
    let mut most = total(&world);
    let slack = 0.01 * most;
    for step in 0..60 {
        world.step();
        let now = total(&world);
        assert!(now < most + slack, "step {step}: {now} J after {most} J");
        most = most.min(now);
    }
    for bar in bars {
        let x = &world.get(bar).unwrap().state.x;
        let height = x.iter().map(|x| x.y).sum::<f64>() / x.len() as f64;
        assert!(height < 1.0, "a bar is {height} m above the ground");
    }
}

/// A stiff cube that falls on a corner at 8 m/s takes a step in which one linearisation would give it five times its energy.
#[test]
fn an_impact_on_a_corner_gains_no_energy() {
    let model = soft(DVec3::splat(-0.15), DVec3::splat(0.3), [4; 3], 3e7);
    for rate in RATES {
        let config = WorldConfig { dt: 1.0 / rate, ..Default::default() };
        let mut world = World::new(config).unwrap();
        world.add_obstacle(Obstacle::ground(0.5)).unwrap();
        let turn = DQuat::from_axis_angle(DVec3::new(1.0, 0.0, 1.0).normalize(), 0.7);
        let mut body = Body::new("cube", model.clone(), vec![]).unwrap();
        body.state.x.iter_mut().for_each(|x| *x = turn * *x + 0.4 * DVec3::Y);
        body.state.v.fill(-8.0 * DVec3::Y);
        world.add(body);
        let total = |world: &World| energy(world) + world.energy().potential;
        let start = total(&world);
        for step in 0..(0.2 * rate) as u32 {
            world.step();
            let now = total(&world);
            assert!(now < 1.02 * start, "1/{rate} s, step {step}: {now} J after {start} J");
        }
    }
}

/// A body is as thick as the way straight through it: a plate 6 mm, whatever its other sides, to rounding; an open surface counts as thick as its spacing.
#[test]
fn thickness_is_the_way_through_a_body() {
    let plate = BoxConfig { size: [0.4, 0.006, 0.3], cells: [4, 1, 3], ..Default::default() };
    let mesh = box_mesh(&plate).unwrap();
    let skin = Skin::of_mesh(&mesh, 1);
    let mut rest = Vec::new();
    skin.interpolate(&mesh.nodes, &mut rest);
    let facets = Facets::new(rest, skin.triangles()).unwrap();
    let least = facets.thickness();
    assert!((least - 0.006).abs() < 1e-12, "{least} m");
    let open = Facets::new(vec![DVec3::ZERO, DVec3::X, DVec3::Y], &[[0, 1, 2]]).unwrap();
    assert_eq!(open.thickness(), open.spacing());
}

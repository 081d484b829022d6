//! The bars of `pliant bench motion` and `pliant bench scoreboard` in Rapier, frame by frame: those commands read what is printed
//! here, and measure all engines alike.
//!
//! ```text
//! pliant-peers motion SETTINGS swing ALONG ACROSS SECONDS         a clamped bar, released under gravity
//! pliant-peers motion SETTINGS rest RATE ALONG ACROSS SECONDS     the same, with velocities damped at RATE per second
//! pliant-peers motion SETTINGS spin RATE ALONG ACROSS SECONDS     a free bar at RATE revolutions per second
//! ```
//!
//! ALONG and ACROSS are the boxes of the mesh, each of five linear tetrahedra.
//! SETTINGS are `default`, or `undamped`: without the damping of the material that Rapier has by default. Each line `row` is a
//! frame, and the first one is the start: the height of the end from its rest, in m; or the angular momentum about the centre, in
//! N·m·s, and the distance of two corners, in m. The line `ms` is the processor time of a frame.

use std::f64::consts::TAU;

use cpu_time::ProcessTime;
use rapier3d::prelude::*;

use crate::theirs::masses;

/// One bar.
struct Bar {
    world: PhysicsWorld,
    body: SoftBodyHandle,
    masses: Vec<f32>,
    rest: Vec<Vector>,
}

/// Size in m; Young's modulus in Pa; gravity in m/s².
struct Case {
    size: [f32; 3],
    young: f32,
    gravity: f32,
    clamped: bool,
}

const CLAMPED: Case = Case { size: [4.0, 1.0, 1.0], young: 1e7, gravity: 9.81, clamped: true };
const FREE: Case = Case { size: [2.0, 0.4, 0.4], young: 1e6, gravity: 0.0, clamped: false };

/// The settings of a run, the same for all motions.
struct Settings {
    /// True for the damping of the material that Rapier has by default.
    damped: bool,
    /// Boxes of the mesh, along and across.
    boxes: [usize; 2],
    seconds: f64,
}

/// Runs the motion that the arguments name, or returns what is wrong with them.
pub fn print(arguments: &[String]) -> Result<(), String> {
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match words[..] {
        [kind, "swing", ref rest @ ..] => swing(&settings(kind, rest)?, 0.0),
        [kind, "rest", rate, ref rest @ ..] => swing(&settings(kind, rest)?, number(rate)?),
        [kind, "spin", rate, ref rest @ ..] => spin(&settings(kind, rest)?, number(rate)?),
        _ => return Err("expected SETTINGS, then `swing`, `rest RATE` or `spin RATE`".into()),
    }
    Ok(())
}

fn number<T: std::str::FromStr>(word: &str) -> Result<T, String> {
    word.parse().map_err(|_| format!("`{word}` is not a number of the expected kind"))
}

fn settings(kind: &str, rest: &[&str]) -> Result<Settings, String> {
    let damped = match kind {
        "default" => true,
        "undamped" => false,
        other => {
            return Err(format!("there are no settings `{other}`: use `default` or `undamped`"));
        }
    };
    let [along, across, seconds] = rest else {
        return Err("expected ALONG ACROSS SECONDS at the end".into());
    };
    Ok(Settings { damped, boxes: [number(along)?, number(across)?], seconds: number(seconds)? })
}

/// The clamped bar, with velocities damped at a rate in 1/s.
fn swing(settings: &Settings, rate: f64) {
    let mut bar = bar(&CLAMPED, settings, rate as f32);
    let end: Vec<usize> = (0..bar.rest.len()).filter(|i| bar.rest[*i].x > 3.999).collect();
    run(&mut bar, settings.seconds, |bar| {
        let body = &bar.world.soft_bodies[bar.body];
        let sum: f32 = end.iter().map(|i| body.particle_position(*i).y - bar.rest[*i].y).sum();
        println!("row {}", sum / end.len() as f32);
    });
}

fn spin(settings: &Settings, rate: f64) {
    let mut bar = bar(&FREE, settings, 0.0);
    let centre = Vector::new(1.0, 0.0, 0.0);
    let omega = Vector::new(0.0, 0.0, (TAU * rate) as f32);
    for i in 0..bar.rest.len() {
        let velocity = omega.cross(bar.rest[i] - centre);
        bar.world.soft_bodies[bar.body].set_particle_velocity(i, velocity);
    }
    let corner = |x: f32| {
        let at = Vector::new(x, -0.2, -0.2);
        bar.rest.iter().position(|rest| (*rest - at).length() < 1e-4).expect("a corner of the bar")
    };
    let corners = [corner(0.0), corner(2.0)];
    run(&mut bar, settings.seconds, |bar| {
        let body = &bar.world.soft_bodies[bar.body];
        let centre = body.center_of_mass();
        let momenta = bar.masses.iter().enumerate().map(|(i, mass)| {
            let arm = body.particle_position(i) - centre;
            f64::from(*mass) * f64::from(arm.cross(body.particle_velocity(i)).z)
        });
        let [a, b] = corners.map(|corner| body.particle_position(corner));
        println!("row {} {}", momenta.sum::<f64>(), (a - b).length());
    });
}

/// Steps a bar and prints a row at the start and after every frame, then the time of a frame.
fn run(bar: &mut Bar, seconds: f64, row: impl Fn(&Bar)) {
    row(bar);
    let frames = (60.0 * seconds).round() as usize;
    let mut spent = 0.0;
    for _ in 0..frames {
        let begin = ProcessTime::now();
        bar.world.step();
        spent += begin.elapsed().as_secs_f64();
        row(bar);
    }
    println!("ms {}", 1e3 * spent / frames.max(1) as f64);
}

/// Rapier's own cuboid of linear, corotational tetrahedra under its `fem` solver, with its default settings.
fn bar(case: &Case, settings: &Settings, linear_damping: f32) -> Bar {
    let mut world = PhysicsWorld::new();
    world.gravity = Vector::new(0.0, -case.gravity, 0.0);
    world.integration_parameters.dt = 1.0 / 60.0;
    world.configure_thread_pool(1).expect("a thread");
    let [x, y, z] = case.size.map(|side| 0.5 * side);
    let [i, j] = settings.boxes.map(|boxes| boxes + 1);
    let builder = SoftBodyBuilder::cuboid(Vector::new(x, 0.0, 0.0), Vector::new(x, y, z), i, j, j);
    let rest = builder.particle_positions().to_vec();
    let masses = masses(&builder.cells, &rest);
    let held = (0..rest.len() as u32).filter(|i| case.clamped && rest[*i as usize].x < 1e-4);
    let (poisson_ratio, default) = (0.3, SoftBodyMaterial::default());
    let elastic_damping_ratio = if settings.damped { default.elastic_damping_ratio } else { 0.0 };
    let material = SoftBodyMaterial {
        young_modulus: case.young,
        poisson_ratio,
        elastic_damping_ratio,
        ..default
    };
    let builder = builder
        .masses(masses.clone())
        .cell_model(SoftBodyCellModel::Corotational)
        .material(material)
        .solver(SoftBodySolver::Fem)
        .no_surface_collider()
        .can_sleep(false)
        .linear_damping(linear_damping)
        .pinned_particles(held);
    let body = world.insert_soft_body(builder);
    Bar { world, body, masses, rest }
}

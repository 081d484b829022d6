//! The two bars of `pliant bench motion` in Rapier, frame by frame: that command reads what is printed here, and measures all
//! engines alike.
//!
//! ```text
//! pliant-peers motion SETTINGS swing SECONDS          a clamped bar, released under gravity
//! pliant-peers motion SETTINGS spin RATE SECONDS      a free bar at RATE revolutions per second
//! ```
//!
//! SETTINGS are `default`, or `undamped`: without the damping of the material that Rapier has by default. Each line `row` is a
//! frame, and the first one is the start: the height of the end from its rest, in m; or the angular momentum about the centre, in
//! N·m·s, and the distance of two corners, in m. The line `ms` is the time of a frame.

use std::f64::consts::TAU;
use std::time::Instant;

use rapier3d::prelude::*;

use crate::theirs::masses;

/// One bar.
struct Bar {
    world: PhysicsWorld,
    body: SoftBodyHandle,
    masses: Vec<f32>,
    rest: Vec<Vector>,
}

/// Size in m and boxes of the mesh; Young's modulus in Pa; gravity in m/s².
struct Case {
    size: [f32; 3],
    boxes: [usize; 3],
    young: f32,
    gravity: f32,
    clamped: bool,
}

/// As many nodes as the quadratic bars of Pliant.
const SWING: Case =
    Case { size: [4.0, 1.0, 1.0], boxes: [16, 4, 4], young: 1e7, gravity: 9.81, clamped: true };
const SPIN: Case =
    Case { size: [2.0, 0.4, 0.4], boxes: [20, 2, 2], young: 1e6, gravity: 0.0, clamped: false };

/// Runs the motion that the arguments name, or returns what is wrong with them.
pub fn print(arguments: &[String]) -> Result<(), String> {
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let number = |word: &str| word.parse::<f64>().map_err(|_| format!("`{word}` is no number"));
    let damped = |settings: &str| match settings {
        "default" => Ok(true),
        "undamped" => Ok(false),
        other => Err(format!("there are no settings `{other}`: use `default` or `undamped`")),
    };
    match words[..] {
        [settings, "swing", seconds] => swing(damped(settings)?, number(seconds)?),
        [settings, "spin", rate, seconds] => {
            spin(damped(settings)?, number(rate)?, number(seconds)?);
        }
        _ => return Err("expected SETTINGS swing SECONDS, or SETTINGS spin RATE SECONDS".into()),
    }
    Ok(())
}

fn swing(damped: bool, seconds: f64) {
    let mut bar = bar(&SWING, damped);
    let end: Vec<usize> = (0..bar.rest.len()).filter(|i| bar.rest[*i].x > 3.999).collect();
    run(&mut bar, seconds, |bar| {
        let body = &bar.world.soft_bodies[bar.body];
        let sum: f32 = end.iter().map(|i| body.particle_position(*i).y - bar.rest[*i].y).sum();
        println!("row {}", sum / end.len() as f32);
    });
}

fn spin(damped: bool, rate: f64, seconds: f64) {
    let mut bar = bar(&SPIN, damped);
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
    run(&mut bar, seconds, |bar| {
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
        let begin = Instant::now();
        bar.world.step();
        spent += begin.elapsed().as_secs_f64();
        row(bar);
    }
    println!("ms {}", 1e3 * spent / frames.max(1) as f64);
}

/// Rapier's own cuboid of linear, corotational tetrahedra under its `fem` solver, with its default settings.
fn bar(case: &Case, damped: bool) -> Bar {
    let mut world = PhysicsWorld::new();
    world.gravity = Vector::new(0.0, -case.gravity, 0.0);
    world.integration_parameters.dt = 1.0 / 60.0;
    world.configure_thread_pool(1).expect("a thread");
    let [x, y, z] = case.size.map(|side| 0.5 * side);
    let [i, j, k] = case.boxes.map(|boxes| boxes + 1);
    let builder = SoftBodyBuilder::cuboid(Vector::new(x, 0.0, 0.0), Vector::new(x, y, z), i, j, k);
    let rest = builder.particle_positions().to_vec();
    let masses = masses(&builder.cells, &rest);
    let held = (0..rest.len() as u32).filter(|i| case.clamped && rest[*i as usize].x < 1e-4);
    let (poisson_ratio, default) = (0.3, SoftBodyMaterial::default());
    let elastic_damping_ratio = if damped { default.elastic_damping_ratio } else { 0.0 };
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
        .pinned_particles(held);
    let body = world.insert_soft_body(builder);
    Bar { world, body, masses, rest }
}

//! Motion under default settings at 60 steps per second: swing and spin are kept, bodies neither grow nor break by turning, and steps
//! that would create energy are damped.

use std::f64::consts::TAU;

use crate::common::{free_body, held_body, run};
use glam::DVec3;
use pliant::body::Body;
use pliant::material::{LawKind, Material, Preset};
use pliant::mesh::Mesh;
use pliant::mesh::generate::{BoxConfig, Split, box_mesh};
use pliant::solver::{Mass, MethodConfig, Stepper};
use pliant::world::{BodyHandle, EventKind, World, WorldConfig};

const FRAME: f64 = 1.0 / 60.0;

fn bar(size: [f64; 3], cells: [usize; 3]) -> Mesh {
    let split = Split::Tet5;
    box_mesh(&BoxConfig { size, cells, split, degree: 2, ..Default::default() }).unwrap()
}

fn material(law: LawKind, young: f64) -> Material {
    Material { law, young, poisson: 0.3, density: 1000.0, ..Default::default() }
}

/// The heights of the end of a clamped bar of 4 × 1 × 1 m, relative to its start, after every step for 3 s of gravity.
fn swing(method: MethodConfig, h: f64) -> Vec<f64> {
    let mesh = bar([4.0, 1.0, 1.0], [8, 2, 2]);
    let body = held_body(mesh, material(LawKind::RestStable, 1e7), &["x-"]);
    let end = body.model().locate(DVec3::new(4.0, 0.5, 0.5)).unwrap();
    let mut world = World::new(WorldConfig { dt: h, ..Default::default() }).unwrap();
    let bar = world.add_with(body, method).unwrap();
    let mut heights = vec![0.0];
    for _ in 0..(3.0 / h).round() as usize {
        world.step();
        heights.push(end.position(&world[bar].state.x).y - 0.5);
    }
    heights
}

/// The lowest points of a motion and their times, by parabolas through three heights.
fn lows(heights: &[f64], h: f64) -> Vec<(f64, f64)> {
    let mut lows = Vec::new();
    for (k, three) in heights.windows(3).enumerate() {
        let [a, b, c] = [three[0], three[1], three[2]];
        if b < a && b <= c {
            let (slope, bend) = (0.5 * (c - a), a - 2.0 * b + c);
            let shift = -slope / bend;
            lows.push(((k as f64 + 1.0 + shift) * h, b - 0.5 * slope * slope / bend));
        }
    }
    lows
}

/// A clamped bar swings as in steps of 1/480 s of the midpoint rule, which has no damping: it loses at most 1 % of its amplitude in a
/// period, its period is within 0.5 % and its first peak within 2.5 %. These are limits of what a user sees; the errors are a tenth
/// of them.
#[test]
fn a_swinging_bar_keeps_its_amplitude_and_period() {
    let exact = MethodConfig {
        stepper: Stepper::Variational,
        tolerance: 1e-6,
        max_iterations: 2000,
        ..Default::default()
    };
    let reference = lows(&swing(exact, 1.0 / 480.0), 1.0 / 480.0);
    let found = lows(&swing(MethodConfig::default(), FRAME), FRAME);
    let period = |lows: &[(f64, f64)]| lows[1].0 - lows[0].0;
    let [own, true_one] = [&found, &reference].map(|lows| period(lows));
    let (peak, lost) = (found[0].1 / reference[0].1 - 1.0, 1.0 - found[1].1 / found[0].1);
    let true_loss = 1.0 - reference[1].1 / reference[0].1;
    println!(
        "period {:+.2} %, peak {:+.2} %, lost {:.2} % ({:.2} %)",
        1e2 * (own / true_one - 1.0),
        1e2 * peak,
        1e2 * lost,
        1e2 * true_loss
    );
    assert!((own / true_one - 1.0).abs() < 0.005, "{own} s of {true_one} s");
    assert!(peak.abs() < 0.025, "{peak}");
    assert!((lost - true_loss).abs() < 0.01, "{lost} of {true_loss}");
}

/// The default tolerance does not change the motion, however short the steps: with 40 substeps the bar swings as with exact solves,
/// within 0.1 % of its first peak.
#[test]
fn short_steps_need_no_other_tolerance() {
    let peak = |tolerance| {
        let (stepper, substeps) = (Stepper::ImplicitEuler, Some(40));
        let method = MethodConfig { stepper, substeps, tolerance, ..Default::default() };
        lows(&swing(method, FRAME), FRAME).iter().map(|low| low.1).collect::<Vec<_>>()
    };
    let (own, exact) = (peak(MethodConfig::default().tolerance), peak(1e-7));
    for (own, exact) in own.iter().zip(&exact) {
        println!("{own} m of {exact} m");
        assert!((own / exact - 1.0).abs() < 1e-3, "{own} m of {exact} m");
    }
}

/// A free bar of 2 × 0.4 × 0.4 m that spins about a short axis, without gravity.
fn spinning(law: LawKind, young: f64, rate: f64, method: MethodConfig) -> (World, BodyHandle) {
    let mut body = free_body(bar([2.0, 0.4, 0.4], [10, 1, 1]), material(law, young));
    body.set_motion(DVec3::ZERO, TAU * rate * DVec3::Z).unwrap();
    let config = WorldConfig { gravity: DVec3::ZERO, ..Default::default() };
    let mut world = World::new(config).unwrap();
    let bar = world.add_with(body, method).unwrap();
    (world, bar)
}

fn length(body: &Body) -> f64 {
    let ends = ["x-", "x+"].map(|name| {
        let nodes = &body.model().mesh().node_set(name).unwrap().nodes;
        let sum: DVec3 = nodes.iter().map(|node| body.state.x[*node as usize]).sum();
        sum / nodes.len() as f64
    });
    ends[0].distance(ends[1])
}

fn energy(world: &World) -> f64 {
    world.energy().elastic + world.energy().kinetic
}

/// A spinning bar keeps its angular momentum, for soft and stiff materials of three laws, at one and five turns per second; its total
/// energy never rises by 1 %, and it is never reset. A stiff bar keeps its length: it must not grow by √(1 + (ω h)²), 0.5 % at one
/// turn and 13 % at five.
#[test]
fn a_spinning_bar_keeps_its_spin() {
    for law in [LawKind::RestStable, LawKind::Corotated, LawKind::Smith] {
        for young in [1e5, 1e7, 1e9] {
            for (rate, kept) in [(1.0, 0.995), (5.0, 0.98)] {
                let (mut world, bar) = spinning(law, young, rate, MethodConfig::default());
                let (start, before) = (world.angular_momentum().z, energy(&world));
                for step in 0..60 {
                    world.step();
                    let share = energy(&world) / before;
                    assert!(share < 1.01, "{law} {young:e}, {rate}/s, step {step}: {share}");
                }
                let share = world.angular_momentum().z / start;
                assert!(share > kept && share < 1.001, "{law} {young:e}, {rate}/s: {share}");
                assert_eq!(world.health().resets, 0, "{law} {young:e}, {rate}/s");
                if young == 1e9 {
                    let grown = length(&world[bar]) / 2.0 - 1.0;
                    // The centrifugal strain ρ ω² L²/8E is 0.05 % at five turns.
                    assert!(grown.abs() < 1e-3, "{law}, {rate}/s: {grown}");
                }
            }
        }
    }
}

/// A tumbling plate of 2 × 0.4 × 0.1 m does not gain energy, however its motion is resolved: soft, so that it stretches by half and one
/// linearisation of corotated cells is inaccurate; and stiff, so that it turns like a rigid body, whose angular velocity changes in
/// every step. It keeps its angular momentum, and is not reset.
#[test]
fn a_tumbling_plate_gains_no_energy() {
    for (young, dt, steps) in [(1e6, 1.0 / 240.0, 120), (1e9, FRAME, 20)] {
        for axis in [DVec3::new(0.5, 0.7, 0.4), DVec3::new(1e-3, 1.0, 1e-3)] {
            let plate = bar([2.0, 0.4, 0.1], [5, 1, 1]);
            let mut body = free_body(plate, material(LawKind::Corotated, young));
            body.set_motion(DVec3::ZERO, 5.0 * TAU * axis.normalize()).unwrap();
            let config = WorldConfig { gravity: DVec3::ZERO, dt, ..Default::default() };
            let mut world = World::new(config).unwrap();
            world.add_with(body, MethodConfig::default()).unwrap();
            let (spin, before) = (world.angular_momentum(), energy(&world));
            for step in 0..steps {
                world.step();
                let share = energy(&world) / before;
                assert!(share < 1.02, "{young:e}, {axis}, step {step}: {share}");
            }
            let change = world.angular_momentum().distance(spin) / spin.length();
            assert!(change < 1e-9, "{young:e}, {axis}: {change}");
            assert_eq!(world.health().resets, 0, "{young:e}, {axis}");
        }
    }
}

/// Bars of glass that turn do not break: at one and five turns per second the centrifugal stress ρ ω² L²/8 is 0.05 and 1.2 MPa, far
/// below their strength. Every implicit stepper shows only this stress; a growth of 0.5 % would be 350 MPa.
#[test]
fn glass_does_not_break_by_turning() {
    for stepper in [
        Stepper::Bdf2,
        Stepper::ImplicitEuler,
        Stepper::BaraffWitkin,
        Stepper::Variational,
        Stepper::BackwardEuler,
    ] {
        for rate in [1.0, 5.0] {
            let config = BoxConfig {
                size: [2.0, 0.4, 0.4],
                cells: [10, 2, 2],
                split: Split::Tet5,
                ..Default::default()
            };
            let glass = Preset::ALL.iter().find(|preset| preset.name == "glass").unwrap();
            let glass = Material { toughness: glass.toughness, ..glass.material };
            let mut body = free_body(box_mesh(&config).unwrap(), glass);
            body.set_motion(DVec3::ZERO, TAU * rate * DVec3::Z).unwrap();
            let config = WorldConfig { gravity: DVec3::ZERO, ..Default::default() };
            let mut world = World::new(config).unwrap();
            world.add_with(body, MethodConfig { stepper, ..Default::default() }).unwrap();
            run(&mut world, 60);
            assert_eq!(world.bodies().count(), 1, "{} at {rate}/s", stepper.name());
            assert_eq!(world.health().resets, 0, "{} at {rate}/s", stepper.name());
        }
    }
}

/// A bar whose nodes are thrown at random up to 30 m/s, a third of a cell in a step, is beyond one linearisation. No stepper that solves
/// systems gains energy from it: the guard takes such steps again with Euler, reports each by an event and counts them.
#[test]
fn steps_that_create_energy_are_damped() {
    let mut damped = 0;
    for stepper in [Stepper::Bdf2, Stepper::Variational, Stepper::Newmark, Stepper::BackwardEuler] {
        let method = MethodConfig { stepper, mass: Mass::Lumped, ..Default::default() };
        let (mut world, bar) = spinning(LawKind::Smith, 1e6, 5.0, method);
        let mut random = crate::common::Random::new(5);
        world[bar].state.v.iter_mut().for_each(|v| *v += 30.0 * random.vector());
        let before = energy(&world);
        let (mut events, mut largest) = (0, 0.0_f64);
        for _ in 0..120 {
            world.step();
            largest = largest.max(energy(&world) / before);
            let kinds = world.events().iter().map(|event| event.kind);
            events += kinds.filter(|kind| matches!(kind, EventKind::Damped { .. })).count();
        }
        println!("{}: {} damped, energy {largest:.3}", stepper.name(), world.health().fallbacks);
        // The slack of the guard is 2 % of the energy.
        assert!(largest < 1.03, "{}: {largest}", stepper.name());
        assert_eq!(world.health().resets, 0, "{}", stepper.name());
        assert!(events <= world.health().fallbacks, "{}", stepper.name());
        assert_eq!(events > 0, world.health().fallbacks > 0, "{}", stepper.name());
        damped += world.health().fallbacks;
    }
    assert!(damped > 0, "no step was violent enough to test the guard");
}

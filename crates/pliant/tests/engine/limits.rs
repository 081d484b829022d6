//! Limits on the work of a step, and the properties that hold in spite of them.

use std::sync::Arc;
use std::time::Duration;

use glam::DVec3;
use pliant::body::{Body, Model};
use pliant::contact::ContactLevel;
use pliant::material::{LawKind, Material, Toughness};
use pliant::mesh::generate::{BoxConfig, Split, box_mesh};
use pliant::solver::LinearReport;
use pliant::world::{BodyHandle, Budget, StepLimits, StepReport, World, WorldConfig};

fn glass(toughness: f64) -> Material {
    Material {
        law: LawKind::Corotated,
        young: 3e7,
        poisson: 0.22,
        density: 1500.0,
        toughness: Some(Toughness::new(toughness)),
        ..Default::default()
    }
}

/// A pane of one layer of cells, stiff for steps of 1/60 s: a sound wave crosses a cell fifty times per step.
fn pane(material: Material) -> Body {
    let (size, cells) = ([1.0, 1.8, 0.05], [6, 10, 1]);
    let config = BoxConfig { size, cells, split: Split::Tet5, ..Default::default() };
    let model = Model::uniform(box_mesh(&config).unwrap(), material).unwrap();
    Body::new("pane", Arc::new(model), vec![]).unwrap()
}

fn in_space() -> World {
    let (gravity, contact) = (DVec3::ZERO, ContactLevel::Off);
    World::new(WorldConfig { gravity, contact, sleep: None, ..Default::default() }).unwrap()
}

fn energy(world: &World) -> f64 {
    world.energy().elastic + world.energy().kinetic
}

/// A stiff vibrating body gains no energy, however early its linear solves are stopped: each solve starts from a
/// guess that adds no energy, and every iteration lowers it. That is the energy of the linearised step; 1 % is
/// allowed for rotations, which move along tangents there.
#[test]
fn few_iterations_lead_nowhere_else() {
    for most in [1, 2, 4, 16] {
        let mut world = in_space();
        let mut body = pane(glass(1e12));
        let (x, v) = (&body.state.x, &mut body.state.v);
        for (v, x) in v.iter_mut().zip(x) {
            let shake =
                DVec3::new((9.0 * x.y).sin(), (7.0 * x.x).cos(), (5.0 * x.x + 8.0 * x.y).sin());
            *v = 2.0 * shake;
        }
        world.add(body);
        world.set_limits(StepLimits { iterations: Some(most), ..Default::default() });
        let begin = energy(&world);
        let mut cut = 0;
        for step in 0..120 {
            let report = world.step();
            cut += report.compromises.solves;
            assert_eq!(
                report.linear.unconverged, 0,
                "a solve that the limit cut short must not count as unconverged"
            );
            assert!(
                energy(&world) < 1.01 * begin,
                "{most}: {:.3} in step {step}",
                energy(&world) / begin
            );
        }
        assert!(most == 16 || cut > 0, "{most} iterations must be too few for this body");
    }
}

/// Bars whose halves fly apart.
fn bars(count: usize) -> (World, Vec<BodyHandle>) {
    let mut world = in_space();
    let handles = (0..count).map(|place| {
        let config = BoxConfig { size: [4.0, 1.0, 1.0], cells: [8, 2, 2], ..Default::default() };
        let material = Material { toughness: Some(Toughness::new(1e4)), ..Default::default() };
        let model = Model::uniform(box_mesh(&config).unwrap(), material).unwrap();
        let mut body = Body::new(format!("bar {place}"), Arc::new(model), vec![]).unwrap();
        let speed = 20.0 + place as f64;
        for (v, x) in body.state.v.iter_mut().zip(&mut body.state.x) {
            *v = speed * (x.x - 2.0).signum() * DVec3::X;
            x.z += 3.0 * place as f64;
        }
        world.add(body)
    });
    let handles = handles.collect();
    (world, handles)
}

/// With a limit of one break per step at most one body breaks in each step, the others are reported as postponed, and
/// in the end all are broken: no break is lost. A snapshot with postponed breaks continues with the same bits.
#[test]
fn breaks_are_put_off_and_not_lost() {
    let (mut world, handles) = bars(4);
    world.set_limits(StepLimits { breaks: Some(1), ..Default::default() });
    let mut put_off = 0;
    for _ in 0..60 {
        let report = world.step();
        assert!(world.breaks().len() <= 1 && report.broken as usize == world.breaks().len());
        if report.compromises.breaks > 0 && put_off == 0 {
            let snapshot = world.snapshot();
            let (mut other, _) = bars(4);
            other.restore(&snapshot).unwrap();
            other.set_limits(world.limits());
            let mut same = world.clone();
            for _ in 0..10 {
                same.step();
                other.step();
            }
            assert_eq!(same.state_hash(), other.state_hash());
        }
        put_off += report.compromises.breaks;
    }
    assert!(put_off > 0, "several bars must want to break in the same step");
    for bar in handles {
        assert!(world.pieces(bar).count() > 1, "{bar:?}");
    }
}

/// The duration of a step, in s, on a machine that the controller does not know.
fn cost(unknowns: f64, iterations: f64, breaks: f64) -> f64 {
    0.7e-6 * unknowns + 25e-9 * unknowns * iterations + 4e-3 * breaks
}

/// A budget keeps 99 of 100 steps within its time, from the first collapse on, although they would take several times
/// as long without it; and it does not limit steps that take less.
#[test]
fn a_budget_is_kept() {
    let mut budget = Budget::new(Duration::from_millis(8));
    let (mut late, mut waiting) = (0, 0.0);
    for step in 0..500 {
        let StepLimits { iterations, breaks, .. } = budget.limits();
        let granted = f64::from(iterations.unwrap());
        // A quiet scene; then everything breaks and falls into a heap; then the heap sleeps.
        let (unknowns, wanted, broken) = match step {
            0..100 => (1200.0, 10.0, 0.0),
            100..120 => (1200.0 + 20.0 * f64::from(step - 100), 60.0, 8.0),
            120..300 => (1700.0, 700.0, f64::from(step % 3)),
            _ => (0.0, 0.0, 0.0),
        };
        waiting += broken;
        let broken = f64::min(waiting, f64::from(breaks.unwrap()));
        waiting -= broken;
        let taken = f64::min(wanted, granted);
        assert!(
            step >= 100 || taken == wanted,
            "step {step} has time for all iterations, but only {granted} were allowed"
        );
        let took = cost(unknowns, taken, broken);
        late += u32::from(took > 8e-3);
        let linear = LinearReport {
            unknowns: unknowns as usize,
            work: (unknowns * taken) as u64,
            iterations: taken as u32,
            ..Default::default()
        };
        let report = StepReport { linear, broken: broken as u32, ..Default::default() };
        budget.note(Duration::from_secs_f64(took), &report);
    }
    assert!(late <= 5, "{late} of 500 steps were late");
    assert!(waiting < 1.0, "{waiting} breaks are still waiting");
}

/// A bar of rubber, `place` m to the side, that spins and vibrates as it falls.
fn wobbling(place: f64) -> Body {
    let config = BoxConfig { size: [2.0, 0.5, 0.5], cells: [6, 2, 2], ..Default::default() };
    let material = Material { law: LawKind::Corotated, young: 1e5, ..Default::default() };
    let model = Model::uniform(box_mesh(&config).unwrap(), material).unwrap();
    let mut body = Body::new(format!("bar at {place}"), Arc::new(model), vec![]).unwrap();
    for (v, x) in body.state.v.iter_mut().zip(&mut body.state.x) {
        *v = DVec3::new((3.0 * x.x).sin(), x.x - 1.0, (2.0 * x.y).cos());
        x.z += place;
    }
    body
}

/// A world with these bodies at half rate.
fn halved(config: WorldConfig, bodies: impl IntoIterator<Item = Body>) -> (World, Vec<BodyHandle>) {
    let mut world = World::new(config).unwrap();
    let handles = bodies.into_iter().map(|body| world.add(body)).collect();
    world.set_limits(StepLimits { half_rate: true, ..Default::default() });
    (world, handles)
}

fn momentum(world: &World) -> DVec3 {
    let of = |body: &Body| -> DVec3 {
        body.state.v.iter().zip(body.model().masses()).map(|(v, m)| *m * *v).sum()
    };
    world.bodies().map(|(_, body)| of(body)).sum()
}

/// At half rate a body has, after every second step, exactly the state that steps of twice the length give, and
/// halfway between it is in the middle (to rounding). Its momentum changes by its weight in every step, so it neither
/// jumps nor lags. Two bodies take turns.
#[test]
fn half_rate_is_steps_of_twice_the_length() {
    let config = WorldConfig { sleep: None, ..Default::default() };
    let (mut world, handles) = halved(config, [wobbling(0.0), wobbling(3.0)]);
    let mut twice = World::new(WorldConfig { dt: 2.0 * config.dt, ..config }).unwrap();
    let other = twice.add(wobbling(0.0));
    let begin = momentum(&world);
    let mass: f64 = world.bodies().map(|(_, body)| body.model().mass()).sum();
    for step in 1..=40 {
        let before = world.get(handles[0]).unwrap().state.clone();
        let report = world.step();
        assert_eq!(
            report.compromises.finished_double_steps,
            u32::from(step > 1),
            "the two bodies must take turns"
        );
        let expected = begin + mass * world.time() * config.gravity;
        // Rounding of sums of a few hundred terms.
        let off = (momentum(&world) - expected).length() / (mass * 10.0);
        assert!(off < 1e-12, "{off:e} in step {step}");
        let now = &world.get(handles[0]).unwrap().state;
        if step % 2 == 1 {
            twice.step();
            let end = &twice.get(other).unwrap().state;
            let middle = before.x.iter().zip(&end.x).map(|(a, b)| 0.5 * (*a + *b));
            assert!(now.x.iter().zip(middle).all(|(x, middle)| x.distance(middle) < 1e-14));
        } else {
            assert_eq!(*now, twice.get(other).unwrap().state, "step {step}");
        }
    }
}

/// A change of velocity in the middle of a double step takes effect there: afterwards the momentum is that of the
/// push and the weight, to rounding.
#[test]
fn a_push_ends_a_leap_where_it_is() {
    let config = WorldConfig { sleep: None, ..Default::default() };
    let (mut world, handles) = halved(config, [wobbling(0.0), wobbling(3.0)]);
    let (mass, begin) = (2.0 * world.get(handles[0]).unwrap().model().mass(), momentum(&world));
    world.step();
    let push = DVec3::new(3.0, 0.5, -1.0);
    world.get_mut(handles[0]).unwrap().state.v.iter_mut().for_each(|v| *v += push);
    for _ in 0..9 {
        world.step();
        let expected = begin + 0.5 * mass * push + mass * world.time() * config.gravity;
        let off = (momentum(&world) - expected).length() / (mass * 10.0);
        assert!(off < 1e-12, "{off:e}");
    }
}

/// Bodies at half rate collide correctly: momentum is conserved (1e-9, the error of the solver), no energy is gained
/// (1e-3), and they end up apart. A snapshot in the middle of a double step, and any number of threads, give the same
/// bits.
#[test]
fn what_leaps_meets_what_does_not() {
    let bodies = || {
        let toward = |place: f64, speed: f64| {
            let mut body = wobbling(place);
            body.state.v.fill(speed * DVec3::Z);
            body
        };
        [toward(0.0, 4.0), toward(1.5, -4.0), toward(9.0, 0.5)]
    };
    let config = WorldConfig { gravity: DVec3::ZERO, sleep: None, ..Default::default() };
    let run = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            let (mut world, handles) = halved(config, bodies());
            let (begin, energy_before) = (momentum(&world), energy(&world));
            let (mut halves, mut middle) = (0, Vec::new());
            for step in 0..60 {
                halves += world.step().compromises.finished_double_steps;
                assert!((momentum(&world) - begin).length() < 1e-9 * begin.length());
                assert!(energy(&world) < 1.001 * energy_before, "in step {step}");
                if step == 6 {
                    middle = world.snapshot();
                }
            }
            assert!(halves > 20, "the bodies must be stepped at half rate: {halves}");
            let [first, second] = [0, 1].map(|k| &world.get(handles[k]).unwrap().state.x);
            let top = first.iter().map(|x| x.z).fold(f64::MIN, f64::max);
            let bottom = second.iter().map(|x| x.z).fold(f64::MAX, f64::min);
            assert!(top < bottom, "the bodies must bounce off each other: {top} and {bottom} m");
            let (mut again, _) = halved(config, bodies());
            again.restore(&middle).unwrap();
            (7..60).for_each(|_| _ = again.step());
            assert_eq!(again.state_hash(), world.state_hash());
            world.state_hash()
        })
    };
    assert_eq!(run(1), run(2));
}

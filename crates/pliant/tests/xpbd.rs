//! Position-based dynamics: constraints are those of the laws, a substep is one of implicit Euler, and
//! nothing that is done to a body keeps it from coming back.
#![allow(clippy::unwrap_used, reason = "tests may panic")]

mod common;

use common::{
    Random, all_kinds, all_splits, crumpled, free_body, held_body, jittered, largest, model, soft,
};
use glam::DVec3;
use pliant::body::{Body, Dilation, Model, ModelConfig};
use pliant::constraint::{CellConstraints, SharedPoints, Sweep};
use pliant::contact::Obstacle;
use pliant::force::Width;
use pliant::material::{LawKind, Material};
use pliant::mesh::generate::Split;
use pliant::solver::{
    AdaptiveConfig, Mass, MethodConfig, MethodError, Projection, Rayleigh, Rotation, StaticConfig, Stepper,
};
use pliant::world::{Handle, World, WorldConfig};

fn xpbd() -> MethodConfig {
    MethodConfig { stepper: Stepper::Xpbd, ..Default::default() }
}

fn still() -> WorldConfig {
    WorldConfig { gravity: DVec3::ZERO, ..Default::default() }
}

fn world_with(config: WorldConfig, body: Body, method: MethodConfig) -> (World, Handle) {
    let mut world = World::new(config).unwrap();
    let handle = world.add_with(body, method).unwrap();
    (world, handle)
}

/// Velocities after one substep of length `h` from a body stretched by a few percent.
fn stretched_substep(body: &Body, h: f64, method: MethodConfig) -> Vec<DVec3> {
    let config = WorldConfig { dt: h, substeps: Some(1), ..still() };
    let (mut world, handle) = world_with(config, body.clone(), method);
    world.step();
    world.body(handle).unwrap().state.v.clone()
}

/// Largest difference between one substep of XPBD and one of backward Euler, as a share of the change of
/// velocity.
fn off_backward_euler(body: &Body, h: f64, projection: Projection) -> f64 {
    let newton = MethodConfig {
        stepper: Stepper::BackwardEuler,
        tolerance: 1e-10,
        max_iterations: 2000,
        // Corotated constraints turn at every point.
        rotation: Rotation::Point,
        ..Default::default()
    };
    let exact = stretched_substep(body, h, newton);
    let swept = stretched_substep(body, h, MethodConfig { projection, sweeps: 400, ..xpbd() });
    let error = largest(swept.iter().zip(&exact).map(|(a, b)| *a - *b));
    error / largest(exact.iter().copied())
}

fn stretched_body(split: Split, degree: usize, law: LawKind) -> Body {
    let mut body = free_body(crumpled(split, degree, [2, 1, 1]), soft(law));
    let stretch = |x: &mut DVec3| *x += DVec3::new(0.03 * x.x, -0.01 * x.y, 0.02 * x.x * x.y);
    body.state.x.iter_mut().for_each(stretch);
    body
}

/// In the limit of many sweeps a substep is one of backward Euler: so the constraints of every law and
/// kind of cell, their gradients and their compliances are those of its energy. The two differ by the
/// change of the gradients within the substep, which goes with h². At 1 ms, in which the stiffest wave
/// of these bodies crosses a twentieth of a cell, less than 1e-3 is left; a wrong factor anywhere
/// would leave the change of velocity itself.
#[test]
fn many_sweeps_make_a_step_of_backward_euler() {
    for (split, degree) in all_kinds() {
        for law in LawKind::ALL {
            let body = stretched_body(split, degree, law);
            for projection in Projection::ALL {
                let off = off_backward_euler(&body, 1e-3, projection);
                // Multipliers of Macklin & Müller are as large as the moduli, also at rest.
                let limit = if law == LawKind::MacklinMuller { 4e-3 } else { 1e-3 };
                assert!(off < limit, "{split:?} {degree}, {law}, {projection:?}: {off:.1e}");
            }
        }
    }
}

/// And what is left falls by four when the substep is halved.
#[test]
fn the_difference_to_backward_euler_goes_with_the_square_of_the_substep() {
    for law in LawKind::ALL.into_iter().filter(|law| *law != LawKind::Linear) {
        let body = stretched_body(Split::Tet5, 2, law);
        for projection in Projection::ALL {
            let [long, short] = [2e-3, 1e-3].map(|h| off_backward_euler(&body, h, projection));
            let order = (long / short).log2();
            assert!(order > 1.7, "{law}, {projection:?}: order {order:.2} ({long:.1e}, {short:.1e})");
        }
    }
}

/// Neither constraint of a cell pulls at rest, but for those of Macklin & Müller, which only balance:
/// solved together they do, to rounding; one after the other they leave the body trembling.
#[test]
fn a_body_at_rest_stays_at_rest() {
    for (split, degree) in all_splits() {
        for law in LawKind::ALL {
            for projection in Projection::ALL {
                let body = free_body(crumpled(split, degree, [2, 1, 1]), soft(law));
                let rest = body.state.x.clone();
                let (mut world, handle) =
                    world_with(still(), body, MethodConfig { projection, ..xpbd() });
                common::run(&mut world, 10);
                let x = &world.body(handle).unwrap().state.x;
                let moved = largest(x.iter().zip(&rest).map(|(x, rest)| *x - *rest));
                let balances = law == LawKind::MacklinMuller;
                // Rounding of positions of one metre, amplified by inverse cell sizes in 200 substeps.
                let limit = if balances { 1e-6 } else { 1e-11 };
                let trembles = balances && projection == Projection::Separate;
                let sound = if trembles { moved > 1e-8 } else { moved < limit };
                assert!(sound, "{split:?} {degree}, {law}, {projection:?}: {moved:.1e}");
            }
        }
    }
}

/// Constraints are functions of differences of positions, so each moves the nodes without moving the
/// centre of mass: 500 substeps of rounding are left.
#[test]
fn momentum_is_kept() {
    let mut random = Random::new(5);
    for (split, degree) in all_kinds() {
        let mut body = free_body(jittered(split, degree, [2, 2, 1]), soft(LawKind::RestStable));
        body.state.v.iter_mut().for_each(|v| *v = random.vector());
        let momentum = |body: &Body| -> DVec3 {
            body.state.v.iter().zip(body.model().masses()).map(|(v, m)| *m * *v).sum()
        };
        let before = momentum(&body);
        let scale = body.model().mass();
        let (mut world, handle) = world_with(still(), body, xpbd());
        common::run(&mut world, 25);
        let change = (momentum(world.body(handle).unwrap()) - before).length();
        assert!(change < 1e-10 * scale, "{split:?} {degree}: {:.1e}", change / scale);
    }
}

/// Bits of positions after two sweeps.
fn swept_bits(model: &Model, x: &[DVec3], width: Width, projection: Projection) -> Vec<u64> {
    let mut points = SharedPoints::new(x.len());
    points.place(x.iter().copied());
    points.weigh(model.masses().iter().map(|mass| 1.0 / mass));
    let mut constraints = CellConstraints::new(model, width);
    let start = &model.mesh().nodes[..];
    let sweep = Sweep { h: 1e-3, projection, damping: 1e-3, start, first: true, keep: true };
    constraints.sweep(&points, &sweep);
    constraints.sweep(&points, &Sweep { first: false, ..sweep });
    let residual = constraints.residual(&points, &sweep);
    let numbers = points.positions().flat_map(|x| x.to_array()).chain([residual]);
    numbers.map(f64::to_bits).collect()
}

#[cfg(not(feature = "fma"))]
#[test]
fn one_lane_and_eight_give_the_same_bits() {
    let mut random = Random::new(31);
    for (split, degree) in all_splits() {
        for law in LawKind::ALL {
            let model = model(crumpled(split, degree, [3, 1, 1]), soft(law), None);
            let rest = &model.mesh().nodes;
            let x: Vec<DVec3> = rest.iter().map(|x| *x + 0.1 * random.vector()).collect();
            for projection in Projection::ALL {
                let one = swept_bits(&model, &x, Width::One, projection);
                let packs = swept_bits(&model, &x, Width::default(), projection);
                assert!(one == packs, "{split:?} {degree}, {law}, {projection:?}");
            }
        }
    }
}

/// How far a free body is from its rest shape, as a share of its size, turned and moved as it may be:
/// the strain energy as the mean strain it amounts to.
fn mean_strain(world: &World) -> f64 {
    let (_, body) = world.bodies().next().unwrap();
    let stiffness = body.model().material(0).young * body.model().mesh().volume();
    (world.energy().elastic / stiffness).sqrt()
}

/// What is done to the nodes of a body about one metre in size.
fn deed(which: u64, body: &mut Body) {
    let mut random = Random::new(40 + which);
    for x in &mut body.state.x {
        match which {
            0 => x.y = 0.0,
            1 => x.x = -x.x,
            2 => *x = random.vector(),
            3 => *x += 0.5 * random.vector(),
            _ => *x *= 1e-3,
        }
    }
}

/// A body to which something was done, left alone for six seconds.
fn recovered(split: Split, degree: usize, law: LawKind, which: u64) -> World {
    let material = Material { poisson: 0.45, ..soft(law) };
    let mut body = free_body(jittered(split, degree, [2, 2, 2]), material);
    deed(which, &mut body);
    let rayleigh = Rayleigh { mass: 0.0, stiffness: 0.01 };
    let config = WorldConfig { damping: 5.0, ..still() };
    let (mut world, handle) = world_with(config, body, MethodConfig { rayleigh, ..xpbd() });
    for step in 0..360 {
        world.step();
        let finite = world.body(handle).unwrap().state.is_finite();
        assert!(finite, "{split:?} {degree}, {law}, deed {which}, step {step}");
    }
    assert_eq!(world.health().resets, 0, "{split:?} {degree}, {law}, deed {which}");
    world
}

/// Flattened, turned inside out, every node at random in the box or thrown by half of its size: the body
/// is back in its shape, with no cell inverted, and never was a number not finite. What is left after six
/// seconds is a mean strain below a thousandth.
#[test]
fn bodies_come_back_from_anything() {
    for (split, degree) in [(Split::Tet5, 1), (Split::Tet5, 2), (Split::Tet5, 3), (Split::Hex, 1)] {
        for which in 0..4 {
            let world = recovered(split, degree, LawKind::RestStable, which);
            let strain = mean_strain(&world);
            assert!(strain < 1e-3, "{split:?} {degree}, deed {which}: {strain:.1e}");
            assert_eq!(world.health().inverted, 0, "{split:?} {degree}, deed {which}");
        }
    }
}

/// Crushed to a thousandth a body stays crushed under most laws: their energy has a hollow there. Smith's
/// has none, and the body comes back.
#[test]
fn a_body_crushed_to_a_point_comes_back_under_the_law_of_smith() {
    for (split, degree) in [(Split::Tet5, 1), (Split::Tet5, 2), (Split::Tet5, 3), (Split::Hex, 1)] {
        let world = recovered(split, degree, LawKind::Smith, 4);
        let strain = mean_strain(&world);
        assert!(strain < 1e-3, "{split:?} {degree}: {strain:.1e}");
    }
}

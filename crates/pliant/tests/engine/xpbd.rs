//! XPBD: the constraints are those of the laws, a converged substep is one of implicit Euler, and bodies return to
//! their shape from any state.

use crate::common::{
    Random, all_kinds, all_splits, crumpled, free_body, held_body, jittered, largest, model, soft,
};
use glam::DVec3;
use pliant::body::{Body, Dilation, Model, ModelConfig};
use pliant::contact::Obstacle;
use pliant::internals::{CellConstraints, ConstraintSweep, SharedPoints};
use pliant::material::{LawKind, Material};
use pliant::mesh::generate::Split;
use pliant::solver::{
    AdaptiveConfig, Mass, MethodConfig, MethodError, Projection, Rayleigh, Rotation, Stepper,
};
use pliant::world::{BodyHandle, World, WorldConfig};
use pliant_kernels::lanes::Width;

fn xpbd() -> MethodConfig {
    MethodConfig { stepper: Stepper::Xpbd, ..Default::default() }
}

fn still() -> WorldConfig {
    WorldConfig { gravity: DVec3::ZERO, ..Default::default() }
}

fn world_with(config: WorldConfig, body: Body, method: MethodConfig) -> (World, BodyHandle) {
    let mut world = World::new(config).unwrap();
    let handle = world.add_with(body, method).unwrap();
    (world, handle)
}

/// Velocities after one substep of length `h` from a body stretched by a few percent.
fn stretched_substep(body: &Body, h: f64, method: MethodConfig) -> Vec<DVec3> {
    let config = WorldConfig { dt: h, substeps: Some(1), ..still() };
    let (mut world, handle) = world_with(config, body.clone(), method);
    world.step();
    world.get(handle).unwrap().state.v.clone()
}

/// The largest difference between one substep of XPBD and one of backward Euler, relative to the change of velocity.
fn off_backward_euler(body: &Body, h: f64, projection: Projection) -> f64 {
    let newton = MethodConfig {
        stepper: Stepper::BackwardEuler,
        tolerance: 1e-10,
        max_iterations: 2000,
        // Constraints have lumped masses, and corotated ones a rotation at every point.
        mass: Mass::Lumped,
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

/// In the limit of many sweeps a substep is one of backward Euler, so that the constraints, gradients and compliances
/// of every law and kind of cell are those of its energy. Tolerance 1e-3: the two differ by the change of the
/// gradients within the substep, of order h²; in 1 ms the fastest wave crosses a twentieth of a cell. A wrong factor
/// anywhere would give an error of the order of 1.
#[test]
fn many_sweeps_make_a_step_of_backward_euler() {
    for (split, degree) in all_kinds() {
        for law in LawKind::ALL {
            let body = stretched_body(split, degree, law);
            for projection in Projection::ALL {
                let off = off_backward_euler(&body, 1e-3, projection);
                // The multipliers of Macklin & Müller are as large as the moduli even at rest.
                let limit = if law == LawKind::MacklinMuller { 4e-3 } else { 1e-3 };
                assert!(off < limit, "{split:?} {degree}, {law}, {projection:?}: {off:.1e}");
            }
        }
    }
}

/// The difference falls by a factor of four when the substep is halved (order above 1.7).
#[test]
fn the_difference_to_backward_euler_goes_with_the_square_of_the_substep() {
    for law in LawKind::ALL.into_iter().filter(|law| *law != LawKind::Linear) {
        let body = stretched_body(Split::Tet5, 2, law);
        for projection in Projection::ALL {
            let [long, short] = [2e-3, 1e-3].map(|h| off_backward_euler(&body, h, projection));
            let order = (long / short).log2();
            assert!(
                order > 1.7,
                "{law}, {projection:?}: order {order:.2} ({long:.1e}, {short:.1e})"
            );
        }
    }
}

/// The largest distance of a node from its rest position after ten steps, in m.
fn strays(split: Split, degree: usize, law: LawKind, projection: Projection) -> f64 {
    let body = free_body(crumpled(split, degree, [2, 1, 1]), soft(law));
    let rest = body.state.x.clone();
    let (mut world, handle) = world_with(still(), body, MethodConfig { projection, ..xpbd() });
    crate::common::run(&mut world, 10);
    let x = &world.get(handle).unwrap().state.x;
    largest(x.iter().zip(&rest).map(|(x, rest)| *x - *rest))
}

/// A body at rest stays at rest, because both constraints of a cell vanish there. Tolerance 1e-11 m: rounding of
/// positions of one metre, amplified by inverse cell sizes over 200 substeps.
#[test]
fn a_body_at_rest_stays_at_rest() {
    for (split, degree) in all_splits() {
        for law in LawKind::ALL.into_iter().filter(|law| *law != LawKind::MacklinMuller) {
            for projection in Projection::ALL {
                let moved = strays(split, degree, law, projection);
                assert!(moved < 1e-11, "{split:?} {degree}, {law}, {projection:?}: {moved:.1e}");
            }
        }
    }
}

/// The constraints of Macklin & Müller do not vanish at rest but balance each other. Solved one after the other they
/// make the body vibrate, which is the reason for the rest-stable form (Saillant et al. 2024, section 4.2). Solved
/// together they do so much less: below 0.3 of it.
#[test]
fn constraints_that_only_balance_tremble_unless_they_are_solved_together() {
    for (split, degree) in all_splits() {
        let [separate, together] =
            Projection::ALL.map(|how| strays(split, degree, LawKind::MacklinMuller, how));
        println!("{split:?} {degree}: {separate:.1e} separate, {together:.1e} together");
        assert!(separate > 1e-8, "{split:?} {degree}: {separate:.1e}");
        assert!(together < 0.3 * separate, "{split:?} {degree}: {together:.1e} of {separate:.1e}");
    }
}

/// Momentum is conserved: constraints depend on differences of positions, so that none of them moves the centre of
/// mass. Tolerance 1e-10: rounding over 500 substeps.
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
        crate::common::run(&mut world, 25);
        let change = (momentum(world.get(handle).unwrap()) - before).length();
        assert!(change < 1e-10 * scale, "{split:?} {degree}: {:.1e}", change / scale);
    }
}

/// The bits of the positions and of the residual after a sweep without multipliers and two with them.
fn swept_bits(model: &Model, x: &[DVec3], width: Width, projection: Projection) -> Vec<u64> {
    let mut points = SharedPoints::new(x.len());
    points.place(x.iter().copied());
    points.weigh(model.masses().iter().map(|mass| 1.0 / mass));
    let mut constraints = CellConstraints::new(model, width);
    let start = &model.mesh().nodes[..];
    let sweep =
        ConstraintSweep { h: 1e-3, projection, damping: 1e-3, start, first: true, keep: true };
    constraints.sweep(&mut points, &ConstraintSweep { damping: 0.0, keep: false, ..sweep });
    constraints.sweep(&mut points, &sweep);
    constraints.sweep(&mut points, &ConstraintSweep { first: false, ..sweep });
    let residual = constraints.residual(&points, &sweep);
    let numbers = points.positions().flat_map(|x| x.to_array()).chain([residual]);
    numbers.map(f64::to_bits).collect()
}

/// Every width of the lanes gives the same bits, for all cells, laws and projections.
#[test]
fn every_width_gives_the_same_bits() {
    let mut random = Random::new(31);
    for (split, degree) in all_splits() {
        for law in LawKind::ALL {
            let model = model(crumpled(split, degree, [3, 1, 1]), soft(law), None);
            let rest = &model.mesh().nodes;
            let x: Vec<DVec3> = rest.iter().map(|x| *x + 0.1 * random.vector()).collect();
            for projection in Projection::ALL {
                let one = swept_bits(&model, &x, Width::One, projection);
                for width in Width::available() {
                    let bits = swept_bits(&model, &x, width, projection);
                    assert!(bits == one, "{split:?} {degree}, {law}, {projection:?}, {width:?}");
                }
            }
        }
    }
}

/// The bits of a sweep do not depend on whether its multipliers are kept, which another function computes for linear
/// tetrahedra; and each constraint that is far from rest is solved in both.
#[test]
fn a_sweep_is_the_same_with_its_multipliers() {
    let mut random = Random::new(32);
    for law in LawKind::ALL {
        let model = model(crumpled(Split::Tet5, 1, [3, 2, 1]), soft(law), None);
        for size in [0.01, 0.1, 3.0] {
            let rest = &model.mesh().nodes;
            let x: Vec<DVec3> = rest.iter().map(|x| *x + size * random.vector()).collect();
            for width in Width::available() {
                let [plain, kept] = [false, true].map(|keep| once_swept(&model, &x, width, keep));
                assert!(plain == kept, "{law}, {width:?}, {size}");
            }
        }
    }
}

/// Positions after one sweep.
fn once_swept(model: &Model, x: &[DVec3], width: Width, keep: bool) -> Vec<DVec3> {
    let mut points = SharedPoints::new(x.len());
    points.place(x.iter().copied());
    points.weigh(model.masses().iter().map(|mass| 1.0 / mass));
    let (projection, first) = (Projection::Together, true);
    let sweep = ConstraintSweep { h: 1e-3, projection, damping: 0.0, start: &[], first, keep };
    CellConstraints::new(model, width).sweep(&mut points, &sweep);
    points.positions().collect()
}

/// The mean strain that corresponds to the elastic energy; it does not depend on rigid motion.
fn mean_strain(world: &World) -> f64 {
    let (_, body) = world.bodies().next().unwrap();
    let stiffness = body.model().material(0).young * body.model().mesh().volume();
    (world.energy().elastic / stiffness).sqrt()
}

/// A change of the positions of a body of about one metre.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Deed {
    Flatten,
    Invert,
    Scatter,
}

/// Nodes of straight cells with random corners in a cube twice as wide as the body.
fn scattered(split: Split, degree: usize, cells: [usize; 3]) -> Vec<DVec3> {
    let (mut random, mut mesh) = (Random::new(40), jittered(split, 1, cells));
    mesh.nodes.iter_mut().for_each(|x| *x = random.vector());
    if degree == 1 { mesh.nodes } else { mesh.elevated(degree).unwrap().nodes }
}

/// A body after such a change and seven seconds of free motion. Checks that it is finite throughout, never reset and
/// ends without inverted cells.
fn recovered(split: Split, degree: usize, cells: [usize; 3], deed: Deed) -> World {
    let what = format!("{split:?} {degree}, {deed:?}");
    let mut body = free_body(jittered(split, degree, cells), soft(LawKind::RestStable));
    match deed {
        Deed::Flatten => body.state.x.iter_mut().for_each(|x| x.y = 0.0),
        Deed::Invert => body.state.x.iter_mut().for_each(|x| x.x = -x.x),
        Deed::Scatter => body.state.x = scattered(split, degree, cells),
    }
    let rayleigh = Rayleigh { mass: 0.0, stiffness: 0.003 };
    let config = WorldConfig { damping: 3.0, ..still() };
    let (mut world, handle) = world_with(config, body, MethodConfig { rayleigh, ..xpbd() });
    for step in 0..420 {
        world.step();
        assert!(world.get(handle).unwrap().state.is_finite(), "{what}, step {step}");
    }
    assert_eq!(world.health().resets, 0, "{what}");
    assert_eq!(world.health().inverted, 0, "{what}");
    world
}

/// A flattened or inverted body with an inner node returns to its shape, with a mean strain below 1e-3 after seven
/// seconds.
#[test]
fn bodies_come_back_from_flat_and_from_inside_out() {
    for (split, degree) in [(Split::Tet5, 1), (Split::Tet5, 2), (Split::Tet5, 3), (Split::Hex, 1)] {
        for deed in [Deed::Flatten, Deed::Invert] {
            let strain = mean_strain(&recovered(split, degree, [2, 2, 2], deed));
            assert!(strain < 1e-3, "{split:?} {degree}, {deed:?}: {strain:.1e}");
        }
    }
}

/// A body with random corners in a cube twice as wide returns to its shape too. For tetrahedra only without inner
/// edges: around an inner edge they can wind twice without being inverted, a local minimum of the energy that no
/// method leaves. Hexahedra recover with inner nodes too.
#[test]
fn bodies_come_back_from_nodes_at_random() {
    let row = [2, 1, 1];
    let cases = [(Split::Tet5, 1, row), (Split::Tet5, 2, row), (Split::Tet5, 3, row)];
    for (split, degree, cells) in cases.into_iter().chain([(Split::Hex, 1, [2, 2, 2])]) {
        let strain = mean_strain(&recovered(split, degree, cells, Deed::Scatter));
        assert!(strain < 1e-3, "{split:?} {degree}: {strain:.1e}");
    }
}

/// The height of the free end of a clamped bar after `steps` steps, in m.
fn hangs_at(method: MethodConfig, steps: usize) -> f64 {
    let mesh = jittered(Split::Tet5, 2, [4, 2, 2]);
    let tip = mesh.nodes.iter().position(|x| (*x - crate::common::BOX).length() < 1e-12).unwrap();
    let material = Material { young: 1e5, poisson: 0.35, ..soft(LawKind::RestStable) };
    let body = held_body(mesh, material, &["x-"]);
    let config = WorldConfig { damping: 4.0, ..Default::default() };
    let (mut world, handle) = world_with(config, body, method);
    crate::common::run(&mut world, steps);
    world.get(handle).unwrap().state.x[tip].y
}

/// A clamped bar comes to rest at the deflection of implicit Euler, within 1 % with 100 substeps; with fewer substeps
/// it hangs lower, because unconverged sweeps are softer.
#[test]
fn xpbd_and_implicit_euler_come_to_rest_alike() {
    let implicit = hangs_at(MethodConfig::default(), 240);
    let swept = |substeps: u32| hangs_at(MethodConfig { substeps: Some(substeps), ..xpbd() }, 240);
    let deflection = crate::common::BOX.y - implicit;
    assert!(deflection > 0.01, "{deflection}");
    let (few, many) = (swept(5), swept(100));
    let off = (many - implicit).abs() / deflection;
    assert!(off < 0.01, "{off:.2e}");
    assert!(few < many, "{few} {many}");
}

/// The reported residual of the constraint equations measures convergence: it falls with the number of sweeps, from
/// above 0.05 with one to below 0.01 with 256.
#[test]
fn the_residual_tells_how_far_from_converged_a_step_is() {
    let residual = |sweeps: u32| {
        let stiff = Material { young: 1e6, ..soft(LawKind::RestStable) };
        let body = held_body(jittered(Split::Tet5, 2, [4, 2, 2]), stiff, &["x-"]);
        let method = MethodConfig { sweeps, substeps: Some(1), ..xpbd() };
        let (mut world, _) = world_with(WorldConfig::default(), body, method);
        world.step().sweeps.residual
    };
    let residuals = [1, 4, 16, 64, 256].map(residual);
    assert!(residuals.is_sorted_by(|a, b| a > b), "{residuals:?}");
    assert!(residuals[0] > 0.05 && residuals[4] < 1e-2, "{residuals:?}");
}

/// Stiffness damping stops vibration and not rigid motion: the slowest vibration of this block, at 9 rad/s, is damped
/// at 0.4 of critical and loses nine tenths of its energy in less than a second. The mean velocity changes by less
/// than 0.02 m/s.
#[test]
fn stiffness_damping_stops_vibration_and_not_flight() {
    let energy_after = |stiffness: f64| {
        let mut body = free_body(jittered(Split::Tet5, 2, [2, 1, 1]), soft(LawKind::RestStable));
        body.state.v.iter_mut().zip(&body.state.x).for_each(|(v, x)| {
            *v = DVec3::new(3.0, 0.0, 0.0) + DVec3::X * (0.5 - x.x);
        });
        let rayleigh = Rayleigh { mass: 0.0, stiffness };
        let (mut world, handle) = world_with(still(), body, MethodConfig { rayleigh, ..xpbd() });
        crate::common::run(&mut world, 60);
        let body = world.get(handle).unwrap();
        let mass = body.model().mass();
        let momentum: DVec3 =
            body.state.v.iter().zip(body.model().masses()).map(|(v, m)| *m * *v).sum();
        let flight = momentum.length_squared() / (2.0 * mass);
        (world.energy().kinetic + world.energy().elastic - flight, momentum.x / mass)
    };
    let ((free, _), (damped, speed)) = (energy_after(0.0), energy_after(0.1));
    assert!(damped < 0.1 * free, "{damped} of {free}");
    let mean_push = 3.0 + 0.5 - crate::common::BOX.x / 2.0;
    assert!((speed - mean_push).abs() < 0.02, "{speed}");
}

/// A cube that falls on the ground stays on it, within 1 cm.
#[test]
fn a_cube_comes_to_rest_on_the_ground() {
    let mut mesh = jittered(Split::Tet5, 2, [2, 2, 2]);
    mesh.nodes.iter_mut().for_each(|x| x.y += 0.2);
    let body = free_body(mesh, Material { young: 1e5, ..soft(LawKind::RestStable) });
    let rayleigh = Rayleigh { mass: 0.0, stiffness: 0.01 };
    let method = MethodConfig { rayleigh, substeps: Some(60), ..xpbd() };
    let config = WorldConfig { damping: 4.0, ..Default::default() };
    let (mut world, handle) = world_with(config, body, method);
    world.add_obstacle(Obstacle::ground(0.5)).unwrap();
    crate::common::run(&mut world, 300);
    let state = &world.get(handle).unwrap().state;
    let lowest = state.x.iter().map(|x| x.y).fold(f64::INFINITY, f64::min);
    let fastest = largest(state.v.iter().copied());
    assert!((-0.01..0.01).contains(&lowest), "{lowest}");
    // Contact acts once per substep, after the sweep, so the body vibrates with about the velocity that gravity gives
    // in a substep, here 3 mm/s.
    assert!(fastest < 1e-2, "{fastest}");
}

/// Settings that XPBD does not support return errors that say what to change.
#[test]
fn what_does_not_go_with_constraints_is_refused() {
    let mesh = jittered(Split::Tet5, 2, [1, 1, 1]);
    let method = |change: fn(&mut MethodConfig)| {
        let mut method = xpbd();
        change(&mut method);
        method.check().unwrap_err().to_string()
    };
    assert!(method(|m| m.mass = Mass::Consistent).contains("lumped"));
    assert!(method(|m| m.adaptive = Some(AdaptiveConfig::default())).contains("implicit"));
    assert!(method(|m| m.sweeps = 0).contains("sweeps is 0"));
    assert!(method(|m| m.substeps = Some(0)).contains("substeps is 0"));
    let swells = Material { poisson: -0.3, ..soft(LawKind::Corotated) };
    let error = xpbd().check_for(&model(mesh.clone(), swells, None)).unwrap_err();
    assert!(matches!(error, MethodError::NoCompliance { cell: 0, .. }), "{error}");
    let config = ModelConfig { dilation: Some(Dilation::Mean), ..Default::default() };
    let cells = vec![0; mesh.cell_count()];
    let mean = Model::new(mesh, vec![soft(LawKind::RestStable)], cells, config).unwrap();
    assert!(xpbd().check_for(&mean).unwrap_err().to_string().contains("dilation"));
}

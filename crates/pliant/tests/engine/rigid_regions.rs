//! Rigid regions in deformable bodies.

use std::sync::Arc;

use crate::common::{held, run};
use glam::DVec3;
use pliant::body::{Body, Model, ModelConfig, Pin};
use pliant::force::von_mises;
use pliant::material::{LawKind, Material, Plastic};
use pliant::mesh::Mesh;
use pliant::mesh::generate::{BoxConfig, Split, box_mesh};
use pliant::plasticity::plastic_strain;
use pliant::solver::{LinearSolver, Mass, MethodConfig, SolveError, StaticConfig, Stepper};
use pliant::world::{FractureConfig, World, WorldConfig};

fn rubber() -> Material {
    Material { law: LawKind::Corotated, young: 2e5, poisson: 0.3, ..Default::default() }
}

fn bar(split: Split, degree: usize) -> Mesh {
    let size = [3.0, 0.5, 0.5];
    box_mesh(&BoxConfig { size, cells: [6, 1, 1], split, degree, ..Default::default() }).unwrap()
}

/// A model whose middle third has another material.
fn with_middle(mesh: Mesh, material: Material, middle: Material) -> Arc<Model> {
    let centre = |nodes: &[u32]| {
        nodes.iter().map(|node| mesh.nodes[*node as usize].x).sum::<f64>() / nodes.len() as f64
    };
    let within = |nodes: &[u32]| u32::from((1.0..2.0).contains(&centre(nodes)));
    let cells = mesh.cells().map(|(_, nodes)| within(nodes)).collect();
    let config = ModelConfig::default();
    Arc::new(Model::new(mesh, vec![material, middle], cells, config).unwrap())
}

fn rigid_middle(mesh: Mesh, material: Material) -> Arc<Model> {
    with_middle(mesh, material, Material { rigid: true, ..material })
}

/// The largest change of a distance between nodes of a rigid region compared with `form`, in m.
fn deformed(body: &Body, form: &[DVec3]) -> f64 {
    let mut worst: f64 = 0.0;
    for nodes in body.rigid_regions().nodes() {
        for (k, a) in nodes.iter().map(|node| *node as usize).enumerate() {
            for b in nodes[..k].iter().map(|node| *node as usize) {
                let x = &body.state.x;
                worst = worst.max((x[a].distance(x[b]) - form[a].distance(form[b])).abs());
            }
        }
    }
    worst
}

fn momentum(body: &Body) -> DVec3 {
    body.state.v.iter().zip(body.model().masses()).map(|(v, m)| *m * *v).sum()
}

fn angular_momentum(body: &Body) -> DVec3 {
    let moving = body.state.x.iter().zip(&body.state.v).zip(body.model().masses());
    moving.map(|((x, v), m)| *m * x.cross(*v)).sum()
}

/// All steppers, all linear solvers with the default stepper, and consistent masses.
fn methods() -> Vec<MethodConfig> {
    let of = |stepper| MethodConfig { stepper, ..Default::default() };
    let mut methods: Vec<MethodConfig> = Stepper::ALL.into_iter().map(of).collect();
    methods.extend(LinearSolver::ALL.map(|solver| MethodConfig { solver, ..Default::default() }));
    methods.push(MethodConfig { mass: Mass::Consistent, ..Default::default() });
    methods
}

const NO_GRAVITY: WorldConfig = WorldConfig {
    gravity: DVec3::ZERO,
    dt: 1.0 / 120.0,
    substeps: None,
    damping: 0.0,
    contact: pliant::contact::ContactLevel::Game,
    sleep: None,
    anneal: None,
    fracture: FractureConfig { limit: 32, every: 1, seed: 0 },
    debris: None,
};

/// In a flying bar that rotates and bends, the rigid middle keeps all its distances, and the bar its momentum.
/// Tolerances 1e-9 m and 1e-10: rounding over 60 steps, with a margin.
#[test]
fn a_middle_keeps_its_form_and_the_bar_its_momentum() {
    for (split, degree) in [(Split::Tet5, 2), (Split::Hex, 1), (Split::Tet5, 1)] {
        for method in methods() {
            let model = rigid_middle(bar(split, degree), rubber());
            let mut body = Body::new("bar", model, Vec::new()).unwrap();
            let rest = body.state.x.clone();
            for (v, x) in body.state.v.iter_mut().zip(&rest) {
                let bend = 0.5 * (x.x - 1.5).powi(2) * DVec3::Y;
                *v = DVec3::new(0.3, 0.1, -0.2) + DVec3::new(1.0, 0.5, 3.0).cross(*x) + bend;
            }
            let before = momentum(&body);
            let size: f64 = before.length();
            let mut world = World::new(NO_GRAVITY).unwrap();
            let bar = world.add_with(body, method).unwrap();
            run(&mut world, 60);
            let body = world.get(bar).unwrap();
            let (off, lost) = (deformed(body, &rest), momentum(body).distance(before) / size);
            let name =
                format!("{} {} {split:?} {degree}", method.stepper.name(), method.solver.name());
            assert!(off < 1e-9, "{name}: distances changed by {off} m");
            assert!(lost < 1e-10, "{name}: {lost} of the momentum is lost");
            let moved = body.state.x[0].distance(rest[0]);
            assert!(moved > 0.1, "{name}: the bar moved by only {moved} m");
        }
    }
}

/// The projection of a region to its form conserves angular momentum: a free rotating bar that is completely rigid
/// keeps it to rounding with explicit steps, whose straight paths are all that the projection corrects.
#[test]
fn a_bar_that_is_rigid_all_over_keeps_its_angular_momentum() {
    let mesh = bar(Split::Tet5, 2);
    let stiff = Material { rigid: true, ..rubber() };
    let model = Arc::new(Model::uniform(mesh, stiff).unwrap());
    let mut body = Body::new("bar", model, Vec::new()).unwrap();
    let rest = body.state.x.clone();
    for (v, x) in body.state.v.iter_mut().zip(&rest) {
        *v = DVec3::new(0.2, 2.0, 1.0).cross(*x - DVec3::X);
    }
    let before = angular_momentum(&body);
    let mut world = World::new(NO_GRAVITY).unwrap();
    let method = MethodConfig { stepper: Stepper::SymplecticEuler, ..Default::default() };
    let bar = world.add_with(body, method).unwrap();
    run(&mut world, 100);
    let body = world.get(bar).unwrap();
    let lost = angular_momentum(body).distance(before) / before.length();
    assert!(lost < 1e-10, "{lost} of the angular momentum is lost");
    assert!(deformed(body, &rest) < 1e-9);
}

/// The sag of the free end of a clamped bar at rest, in m.
fn hangs(model: Arc<Model>, method: MethodConfig) -> f64 {
    let pin = held(model.mesh(), "x-");
    let tip = model.mesh().node_set("x+").unwrap().nodes.clone();
    let body = Body::new("bar", model, vec![pin]).unwrap();
    // Critically damped: after six seconds 1e-5 of the displacement is left.
    let config = WorldConfig { damping: 3.5, gravity: DVec3::new(0.0, -0.5, 0.0), ..NO_GRAVITY };
    let mut world = World::new(config).unwrap();
    let bar = world.add_with(body, method).unwrap();
    run(&mut world, 720);
    let x = &world.get(bar).unwrap().state.x;
    let rest = &world.get(bar).unwrap().model().mesh().nodes;
    tip.iter().map(|node| rest[*node as usize].y - x[*node as usize].y).sum::<f64>()
        / tip.len() as f64
}

/// A bar with a rigid middle sags as one whose middle is 10,000 times as stiff, with every stepper. Tolerance 0.2 %:
/// the reference is not quite rigid (1e-4), and the solves (tolerance 1e-6) and the remaining motion add less. XPBD
/// projects regions only after each substep, which is an error of first order in the substep: 3 % is allowed.
#[test]
fn a_rigid_middle_is_the_limit_of_a_stiff_one() {
    let fine = MethodConfig { tolerance: 1e-6, max_iterations: 2000, ..Default::default() };
    let rubber = Material { young: 1e6, ..rubber() };
    let stiff = Material { young: 1e10, ..rubber };
    let reference = hangs(with_middle(bar(Split::Tet5, 2), rubber, stiff), fine);
    let soft = hangs(with_middle(bar(Split::Tet5, 2), rubber, rubber), fine);
    assert!(
        soft > 1.1 * reference,
        "{soft} m and {reference} m: the stiffness of the middle must matter"
    );
    for stepper in Stepper::ALL {
        let method = MethodConfig { stepper, ..fine };
        let found = hangs(rigid_middle(bar(Split::Tet5, 2), rubber), method);
        let limit = if stepper == Stepper::Xpbd { 0.03 } else { 0.002 };
        let off = (found / reference - 1.0).abs();
        assert!(off < limit, "{}: sags by {found} m instead of {reference} m", stepper.name());
    }
}

/// With every stepper a rigid bar that is pinned at one node swings about it and keeps its distances, and a bar that
/// is pinned at one end does not move.
#[test]
fn pins_hold_rigid_regions() {
    for stepper in Stepper::ALL {
        let stiff = Material { rigid: true, ..rubber() };
        let model = Arc::new(Model::uniform(bar(Split::Tet5, 1), stiff).unwrap());
        let one = Pin { nodes: vec![0], ..Default::default() };
        let end = held(model.mesh(), "x-");
        let mut world =
            World::new(WorldConfig { gravity: -9.81 * DVec3::Y, ..NO_GRAVITY }).unwrap();
        let method = MethodConfig { stepper, ..Default::default() };
        let swings = Body::new("swings", model.clone(), vec![one]).unwrap();
        let mut stands = Body::new("stands", model.clone(), vec![end]).unwrap();
        stands.state.v.fill(DVec3::ZERO);
        let [swings, stands] = [swings, stands].map(|body| world.add_with(body, method).unwrap());
        let touch = pliant::contact::ContactConfig { meets: 0, ..Default::default() };
        world.set_contact(swings, touch).unwrap();
        world.set_contact(stands, touch).unwrap();
        run(&mut world, 40);
        let rest = &model.mesh().nodes;
        let (a, b) = (world.get(swings).unwrap(), world.get(stands).unwrap());
        let name = stepper.name();
        assert_eq!(a.state.x[0], rest[0], "{name}");
        assert!(deformed(a, rest) < 1e-9 && deformed(b, rest) < 1e-9, "{name}");
        let fallen = rest[6].y - a.state.x[6].y;
        assert!(fallen > 0.1, "{name}: the bar must swing, but its end fell by only {fallen} m");
        let moved =
            b.state.x.iter().zip(rest).map(|(x, rest)| x.distance(*rest)).fold(0.0, f64::max);
        assert!(moved < 1e-6, "{name}: the pinned bar moved by {moved} m");
    }
}

/// A rotating pin on four nodes of a rigid region moves all of it: every node is where the motion puts it, to 1e-6 m.
#[test]
fn a_pin_that_turns_leads_a_region() {
    use pliant::body::{Action, Motion, Ramp};
    let model = rigid_middle(bar(Split::Tet5, 1), rubber());
    let middle = model.rigid_regions().remove(0);
    let led: Vec<u32> = middle.iter().copied().take(4).collect();
    let action = Action::Rotate { centre: DVec3::X, axis: DVec3::Z, angle: 1.2 };
    let motion = Motion { ramps: vec![Ramp { start: 0.0, end: 0.5, action }] };
    let pin = Pin { nodes: led, motion: motion.clone(), ..Default::default() };
    let body = Body::new("bar", model.clone(), vec![pin]).unwrap();
    let mut world = World::new(NO_GRAVITY).unwrap();
    let bar = world.add_with(body, MethodConfig::default()).unwrap();
    run(&mut world, 90);
    let body = world.get(bar).unwrap();
    for node in middle.iter().map(|node| *node as usize) {
        let there = motion.position(model.mesh().nodes[node], world.time());
        let off = body.state.x[node].distance(there);
        assert!(off < 1e-6, "node {node} is {off} m from where it is led");
    }
}

/// A rigid region has neither plastic strain nor stress while the rest of the body is bent and flows.
#[test]
fn nothing_flows_in_a_rigid_region() {
    let plastic = Some(Plastic::Creep { yield_strain: 0.001, rate: 10.0, limit: 1.0 });
    let model = rigid_middle(bar(Split::Tet5, 2), Material { plastic, ..rubber() });
    let pin = held(model.mesh(), "x-");
    let body = Body::new("bar", model, vec![pin]).unwrap();
    let mut world = World::new(WorldConfig { gravity: -6.0 * DVec3::Y, ..NO_GRAVITY }).unwrap();
    let bar = world.add_with(body, MethodConfig::default()).unwrap();
    run(&mut world, 60);
    let body = world.get(bar).unwrap();
    let strain = plastic_strain(body.rest_shape());
    let stress = von_mises(body.rest_shape(), &body.state.x);
    assert!(strain.iter().copied().fold(0.0, f64::max) > 0.01, "the rest of the body must flow");
    let rest = &body.model().mesh().nodes;
    let inner = (0..rest.len()).filter(|node| rest[*node].x > 1.2 && rest[*node].x < 1.8);
    for node in inner {
        assert!(strain[node] == 0.0 && stress[node] == 0.0, "{} {}", strain[node], stress[node]);
    }
}

/// A region that becomes rigid or elastic while it is bent keeps its positions, velocities and plastic strain, and
/// does not flow any more. Tolerances 1e-12 and 1e-9: rounding.
#[test]
fn what_becomes_rigid_keeps_its_shape_and_what_has_flowed() {
    let plastic = Some(Plastic::Creep { yield_strain: 0.001, rate: 10.0, limit: 1.0 });
    let soft = Material { plastic, ..rubber() };
    for then in [Material { rigid: true, ..soft }, Material { plastic: None, ..soft }] {
        let model = with_middle(bar(Split::Tet5, 2), soft, soft);
        let pin = held(model.mesh(), "x-");
        let body = Body::new("bar", model, vec![pin]).unwrap();
        let mut world = World::new(WorldConfig { gravity: -6.0 * DVec3::Y, ..NO_GRAVITY }).unwrap();
        let bar = world.add_with(body, MethodConfig::default()).unwrap();
        run(&mut world, 60);
        let before = world.get(bar).unwrap().clone();
        let other = before.flowed_model().with_materials(vec![soft, then]).unwrap();
        let body = before.with_model(other).unwrap();
        assert!(body.state.x == before.state.x && body.state.v == before.state.v);
        let [old, new] = [&before, &body].map(|body| plastic_strain(body.rest_shape()));
        let apart = old.iter().zip(&new).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        assert!(apart < 1e-12, "plastic strain changes by {apart}");
        let form = body.state.x.clone();
        world.replace(bar, body, MethodConfig::default()).unwrap();
        run(&mut world, 30);
        let body = world.get(bar).unwrap();
        assert!(deformed(body, &form) < 1e-9);
        let later = plastic_strain(body.rest_shape());
        let rest = &body.model().mesh().nodes;
        for node in (0..rest.len()).filter(|node| rest[*node].x > 1.2 && rest[*node].x < 1.8) {
            assert!((later[node] - old[node]).abs() < 1e-12, "node {node} must not flow any more");
        }
    }
}

/// Snapshots contain the form of a region that became rigid while it was bent: a restored world continues with the
/// same bits, on any number of threads.
#[test]
fn snapshots_and_threads_keep_regions() {
    for stepper in [Stepper::ImplicitEuler, Stepper::Bdf2, Stepper::Xpbd] {
        let run_on = |threads: usize| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| {
                let model = with_middle(bar(Split::Tet5, 2), rubber(), rubber());
                let pin = held(model.mesh(), "x-");
                let body = Body::new("bar", model, vec![pin]).unwrap();
                let config = WorldConfig { gravity: -4.0 * DVec3::Y, ..NO_GRAVITY };
                let mut world = World::new(config).unwrap();
                let method = MethodConfig { stepper, ..Default::default() };
                let bar = world.add_with(body, method).unwrap();
                run(&mut world, 20);
                let bent = world.get(bar).unwrap();
                let stiff = Material { rigid: true, ..rubber() };
                let model = bent.model().with_materials(vec![rubber(), stiff]).unwrap();
                let body = bent.with_model(Arc::new(model)).unwrap();
                world.replace(bar, body, method).unwrap();
                let bytes = world.snapshot();
                run(&mut world, 20);
                let hash = world.state_hash();
                world.restore(&bytes).unwrap();
                run(&mut world, 20);
                assert_eq!(world.state_hash(), hash, "{}", stepper.name());
                hash
            })
        };
        assert_eq!(run_on(1), run_on(2), "{}", stepper.name());
    }
}

/// A collision of bodies with rigid regions conserves momentum and the form of the regions, to rounding, for steppers
/// that solve and for XPBD.
#[test]
fn bodies_with_rigid_regions_meet() {
    for stepper in [Stepper::ImplicitEuler, Stepper::Bdf2, Stepper::Xpbd] {
        let mut world = World::new(NO_GRAVITY).unwrap();
        let model = rigid_middle(bar(Split::Tet5, 1), rubber());
        let rest = model.mesh().nodes.clone();
        let mut bars = Vec::new();
        for (shift, speed) in [(DVec3::ZERO, 1.0), (DVec3::new(0.3, 0.6, 0.1), -1.0)] {
            let mut body = Body::new(format!("bar {speed}"), model.clone(), Vec::new()).unwrap();
            body.state.x.iter_mut().for_each(|x| *x += shift);
            body.state.v.fill(DVec3::new(0.0, speed, 0.1));
            let method = MethodConfig { stepper, ..Default::default() };
            bars.push(world.add_with(body, method).unwrap());
        }
        let sum = |world: &World| bars.iter().map(|bar| momentum(world.get(*bar).unwrap())).sum();
        let before: DVec3 = sum(&world);
        run(&mut world, 60);
        let after: DVec3 = sum(&world);
        let lost = before.distance(after) / (2.0 * 750.0);
        assert!(lost < 1e-10, "{}: {lost} m/s", stepper.name());
        for bar in &bars {
            let body = world.get(*bar).unwrap();
            let off = deformed(body, &rest);
            assert!(off < 1e-9, "{}: distances changed by {off} m", stepper.name());
        }
        let speed = world.get(bars[0]).unwrap().state.v[0].y;
        assert!(speed < 0.9, "{}: the bars must collide", stepper.name());
    }
}

/// The static solver refuses rigid regions, and the error says what to do instead.
#[test]
fn statics_refuse_rigid_regions() {
    let model = rigid_middle(bar(Split::Tet5, 1), rubber());
    let pin = held(model.mesh(), "x-");
    let body = Body::new("bar", model, vec![pin]).unwrap();
    let mut world = World::new(WorldConfig::default()).unwrap();
    world.add_with(body, MethodConfig::default()).unwrap();
    let error = world.solve_static(&StaticConfig::default(), &mut |_| {}).unwrap_err();
    assert!(matches!(error, SolveError::RigidRegion { .. }), "{error}");
    assert!(error.to_string().contains("stiff material"), "{error}");
}

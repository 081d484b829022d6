//! The same scene gives the same bits for any number of threads and any width of the lanes.
//!

use crate::common::{
    Random, all_splits, crumpled, free_body, heavy, held_body, jittered, model, soft,
    symplectic_euler,
};
use glam::DVec3;
use pliant::body::Model;
use pliant::contact::ContactLevel;
use pliant::internals::{CellBlocks, Elastic, Elasticity, Tangent};
use pliant::material::LawKind;
use pliant::mesh::generate::Split;
use pliant::solver::{AdaptiveConfig, LinearSolver, MethodConfig, StaticConfig, Stepper};
use pliant::world::{World, WorldConfig};
use pliant_kernels::lanes::Width;
use rayon::ThreadPoolBuilder;

/// The bits of energy and forces.
fn force_bits(model: &Model, x: &[DVec3], width: Width) -> Vec<u64> {
    let mut forces = vec![DVec3::ZERO; x.len()];
    let energy = Elastic::new(model, width).forces(model.rest_shape(), x, &mut forces);
    let numbers = forces.iter().flat_map(|force| force.to_array());
    numbers.chain([energy]).map(f64::to_bits).collect()
}

/// The bits of the stiffness, of products with it and of its change.
fn tangent_bits(model: &Model, x: &[DVec3], width: Width) -> Vec<u64> {
    let mut tangent = Tangent::new(model, width);
    let (mut blocks, mut product) = (CellBlocks::new(model), vec![DVec3::ZERO; x.len()]);
    let mut diagonal = vec![0.0; x.len()];
    tangent.linearise(model.rest_shape(), x);
    tangent.blocks(model.rest_shape(), &mut blocks);
    tangent.apply(model.rest_shape(), x, &mut product);
    tangent.diagonal(model.rest_shape(), &mut diagonal);
    let change = tangent.change(model.rest_shape(), x);
    let entries = blocks.blocks.iter().flat_map(|block| block.0).flat_map(|column| column.0);
    let numbers = entries.chain(product.iter().flat_map(|product| product.to_array()));
    numbers.chain(diagonal).chain([change]).map(f64::to_bits).collect()
}

/// Every width of the lanes gives the same bits, for every law on every kind of cell (otherwise than in a heavy run for
/// every law on a third of the kinds): at rest, flat, and distorted until cells invert.
#[test]
fn every_width_gives_the_same_bits() {
    let mut random = Random::new(21);
    for (number, (split, degree)) in all_splits().into_iter().enumerate() {
        // The number of cells is not a multiple of the lanes, so that the last pack is not full.
        let mesh = crumpled(split, degree, [3, 1, 1]);
        let laws = LawKind::ALL.into_iter().enumerate();
        for (_, law) in laws.filter(|(law, _)| heavy() || (number + law) % 3 == 0) {
            let model = model(mesh.clone(), soft(law), None);
            let rest = &model.mesh().nodes;
            let mut shaken = |by| rest.iter().map(|x| *x + by * random.vector()).collect();
            let flat = rest.iter().map(|x| x.with_y(0.0)).collect();
            let shapes: [(&str, Vec<DVec3>); 5] = [
                ("at rest", rest.clone()),
                ("flat", flat),
                ("shaken a little", shaken(0.01)),
                ("shaken", shaken(0.1)),
                ("shaken inside out", shaken(1.0)),
            ];
            for (name, x) in shapes {
                let case = format!("{split:?} {degree}, {law}, {name}");
                let bits = |width| (force_bits(&model, &x, width), tangent_bits(&model, &x, width));
                let one = bits(Width::One);
                for width in Width::available() {
                    assert!(bits(width) == one, "{case}, {width:?}");
                }
            }
        }
    }
}

/// Checks that `run` returns the same on 1, 2, 3 and all threads, and returns it.
fn on_any_threads(run: impl Fn() -> u64 + Sync) -> u64 {
    let on = |threads: usize| {
        let pool = ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(&run)
    };
    let hashes = [on(1), on(2), on(3), run()];
    assert!(hashes.iter().all(|hash| *hash == hashes[0]), "{hashes:x?}");
    hashes[0]
}

/// Checks that a world moves with the same bits on any number of threads.
fn moves_alike(world: &World, steps: usize) {
    on_any_threads(|| {
        let mut world = world.clone();
        crate::common::run(&mut world, steps);
        assert!(world.energy().elastic > 0.0);
        world.state_hash()
    });
}

/// Explicit motion has the same bits on any number of threads; the body is large enough that both cells and
/// sums at nodes are distributed over threads.
#[test]
fn threads_do_not_change_a_motion() {
    let mesh = jittered(Split::Tet5, 1, [17, 15, 15]);
    assert!(mesh.nodes.len() > 4096 && mesh.cell_count() > 8 * 256);
    let config = WorldConfig { substeps: Some(2), dt: 1e-3, ..Default::default() };
    let mut world = World::new(config).unwrap();
    let body = held_body(mesh, soft(LawKind::RestStable), &["x-"]);
    world.add_with(body, symplectic_euler()).unwrap();
    moves_alike(&world, 20);
}

/// Implicit motion has the same bits on any number of threads, for every linear solver; the body is large
/// enough that all work is distributed.
#[test]
fn threads_do_not_change_an_implicit_motion() {
    for solver in LinearSolver::ALL {
        let adaptive = (solver == LinearSolver::Auto).then(AdaptiveConfig::default);
        let mesh = jittered(Split::Tet5, 2, [20, 6, 6]);
        assert!(mesh.nodes.len() > 4096 && mesh.cell_count() > 8 * 256);
        let mut world = World::new(WorldConfig::default()).unwrap();
        let body = held_body(mesh, soft(LawKind::Corotated), &["x-"]);
        let method = MethodConfig { solver, adaptive, ..Default::default() };
        world.add_with(body, method).unwrap();
        moves_alike(&world, if heavy() { 3 } else { 2 });
    }
}

/// So has that of a body whose linear level is smoothed and corrected by groups, on more than one task.
#[test]
fn threads_do_not_change_the_levels_of_a_large_body() {
    let mesh = jittered(Split::Tet5, 2, [20, 16, 12]);
    let mut world = World::new(WorldConfig::default()).unwrap();
    let body = held_body(mesh, soft(LawKind::Corotated), &["x-"]);
    assert!(body.model().mesh().corners().len() > 4096 + 300);
    let method = MethodConfig { solver: LinearSolver::Multigrid, ..Default::default() };
    world.add_with(body, method).unwrap();
    moves_alike(&world, 2);
}

/// XPBD has the same bits on any number of threads, over one step of 20 substeps (three in a heavy run); there are enough
/// packs that every colour is distributed.
#[test]
fn threads_do_not_change_a_position_based_motion() {
    let mesh = jittered(Split::Tet5, 1, [17, 15, 15]);
    let mut world = World::new(WorldConfig::default()).unwrap();
    let body = held_body(mesh, soft(LawKind::RestStable), &["x-"]);
    let method = MethodConfig { stepper: Stepper::Xpbd, sweeps: 2, ..Default::default() };
    world.add_with(body, method).unwrap();
    moves_alike(&world, if heavy() { 3 } else { 1 });
}

/// The stiffness has the same bits on any number of threads.
#[test]
fn threads_do_not_change_a_stiffness() {
    let mesh = jittered(Split::Tet5, 2, [7, 6, 7]);
    assert!(mesh.nodes.len() > 2048 && mesh.cell_count() > 4 * 256);
    let model = model(mesh, soft(LawKind::RestStable), None);
    let mut random = Random::new(22);
    let x: Vec<DVec3> = model.mesh().nodes.iter().map(|x| *x + 0.1 * random.vector()).collect();
    on_any_threads(|| {
        let bits = tangent_bits(&model, &x, Width::default()).into_iter();
        bits.fold(0, |hash: u64, bits| (hash ^ bits).wrapping_mul(0x0100_0000_01b3))
    });
}

/// The static solver has the same bits on any number of threads.
#[test]
fn threads_do_not_change_an_equilibrium() {
    let mesh = jittered(Split::Tet5, 2, [5, 4, 4]);
    assert!(mesh.cell_count() > 256);
    let mut world = World::new(WorldConfig::default()).unwrap();
    world.add(held_body(mesh, soft(LawKind::RestStable), &["x-"]));
    on_any_threads(|| {
        let mut world = world.clone();
        let reports = world.solve_static(&StaticConfig::default(), &mut |_| {}).unwrap();
        assert!(reports[0].iterations > 2);
        world.state_hash()
    });
}

/// Bodies with all kinds of cells and all laws, which spin and fall.
fn small_scene() -> World {
    let contact = ContactLevel::Off;
    let config = WorldConfig { substeps: Some(8), contact, ..Default::default() };
    let mut world = World::new(config).unwrap();
    for ((split, degree), law) in all_splits().into_iter().zip(LawKind::ALL.into_iter().cycle()) {
        let mut body = free_body(crumpled(split, degree, [2, 1, 1]), soft(law));
        body.state.v.iter_mut().zip(&body.state.x).for_each(|(v, x)| *v = DVec3::Y.cross(*x));
        world.add_with(body, symplectic_euler()).unwrap();
    }
    world
}

/// The hash of the state after 20 steps is a fixed value: other bits mean other results.
///
/// It may change with an algorithm (another quadrature rule, another order of a sum, another stable step); the commit
/// that changes it gives the reason. It must not depend on the number of threads, the processor, the width of its
/// lanes or the build profile. The value is that of x86-64 Linux: other systems may round a cosine or a logarithm
/// differently.
#[cfg(all(target_arch = "x86_64", target_os = "linux"))]
#[test]
fn the_golden_state_has_not_moved() {
    let mut world = small_scene();
    crate::common::run(&mut world, 20);
    assert_eq!(world.health().resets, 0);
    assert_eq!(format!("{:016x}", world.state_hash()), "3183b041f5831af9");
}

/// Two runs of the same scene end in the same bits.
#[test]
fn two_runs_are_one() {
    let run = || {
        let mut world = small_scene();
        crate::common::run(&mut world, 5);
        world.state_hash()
    };
    assert_eq!(run(), run());
}

//! A world in a steady state allocates nothing: after the first steps, `World::step` allocates no memory.
//!
//! A program with a single test, because the count is of the whole process.
#![allow(clippy::unwrap_used, reason = "tests may panic")]
#![allow(unsafe_code, reason = "an allocator that counts is unsafe by its trait; it only forwards")]

#[path = "engine/common/mod.rs"]
mod common;

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use common::{all_kinds, free_body, held_body, jittered, model, soft, symplectic_euler};
use glam::DVec3;
use pliant::body::{Body, Model, Motion, Pull, RigidConfig, SkinMotion};
use pliant::contact::{ContactLevel, Obstacle};
use pliant::force::{Gusts, Wind};
use pliant::geometry::{Pose, Shape};
use pliant::internals::{CellBlocks, Elasticity, Tangent};
use pliant::material::{LawKind, Material, Toughness};
use pliant::mesh::generate::{BoxConfig, Split, box_mesh};
use pliant::solver::{AdaptiveConfig, LinearSolver, MethodConfig, Stepper};
use pliant::world::{World, WorldConfig};
use pliant_kernels::lanes::Width;

/// The system allocator, with a count of all allocations.
struct Counting;

static ALLOCATIONS: AtomicUsize = AtomicUsize::new(0);

// SAFETY: every call is forwarded unchanged to the system allocator.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ALLOCATIONS.fetch_add(1, Ordering::Relaxed);
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        unsafe { System.dealloc(pointer, layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        ALLOCATIONS.fetch_add(1, Ordering::Relaxed);
        unsafe { System.realloc(pointer, layout, size) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// Bodies with every kind of cell, each small enough to be stepped by one thread. (A large body is split over
/// rayon's threads, whose job queue sometimes allocates.)
fn world() -> World {
    // The bodies overlap.
    let contact = ContactLevel::Off;
    let config = WorldConfig { substeps: Some(4), dt: 4e-4, contact, ..Default::default() };
    let mut world = World::new(config).unwrap();
    for ((split, degree), law) in all_kinds().into_iter().zip(LawKind::ALL.into_iter().cycle()) {
        let mesh = jittered(split, degree, [2, 2, 2]);
        world.add_with(free_body(mesh.clone(), soft(law)), symplectic_euler()).unwrap();
        world.add_with(held_body(mesh, soft(law), &["x-"]), symplectic_euler()).unwrap();
    }
    world
}

/// A body for every combination of implicit stepper, linear solver and one of two laws, some of them adaptive; each
/// rests on the ground and is pulled at its highest node.
fn implicit_world() -> World {
    let config = WorldConfig { contact: ContactLevel::Off, ..Default::default() };
    let mut world = World::new(config).unwrap();
    world.add_obstacle(Obstacle::ground(0.5)).unwrap();
    for stepper in Stepper::ALL.into_iter().filter(|stepper| !stepper.is_explicit()) {
        for solver in LinearSolver::ALL {
            for law in [LawKind::Corotated, LawKind::RestStable] {
                let adapts = law == LawKind::Corotated && stepper.solves();
                let adaptive = adapts.then(AdaptiveConfig::default);
                let method = MethodConfig { stepper, solver, adaptive, ..Default::default() };
                let mut mesh = jittered(Split::Tet5, 2, [2, 1, 1]);
                mesh.nodes.iter_mut().for_each(|x| x.y += 0.01);
                // So strong that it never breaks, but is checked for it in every step.
                let material = Material { toughness: Some(Toughness::new(1e12)), ..soft(law) };
                world.add_with(pulled(free_body(mesh, material)), method).unwrap();
            }
        }
    }
    world
}

/// Cubes on the ground, beside and on top of each other, with a rigid cube on top, all stepped by the same stepper.
/// They are in contact in every step, and under `safe` some of it is resolved by impulses.
fn touching_world((stepper, contact): (Stepper, ContactLevel)) -> World {
    let mut world = World::new(WorldConfig { sleep: None, contact, ..Default::default() }).unwrap();
    world.add_obstacle(Obstacle::ground(0.5)).unwrap();
    let config = BoxConfig { size: [0.2; 3], cells: [2; 3], ..Default::default() };
    let material = Material { young: 2e5, ..soft(LawKind::Corotated) };
    let cube = Model::uniform(box_mesh(&config).unwrap(), material).unwrap();
    let shape = Shape::Box { half: DVec3::splat(0.1) };
    let rigid = Model::rigid_shape(&shape, 2, RigidConfig::default()).unwrap();
    let (cube, rigid) = (Arc::new(cube), Arc::new(rigid));
    let places = [(&cube, [0.0, 0.0]), (&cube, [0.02, 0.201]), (&cube, [0.205, 0.0])];
    for (model, [x, y]) in places.into_iter().chain([(&rigid, [0.12, 0.502])]) {
        let mut body = Body::new("cube", model.clone(), vec![]).unwrap();
        body.state.x.iter_mut().for_each(|p| *p += DVec3::new(x, y, 0.0));
        let method = MethodConfig { stepper, ..Default::default() };
        world.add_with(body, method).unwrap();
    }
    world
}

/// Cubes of one cell on spheres, boxes and capsules between their vertices.
fn perched_world() -> World {
    let mut world = World::new(WorldConfig { sleep: None, ..Default::default() }).unwrap();
    let shapes = [
        Shape::Sphere { radius: 0.05 },
        Shape::Box { half: DVec3::new(0.06, 0.05, 0.05) },
        Shape::Capsule { half_length: 0.02, radius: 0.03 },
    ];
    let size = [0.2; 3];
    let config =
        BoxConfig { size, cells: [1; 3], origin: [-0.1, 0.01, -0.1], ..Default::default() };
    let material = Material { young: 2e6, ..soft(LawKind::Corotated) };
    let cube = Arc::new(Model::uniform(box_mesh(&config).unwrap(), material).unwrap());
    for (k, shape) in (0..).zip(shapes) {
        let place = DVec3::new(f64::from(k), 0.0, 0.0);
        for [x, z] in [[-0.04, -0.03], [0.05, -0.04], [0.01, 0.06]] {
            let pose = Pose::from(place + DVec3::new(x, -0.05, z));
            world
                .add_obstacle(Obstacle { shape: shape.clone(), pose, ..Default::default() })
                .unwrap();
        }
        let mut body = Body::new("cube", cube.clone(), vec![]).unwrap();
        body.state.x.iter_mut().for_each(|p| *p += place);
        world.add(body);
    }
    world
}

/// A body for every stepper and a rigid body in gusty wind, with tractions on every triangle that are set again
/// before every step.
struct Blown {
    world: World,
    motion: SkinMotion,
    tractions: Vec<DVec3>,
}

impl Blown {
    fn new() -> Self {
        let config = WorldConfig { contact: ContactLevel::Off, ..Default::default() };
        let mut world = World::new(config).unwrap();
        world.add_obstacle(Obstacle::ground(0.5)).unwrap();
        let gusts = Gusts { strength: 0.5, ..Default::default() };
        let wind = Wind { velocity: DVec3::new(4.0, 0.0, 1.0), gusts, ..Default::default() };
        world.set_wind(Some(wind)).unwrap();
        for stepper in Stepper::ALL {
            let method = MethodConfig { stepper, ..Default::default() };
            let mesh = jittered(Split::Tet5, 2, [2, 1, 1]);
            world.add_with(free_body(mesh, soft(LawKind::Corotated)), method).unwrap();
        }
        let shape = Shape::Box { half: DVec3::splat(0.5) };
        let rigid = Model::rigid_shape(&shape, 2, RigidConfig::default()).unwrap();
        world.add(Body::new("rigid", Arc::new(rigid), vec![]).unwrap());
        Self { world, motion: SkinMotion::default(), tractions: Vec::new() }
    }

    fn step(&mut self) {
        let Self { world, motion, tractions } = self;
        for k in 0..=Stepper::ALL.len() {
            let handle = world.bodies().nth(k).unwrap().0;
            world.skin_motion(handle, motion).unwrap();
            tractions.clear();
            tractions.extend(motion.areas.iter().map(|area| -20.0 * area.normalize()));
            world.set_tractions(handle, tractions).unwrap();
        }
        world.step();
    }
}

/// The same body with a spring at its highest node.
fn pulled(mut body: Body) -> Body {
    let highest = body.state.x.iter().copied().max_by(|a, b| a.y.total_cmp(&b.y)).unwrap();
    let point = body.model().locate(highest).unwrap();
    body.add_pull(Pull { point, motion: Motion::default(), stiffness: 10.0, damping: 1.0 })
        .unwrap();
    body
}

/// All evaluations of cells that implicit steppers use, with their buffers.
struct Cells {
    model: Arc<Model>,
    tangent: Tangent,
    blocks: CellBlocks,
    vectors: Vec<DVec3>,
    numbers: Vec<f64>,
}

impl Cells {
    fn of_every_kind() -> Vec<Self> {
        let kinds = all_kinds().into_iter().zip(LawKind::ALL.into_iter().cycle());
        let models = kinds.map(|((split, degree), law)| {
            model(jittered(split, degree, [2, 2, 2]), soft(law), None)
        });
        models.map(Self::new).collect()
    }

    fn new(model: Arc<Model>) -> Self {
        let nodes = model.mesh().nodes.len();
        Self {
            tangent: Tangent::new(&model, Width::default()),
            blocks: CellBlocks::new(&model),
            vectors: vec![DVec3::ZERO; nodes],
            numbers: vec![0.0; nodes],
            model,
        }
    }

    fn ask(&mut self) {
        let Self { model, tangent, blocks, vectors, numbers } = self;
        let x = &model.mesh().nodes;
        tangent.forces(model.rest_shape(), x, vectors);
        tangent.linearise(model.rest_shape(), x);
        tangent.apply(model.rest_shape(), x, vectors);
        tangent.blocks(model.rest_shape(), blocks);
        tangent.diagonal(model.rest_shape(), numbers);
        assert_eq!(tangent.change(model.rest_shape(), x), 0.0);
        tangent.mark(model, x);
    }
}

/// Fifty steps of all worlds, and fifty evaluations of all cells, allocate nothing. Exact: the count must be
/// zero.
#[test]
fn a_step_allocates_nothing() {
    let mut cells = Cells::of_every_kind();
    let mut world = world();
    let mut implicit = implicit_world();
    world.step();
    // Until the bodies have landed: the lists of contacts have then reached their final size.
    for _ in 0..60 {
        implicit.step();
    }
    let levels = [ContactLevel::Game, ContactLevel::Safe];
    let steppers = [Stepper::ImplicitEuler, Stepper::Xpbd];
    let kinds = levels.into_iter().flat_map(|level| steppers.map(|stepper| (stepper, level)));
    let mut touching: Vec<World> = kinds.map(touching_world).collect();
    let perched = perched_world();
    let mut blown = Blown::new();
    for _ in 0..300 {
        blown.step();
        touching.iter_mut().for_each(|world| {
            world.step();
        });
    }
    assert!(touching.iter().all(|world| !world.contact_pairs().is_empty()), "the cubes must touch");
    touching.push(perched);
    for _ in 0..300 {
        touching.iter_mut().for_each(|world| _ = world.step());
    }
    let before = ALLOCATIONS.load(Ordering::Relaxed);
    for _ in 0..50 {
        world.step();
        implicit.step();
        blown.step();
        touching.iter_mut().for_each(|world| {
            world.step();
        });
        cells.iter_mut().for_each(Cells::ask);
    }
    let during = ALLOCATIONS.load(Ordering::Relaxed) - before;
    assert_eq!(during, 0, "{during} allocations in 50 steps");
    assert_eq!(world.health().resets + implicit.health().resets, 0);
    assert!(ALLOCATIONS.load(Ordering::Relaxed) > 0, "the allocator does not count");
}

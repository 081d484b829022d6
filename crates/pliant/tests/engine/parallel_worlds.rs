//! Many worlds side by side on one pool of threads: the same bits as alone, and no world waits for another.

use std::sync::Arc;

use glam::DVec3;
use pliant::body::{Model, RigidConfig};
use pliant::material::{LawKind, Material, Toughness};
use pliant::mesh::generate::{BallConfig, BoxConfig, Split, ball, box_mesh};
use pliant::solver::{MethodConfig, Stepper};
use pliant::world::{Break, Event, StepReport, World, WorldConfig};
use pliant::{Body, BodyHandle, Obstacle, Shape};
use rayon::prelude::*;

use super::common::cases;

/// The models that all worlds share.
struct Models {
    cube: Arc<Model>,
    chalk: Arc<Model>,
    ball: Arc<Model>,
    crate_: Arc<Model>,
    /// So many cells that their boundary, and the sweeps of XPBD, are worked on by several threads.
    large: Arc<Model>,
}

impl Models {
    fn new() -> Self {
        let soft = Material { law: LawKind::Corotated, young: 2e5, ..Default::default() };
        let chalk = Material { toughness: Some(Toughness::new(2e3)), ..soft };
        let cube = BoxConfig { size: [0.4; 3], cells: [3; 3], ..Default::default() };
        let large = BoxConfig { size: [1.0; 3], cells: [8; 3], split: Split::Tet5, ..cube };
        let round = BallConfig { radius: 0.3, degree: 2, ..Default::default() };
        let surface = Shape::Box { half: DVec3::splat(0.2) }.surface(2).unwrap();
        let uniform = |mesh, material| Arc::new(Model::uniform(mesh, material).unwrap());
        Self {
            cube: uniform(box_mesh(&cube).unwrap(), soft),
            chalk: uniform(box_mesh(&cube).unwrap(), chalk),
            ball: uniform(ball(&round).unwrap(), soft),
            crate_: Arc::new(Model::rigid(&surface, RigidConfig::default()).unwrap()),
            large: uniform(box_mesh(&large).unwrap(), soft),
        }
    }
}

fn add(world: &mut World, model: &Arc<Model>, at: DVec3, stepper: Stepper) {
    let mut body = Body::new("body", model.clone(), vec![]).unwrap();
    body.place(at).unwrap();
    body.set_velocity(-3.0 * DVec3::Y).unwrap();
    world.add_with(body, MethodConfig { stepper, ..Default::default() }).unwrap();
}

/// A world of its own for every number: a heap of soft, breaking and rigid bodies; every other one with a large body of XPBD.
fn world(models: &Models, number: usize) -> World {
    let mut world = World::new(WorldConfig::default()).unwrap();
    world.add_obstacle(Obstacle::ground(0.5)).unwrap();
    let kinds = [&models.cube, &models.chalk, &models.ball, &models.crate_];
    for (k, model) in kinds.into_iter().enumerate() {
        let shift = 0.01 * (number + k) as f64;
        let at = DVec3::new(shift, 0.4 + 0.55 * k as f64, 0.5 * shift);
        add(&mut world, model, at, Stepper::Bdf2);
    }
    if number % 2 == 1 {
        add(&mut world, &models.large, DVec3::new(3.0, 1.0, 0.0), Stepper::Xpbd);
    }
    world
}

fn worlds(models: &Models, count: usize) -> Vec<World> {
    (0..count).map(|number| world(models, number)).collect()
}

fn step_all(worlds: &mut [World], steps: usize) {
    for _ in 0..steps {
        worlds.par_iter_mut().for_each(|world| _ = world.step());
    }
}

fn hashes(worlds: &[World]) -> Vec<u64> {
    worlds.iter().map(World::state_hash).collect()
}

fn pool(threads: usize) -> rayon::ThreadPool {
    rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap()
}

/// The compiler checks it: a world, and what it gives away, may go to other threads and be read by several.
#[test]
fn worlds_may_go_to_other_threads() {
    fn shared<T: Send + Sync>() {}
    shared::<World>();
    shared::<Body>();
    shared::<Model>();
    shared::<BodyHandle>();
    shared::<Event>();
    shared::<Break>();
    shared::<StepReport>();
}

/// Worlds with contact, breaks, rigid bodies and XPBD, which share their models: in one pool of 1, 2 or 4 threads, and with a thread of its own for each,
/// they have the bits of worlds that step alone.
#[test]
fn worlds_side_by_side_have_the_bits_of_worlds_alone() {
    let models = Models::new();
    let (count, steps) = (4, 30);
    let mut alone = worlds(&models, count);
    pool(1).install(|| {
        alone.iter_mut().for_each(|world| (0..steps).for_each(|_| _ = world.step()));
    });
    assert!(alone.iter().any(|world| world.bodies().count() > 5), "no chalk broke");
    let expected = hashes(&alone);
    for threads in [1, 2, 4] {
        let mut together = worlds(&models, count);
        pool(threads).install(|| step_all(&mut together, steps));
        assert_eq!(hashes(&together), expected, "{threads} threads");
    }
    let mut apart = worlds(&models, count);
    std::thread::scope(|scope| {
        for world in &mut apart {
            scope.spawn(move || (0..steps).for_each(|_| _ = world.step()));
        }
    });
    assert_eq!(hashes(&apart), expected, "threads outside of the pool");
}

/// Models make their boundaries at first use, on all threads of the pool. A thread that waits for the others steps another world meanwhile, which may use the
/// same model: it must not wait for itself. Fresh models many times over, with more threads than processors.
#[test]
fn worlds_side_by_side_may_share_new_models() {
    let pool = pool(4);
    for _ in 0..cases(40) {
        let models = Models::new();
        let mut worlds: Vec<World> = (0..6).map(|k| world(&models, 2 * k + 1)).collect();
        pool.install(|| step_all(&mut worlds, 1));
        let drawn = |world: &World| {
            world.bodies().map(|(_, body)| body.drawn_skin().vertex_count()).sum::<usize>()
        };
        let vertices: Vec<usize> = pool.install(|| worlds.par_iter().map(drawn).collect());
        assert!(vertices.iter().all(|count| *count == vertices[0]));
    }
}

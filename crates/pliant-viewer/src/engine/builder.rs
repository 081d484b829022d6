//! A second thread that builds bodies and worlds, so that the engine never waits for them.

use std::path::Path;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread;

use pliant::body::Body;
use pliant::world::World;
use pliant_io::scene::{BuiltBody, Scene};

use super::apply_edit::{NewBody, NewParts, NewSettings, invalid, model_of};
use super::change::{BodyChange, Change};
use super::document::{Document, bad_scene};
use super::order::{Order, Refusal};
use super::parts::BodyParts;
use super::stage::Stage;

/// A task for the builder.
#[derive(Debug)]
pub(crate) struct Job {
    pub(crate) document: Document,
    pub(crate) scene: Scene,
    pub(crate) change: Change,
    /// The present parts of each body; those of changed bodies are kept as far as possible.
    pub(crate) parts: Vec<BodyParts>,
}

/// The result of a task.
#[derive(Debug)]
pub(crate) struct Built {
    pub(crate) result: Result<Product, Refusal>,
}

/// The product of a task.
#[derive(Debug)]
pub(crate) enum Product {
    /// A world.
    Stage(Box<Stage>),
    /// Some bodies.
    Bodies(Box<NewBodies>),
}

/// Rebuilt bodies of a scene.
#[derive(Debug)]
pub(crate) struct NewBodies {
    pub(crate) document: Document,
    pub(crate) scene: Scene,
    pub(crate) change: Vec<BodyChange>,
    pub(crate) made: NewParts,
}

/// Starts the thread; it ends when the sender of jobs is dropped.
pub(crate) fn start(orders: SyncSender<Order>) -> std::io::Result<SyncSender<Job>> {
    let (jobs, inbox) = sync_channel(1);
    thread::Builder::new().name("pliant builder".to_owned()).spawn(move || work(inbox, orders))?;
    Ok(jobs)
}

fn work(inbox: Receiver<Job>, orders: SyncSender<Order>) {
    for job in inbox {
        let result = build(job);
        if orders.send(Order::Built(Box::new(Built { result }))).is_err() {
            return;
        }
    }
}

/// Does a job. A panic is an error, so that the thread goes on.
pub(crate) fn build(job: Job) -> Result<Product, Refusal> {
    let made = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| make(job)));
    made.unwrap_or_else(|_| {
        let message = "the builder failed unexpectedly; please report this scene";
        Err(Refusal::new("bad-scene", message))
    })
}

fn make(job: Job) -> Result<Product, Refusal> {
    let Job { document, scene, change, parts } = job;
    let Change::Bodies(change) = change else {
        return Ok(Product::Stage(Box::new(Stage::open(document)?)));
    };
    let mut made = NewParts::default();
    for (index, origin) in super::document::origins(&scene).into_iter().enumerate() {
        let change = change[origin];
        if change < BodyChange::Pinned {
            if let Some(body) = &parts[index].body {
                let settings = new_settings(&scene, (index, origin), body, &made.settings)?;
                made.settings.push(settings);
            }
            continue;
        }
        let keeps_state = change < BodyChange::Remeshed;
        let first = scene.bodies[index].copy.as_ref().map(|copy| copy.of).filter(|of| *of != index);
        let first = first.and_then(|of| made.bodies.iter().find(|body| body.index == of));
        let BuiltBody { body, mesh } = match first {
            Some(first) => {
                let copy = scene.copy_body(index, &first.body);
                let none = || Refusal::new("bad-scene", "copies cannot be made");
                BuiltBody { body: copy.ok_or_else(none)?, mesh: first.mesh.clone() }
            }
            None => build_body(&scene, index, &document.base, change, &parts[index])?,
        };
        let prepared = prepared_world(&scene, index, &body);
        made.bodies.push(NewBody { index, body, mesh, prepared, keeps_state });
    }
    Ok(Product::Bodies(Box::new(NewBodies { document, scene, change, made })))
}

/// Builds a body with the parts of the old one that a change leaves as they are.
fn build_body(
    scene: &Scene,
    index: usize,
    base: &Path,
    change: BodyChange,
    parts: &BodyParts,
) -> Result<BuiltBody, Refusal> {
    let model = parts.model.as_ref().filter(|_| change == BodyChange::Pinned);
    let built = match change {
        BodyChange::Remeshed => scene.build_body(index, base),
        _ => scene.rebuild_body(index, base, &parts.mesh, model),
    };
    built.map_err(|error| bad_scene(&error))
}

/// Makes the model of a body with other materials, which copies share, and its stepper.
fn new_settings(
    scene: &Scene,
    (index, origin): (usize, usize),
    body: &Body,
    others: &[NewSettings],
) -> Result<NewSettings, Refusal> {
    let old = body.model().clone();
    let shares = |other: &&NewSettings| other.origin == origin && Arc::ptr_eq(&other.old, &old);
    let model = match others.iter().find(shares) {
        Some(other) => other.model.clone(),
        None => model_of(&scene.bodies[index], &old.clone().into())?.model,
    };
    let body = body.with_model(model.clone()).map_err(|error| invalid(&error))?;
    let prepared = prepared_world(scene, index, &body);
    Ok(NewSettings { index, origin, old, model, prepared })
}

/// Makes a world with this body alone, so that the running world need not make its stepper; `None` if its method does not
/// fit, which the running world then reports.
fn prepared_world(scene: &Scene, index: usize, body: &Body) -> Option<Box<World>> {
    let mut world = World::new(scene.world).ok()?;
    // With an obstacle the skin for contact is made, too.
    if let Some(plan) = scene.obstacles.first() {
        world.add_obstacle(plan.obstacle.clone()).ok()?;
    }
    world.add_with(body.clone(), scene.bodies[index].method).ok()?;
    Some(Box::new(world))
}

//! The bar in Pliant.

use std::sync::Arc;

use glam::DVec3;
use pliant::mesh::generate::{BoxConfig, Split, box_mesh};
use pliant::{Body, BodyHandle, LawKind, Material, MaterialPoint, MethodConfig, Model, Pin, Stepper, World, WorldConfig};
use rayon::{ThreadPool, ThreadPoolBuilder};

use crate::Bar;
use crate::xpbd::{ALONG, SUBSTEPS};

struct Ours {
    world: World,
    body: BodyHandle,
    tip: MaterialPoint,
    one_thread: ThreadPool,
}

/// Quadratic tetrahedra on half as many boxes in each direction. They have the same nodes, except those in the
/// middle of boxes.
pub fn implicit(n: usize, damped: bool) -> Box<dyn Bar> {
    let damping = if damped { 3.08 } else { 0.0 };
    bar(n / 2, 2, LawKind::Corotated, MethodConfig::default(), damping)
}

/// Linear tetrahedra, stepped by XPBD.
pub fn xpbd(law: LawKind) -> Box<dyn Bar> {
    let method = MethodConfig {
        stepper: Stepper::Xpbd,
        substeps: Some(SUBSTEPS),
        sweeps: 1,
        ..Default::default()
    };
    bar(ALONG, 1, law, method, 0.0)
}

fn bar(
    along: usize,
    degree: usize,
    law: LawKind,
    method: MethodConfig,
    damping: f64,
) -> Box<dyn Bar> {
    let model = Arc::new(model(along, degree, law));
    let tip = model.locate(DVec3::new(4.0, 0.5, 0.5)).expect("the end is in the bar");
    let wall = model.mesh().node_set("x-").expect("a box names its sides").nodes.clone();
    let pin = Pin { nodes: wall, ..Default::default() };
    let body = Body::new("bar", model, vec![pin]).expect("a sound body");
    let gravity = DVec3::new(0.0, -9.8, 0.0);
    let config = WorldConfig { gravity, damping, ..Default::default() };
    let mut world = World::new(config).expect("sound settings");
    let body = world.add_with(body, method).expect("a method that suits it");
    let one_thread = ThreadPoolBuilder::new().num_threads(1).build().expect("a thread");
    Box::new(Ours { world, body, tip, one_thread })
}

fn model(along: usize, degree: usize, law: LawKind) -> Model {
    let mesh = box_mesh(&BoxConfig {
        size: [4.0, 1.0, 1.0],
        cells: [along, along / 4, along / 4],
        split: Split::Tet5,
        degree,
        ..Default::default()
    });
    let material =
        Material { law, young: 1e6, poisson: 0.35, density: 1000.0, ..Default::default() };
    Model::uniform(mesh.expect("a sound box"), material).expect("a sound model")
}

impl Bar for Ours {
    fn step(&mut self) {
        self.one_thread.install(|| self.world.step());
    }

    fn sunk(&self) -> f64 {
        let body = self.world.get(self.body).expect("it was added");
        self.tip.position(&body.state.x).y - 0.5
    }

    fn size(&self) -> (usize, usize) {
        let mesh = self.world.get(self.body).expect("it was added").model().mesh();
        (mesh.nodes.len(), mesh.cell_count())
    }
}

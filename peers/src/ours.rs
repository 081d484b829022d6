//! The bar in Pliant.

use std::sync::Arc;

use glam::DVec3;
use pliant::body::{Body, MaterialPoint, Model, Pin};
use pliant::material::{LawKind, Material};
use pliant::mesh::generate::{BoxConfig, Split, box_mesh};
use pliant::world::{Handle, World, WorldConfig};
use rayon::{ThreadPool, ThreadPoolBuilder};

use crate::Bar;

struct Ours {
    world: World,
    body: Handle,
    tip: MaterialPoint,
    one_thread: ThreadPool,
}

/// Quadratic tetrahedra on half as many boxes in each direction: as many nodes, less those in the
/// middle of boxes.
pub fn bar(n: usize, damped: bool) -> Box<dyn Bar> {
    let config = BoxConfig {
        size: [4.0, 1.0, 1.0],
        cells: [n / 2, n / 8, n / 8],
        split: Split::Tet5,
        degree: 2,
        ..Default::default()
    };
    let mesh = box_mesh(&config).expect("a sound box");
    let wall = mesh.node_set("x-").expect("a box names its sides").nodes.clone();
    let material = Material {
        law: LawKind::Corotated,
        young: 1e6,
        poisson: 0.35,
        density: 1000.0,
        ..Default::default()
    };
    let model = Arc::new(Model::uniform(mesh, material).expect("a sound model"));
    let tip = model.locate(DVec3::new(4.0, 0.5, 0.5)).expect("the end is in the bar");
    let pin = Pin { nodes: wall, ..Default::default() };
    let body = Body::new("bar", model, vec![pin]).expect("a sound body");
    let mut world = World::new(WorldConfig {
        gravity: DVec3::new(0.0, -9.8, 0.0),
        damping: if damped { 3.08 } else { 0.0 },
        ..Default::default()
    })
    .expect("sound settings");
    let body = world.add(body);
    let one_thread = ThreadPoolBuilder::new().num_threads(1).build().expect("a thread");
    Box::new(Ours { world, body, tip, one_thread })
}

impl Bar for Ours {
    fn step(&mut self) {
        self.one_thread.install(|| self.world.step());
    }

    fn sunk(&self) -> f64 {
        let body = self.world.body(self.body).expect("it was added");
        self.tip.position(&body.state.x).y - 0.5
    }

    fn size(&self) -> (usize, usize) {
        let mesh = self.world.body(self.body).expect("it was added").model().mesh();
        (mesh.nodes.len(), mesh.cell_count())
    }
}

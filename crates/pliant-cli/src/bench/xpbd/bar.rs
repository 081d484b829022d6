//! Bodies of the paper's tests, stepped to rest.

use std::sync::Arc;
use std::time::Instant;

use anyhow::{Context as _, Result};
use glam::DVec3;
use pliant::body::{Body, Model, Motion, Pin};
use pliant::material::{LawKind, Material, Parameters};
use pliant::mesh::generate::{BoxConfig, Split, box_mesh};
use pliant::solver::{MethodConfig, StaticConfig, Stepper};
use pliant::world::{BodyHandle, World, WorldConfig};

/// A box of one material that is held or moved at its ends along one axis.
#[derive(Debug, Clone)]
pub(super) struct Setup {
    pub(super) size: [f64; 3],
    pub(super) cells: [usize; 3],
    pub(super) split: Split,
    pub(super) degree: usize,
    /// Number of times that every cell is divided into eight.
    pub(super) refine: u32,
    pub(super) material: Material,
    pub(super) gravity: f64,
    /// Node sets and how they move.
    pub(super) pins: Vec<(&'static str, Motion)>,
    pub(super) method: MethodConfig,
    /// Velocity decay rate that brings the body to rest, in 1/s.
    pub(super) damping: f64,
}

/// The law of the paper, with its constants inserted literally.
pub(super) fn as_published(law: LawKind, young: f64, poisson: f64, density: f64) -> Material {
    Material {
        law,
        young,
        poisson,
        density,
        parameters: Parameters::AsPublished,
        ..Default::default()
    }
}

/// XPBD with this number of substeps.
pub(super) fn xpbd(substeps: u32) -> MethodConfig {
    MethodConfig { stepper: Stepper::Xpbd, substeps: Some(substeps), ..Default::default() }
}

/// A body in a world of its own.
#[derive(Debug, Clone)]
pub(super) struct Run {
    pub(super) world: World,
    pub(super) body: BodyHandle,
    /// Milliseconds of every frame.
    pub(super) frames: Vec<f64>,
    pub(super) residual: f64,
}

impl Setup {
    pub(super) fn build(&self) -> Result<Run> {
        let config = BoxConfig {
            size: self.size,
            cells: self.cells,
            split: self.split,
            degree: self.degree,
            ..Default::default()
        };
        let mut mesh = box_mesh(&config)?;
        for _ in 0..self.refine {
            mesh = mesh.refined()?;
        }
        let pin = |(set, motion): &(&'static str, Motion)| -> Result<Pin> {
            let nodes = mesh.node_set(set).context("a side of the box")?.nodes.clone();
            Ok(Pin { nodes, motion: motion.clone(), ..Default::default() })
        };
        let pins = self.pins.iter().map(pin).collect::<Result<Vec<Pin>>>()?;
        let model = Arc::new(Model::uniform(mesh, self.material)?);
        let (gravity, damping) = (DVec3::new(0.0, -self.gravity, 0.0), self.damping);
        let mut world = World::new(WorldConfig { gravity, damping, ..Default::default() })?;
        let body = world.add_with(Body::new("box", model, pins)?, self.method)?;
        Ok(Run { world, body, frames: Vec::new(), residual: 0.0 })
    }

    /// Runs the body for this number of frames.
    pub(super) fn run(&self, frames: usize) -> Result<Run> {
        let mut run = self.build()?;
        (0..frames).for_each(|_| run.step());
        Ok(run)
    }
}

impl Run {
    pub(super) fn step(&mut self) {
        let start = Instant::now();
        let report = self.world.step();
        self.frames.push(1e3 * start.elapsed().as_secs_f64());
        self.residual = report.sweeps.residual;
    }

    /// The body.
    pub(super) fn body(&self) -> Result<&Body> {
        self.world.get(self.body).context("the body of this world")
    }

    /// Displacement of the material point with rest position `at`, in m.
    pub(super) fn moved(&self, at: DVec3) -> Result<DVec3> {
        let body = self.body()?;
        let point = body.model().locate(at).context("a point of the body")?;
        Ok(point.position(&body.state.x) - at)
    }

    /// Median frame time, in ms.
    pub(super) fn median(&self) -> f64 {
        let mut sorted = self.frames.clone();
        sorted.sort_by(f64::total_cmp);
        sorted.get(sorted.len() / 2).copied().unwrap_or(0.0)
    }

    /// Number of nodes and of cells.
    pub(super) fn size(&self) -> Result<(usize, usize)> {
        let mesh = self.body()?.model().mesh();
        Ok((mesh.nodes.len(), mesh.cell_count()))
    }

    /// The equilibrium on the same mesh, solved from the current state.
    pub(super) fn balanced(&self) -> Result<Self> {
        let mut run = self.clone();
        run.world.solve_static(&StaticConfig::default(), &mut |_| {})?;
        Ok(run)
    }
}

//! A bar that is clamped at one end, under gravity.

use std::sync::Arc;

use anyhow::{Context as _, Result};
use glam::DVec3;
use pliant::body::MaterialPoint;
use pliant::world::StepReport;
use pliant::{Body, BodyHandle, LawKind, Material, MethodConfig, Model, Pin, World, WorldConfig};

use super::grid::Grid;
use crate::bench::one_thread::OneThread;

/// The bar in its world.
pub(super) struct ClampedBar {
    pub(super) world: World,
    thread: OneThread,
    bar: BodyHandle,
    /// The middle of the free end, and its height at the start, in m.
    end: MaterialPoint,
    start: f64,
}

impl ClampedBar {
    /// A straight bar of 4 × 1 × 1 m, stepped every `h` seconds, with velocities damped at a rate in 1/s.
    pub(super) fn new(grid: Grid, method: MethodConfig, h: f64, damping: f64) -> Result<Self> {
        let mesh = grid.mesh([4.0, 1.0, 1.0])?;
        let wall = mesh.node_set("x-").map(|set| set.nodes.clone()).unwrap_or_default();
        let material = Material {
            law: LawKind::RestStable,
            young: 1e7,
            poisson: 0.3,
            density: 1000.0,
            ..Default::default()
        };
        let model = Arc::new(Model::uniform(mesh, material)?);
        let middle = DVec3::new(4.0, 0.5, 0.5);
        let end = model.locate(middle).context("the end is in the bar")?;
        let body = Body::new("bar", model, vec![Pin { nodes: wall, ..Default::default() }])?;
        let gravity = DVec3::new(0.0, -9.81, 0.0);
        let mut world = World::new(WorldConfig { dt: h, gravity, damping, ..Default::default() })?;
        let bar = world.add_with(body, method)?;
        Ok(Self { world, thread: OneThread::new()?, bar, end, start: middle.y })
    }

    /// Steps the bar on its thread.
    pub(super) fn step(&mut self) -> StepReport {
        self.thread.step(&mut self.world)
    }

    /// The mean processor time of a step, in ms.
    pub(super) fn ms(&self) -> f64 {
        self.thread.ms()
    }

    /// The height of the end from that at the start, in m.
    pub(super) fn height(&self) -> Result<f64> {
        let body = self.world.get(self.bar).context("the bar is in the world")?;
        Ok(self.end.position(&body.state.x).y - self.start)
    }
}

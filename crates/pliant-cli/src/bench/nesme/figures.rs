//! Voxel bodies of the gallery, and their deflection under gravity.

use std::sync::Arc;

use anyhow::{Context as _, Result};
use glam::DVec3;
use pliant::body::{Body, MaterialPoint, Model, ModelConfig, Motion, Pull};
use pliant::geometry::Surface;
use pliant::material::{LawKind, Material};
use pliant::solver::{LinearSolver, MethodConfig};
use pliant::world::{World, WorldConfig};
use pliant_mesher::voxels::{CellSize, VoxelConfig, Voxels, voxelize};

/// The distribution of stiffness inside a cell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Weighting {
    /// Section 5.3: stiff only where there is material.
    Distributed,
    /// Section 5.1: uniform, with the fill ratio of the cell.
    Uniform,
}

/// The share of the height of a figure, from below, that is held.
const HELD_HEIGHT: f64 = 0.1;

/// Total stiffness of the springs that hold a figure, in multiples of E times its height.
const HOLD_STIFFNESS: f64 = 100.0;

/// The largest number of steps to equilibrium, and their length, in s: with such long steps implicit Euler damps all
/// faster motion.
const MAX_STEPS: usize = 40;
const STEP_LENGTH: f64 = 1.0;

/// Displacement in a step, in m, below which a figure is at rest.
const REST_DISPLACEMENT: f64 = 1e-6;

/// A corotated material of this stiffness.
fn material(young: f64) -> Material {
    Material { law: LawKind::Corotated, young, poisson: 0.3, density: 1000.0, ..Default::default() }
}

/// Voxels of a surface, with cells at level `level` and leaves at level `leaves`.
pub(super) fn voxels(surface: &Surface, level: u32, leaves: u32, degree: usize) -> Result<Voxels> {
    let (size, leaf_depth) = (CellSize::Depth(level), Some(leaves));
    Ok(voxelize(surface, &VoxelConfig { size, leaf_depth, degree, ..Default::default() })?)
}

/// The model of voxels, with the surface as its skin.
pub(super) fn model(voxels: &Voxels, weighting: Weighting, young: f64) -> Result<Model> {
    let contents = match weighting {
        Weighting::Distributed => voxels.contents.clone(),
        Weighting::Uniform => voxels.contents.smeared(),
    };
    let (mesh, materials) = (voxels.mesh.clone(), vec![material(young)]);
    let model = Model::with_contents(mesh, materials, contents, ModelConfig::default())?;
    Ok(model.with_skin(voxels.embedding.skin(&voxels.mesh)))
}

/// Displacements under gravity of the first `given` vertices, those of the original surface, in m.
///
/// The lowest tenth of the surface is held by stiff springs on its vertices, the same for all cell sizes: pinned nodes
/// would hold more of the body for coarser cells.
pub(super) fn deflections(voxels: &Voxels, model: Model, given: usize) -> Result<Vec<DVec3>> {
    let young = model.material(0).young;
    let skin = model.skin().context("voxels have a skin")?.clone();
    let mut rest = Vec::new();
    skin.interpolate(&voxels.mesh.nodes, &mut rest);
    let heights = rest.iter().map(|x| x.y);
    let (low, high) = heights.fold((f64::MAX, f64::MIN), |(l, h), y| (l.min(y), h.max(y)));
    let held: Vec<usize> =
        (0..given).filter(|vertex| rest[*vertex].y < low + HELD_HEIGHT * (high - low)).collect();
    let mut body = Body::new("figure", Arc::new(model), vec![])?;
    let stiffness = HOLD_STIFFNESS * young * (high - low) / held.len() as f64;
    for vertex in held {
        let point = MaterialPoint::at(&voxels.mesh, &voxels.embedding.places[vertex]);
        body.add_pull(Pull { point, motion: Motion::default(), stiffness, damping: 0.0 })?;
    }
    let mut world = World::new(WorldConfig { dt: STEP_LENGTH, ..Default::default() })?;
    let solver = LinearSolver::Cholesky;
    let method =
        MethodConfig { solver, tolerance: 1e-7, max_iterations: 500, ..Default::default() };
    let handle = world.add_with(body, method)?;
    for _ in 0..MAX_STEPS {
        world.step();
        let body = world.get(handle).context("nothing removes it")?;
        let speed = body.state.v.iter().map(|v| v.length()).fold(0.0, f64::max);
        if speed * STEP_LENGTH < REST_DISPLACEMENT {
            break;
        }
    }
    let body = world.get(handle).context("nothing removes it")?;
    let mut now = Vec::new();
    skin.interpolate(&body.state.x, &mut now);
    Ok(now.iter().zip(&rest).take(given).map(|(now, rest)| *now - *rest).collect())
}

//! Table 1 of Nesme et al. 2006, and the surface update of Mezger et al. 2007.

use std::fmt::Write as _;
use std::sync::Arc;
use std::time::Instant;

use anyhow::Result;
use glam::DVec3;
use pliant::body::{Body, Model, Pin, Skin};
use pliant::mesh::Mesh;
use pliant::solver::Rotation;
use pliant::solver::{LinearSolver, MethodConfig};
use pliant::world::{World, WorldConfig};
use pliant_mesher::gallery::Figure;
use pliant_mesher::tets::{Size, TetConfig, Within, tetrahedra};

use crate::bench::Progress;

use super::figures::{Weighting, model, voxels};

/// A row of Table 1: its body, and one of ours that is as large or larger.
struct Row {
    paper: &'static str,
    vertices: usize,
    cells: usize,
    /// Published times: preprocessing in s, animation and update in ms.
    published: [f64; 3],
    figure: Figure,
    edge: f64,
    level: u32,
    leaves: u32,
}

const ROWS: [Row; 4] = [
    Row {
        paper: "bunny",
        vertices: 453,
        cells: 8,
        published: [1.5, 1.0, 1.0],
        figure: Figure::Bear,
        edge: 0.105,
        level: 1,
        leaves: 5,
    },
    Row {
        paper: "dino",
        vertices: 2151,
        cells: 33,
        published: [2.0, 2.0, 2.0],
        figure: Figure::Bird,
        edge: 0.031,
        level: 2,
        leaves: 5,
    },
    Row {
        paper: "fox",
        vertices: 8564,
        cells: 30,
        published: [3.0, 3.0, 7.0],
        figure: Figure::Bird,
        edge: 0.0148,
        level: 2,
        leaves: 5,
    },
    Row {
        paper: "dragon",
        vertices: 21507,
        cells: 125,
        published: [7.0, 7.0, 9.0],
        figure: Figure::Dragon,
        edge: 0.0092,
        level: 3,
        leaves: 6,
    },
];

/// Number of timed steps, and of warm-up steps before them.
const STEPS: usize = 200;
const WARM_UP_STEPS: usize = 20;

/// Iterations of conjugate gradients in a step: the largest number in section 4.2.
const ITERATIONS: u32 = 10;

/// Preprocessing, animation and update of bodies of the same sizes.
pub(super) fn table(progress: Progress<'_>) -> Result<String> {
    let mut text = format!(
        "## Table 1 of Nesme et al. 2006\n\n\
         Bodies of the gallery with about as many vertices and cells as those of the paper, shaken at their lowest \
         nodes: implicit Euler, rotations from edges, {ITERATIONS} iterations of conjugate gradients without a \
         matrix, as in its section 4.2. In parentheses: the published figure, and how many times faster ours is.\n\n\
         | body | vertices | cells | nodes | preprocessing | animation | update |\n|---|---|---|---|---|---|---|\n"
    );
    for row in &ROWS {
        progress(row.paper);
        let surface = row.figure.surface(row.edge);
        let begin = Instant::now();
        let made = voxels(&surface, row.level, row.leaves, 1)?;
        let model = Arc::new(model(&made, Weighting::Distributed, 1e5)?);
        let (mut world, skin) = shaken(model.clone())?;
        let seconds = begin.elapsed().as_secs_f64();
        let [animation, update] = timed(&mut world, &skin);
        let ours = [1e3 * seconds, animation, update];
        let published = [1e3 * row.published[0], row.published[1], row.published[2]];
        let cell = |k: usize| {
            format!("{:.3} ms ({}, {:.0} ×)", ours[k], published[k], published[k] / ours[k])
        };
        writeln!(
            text,
            "| {} in place of the {} | {} ({}) | {} ({}) | {} | {} | {} | {} |",
            row.figure.name(),
            row.paper,
            surface.vertices.len(),
            row.vertices,
            made.report.cell_count,
            row.cells,
            made.report.node_count,
            cell(0),
            cell(1),
            cell(2)
        )?;
    }
    Ok(text)
}

/// A body that bends under gravity, with its lowest nodes held.
fn shaken(model: Arc<Model>) -> Result<(World, Skin)> {
    let (low, high) = model.mesh().bounds();
    let nodes = (0u32..).zip(&model.mesh().nodes);
    let held = nodes.filter(|(_, x)| x.y < low.y + 1e-6 * (high.y - low.y));
    let pin = Pin { nodes: held.map(|(node, _)| node).collect(), ..Default::default() };
    let skin = model.skin().cloned().unwrap_or_default();
    let body = Body::new("figure", model, vec![pin])?;
    let mut world = World::new(WorldConfig { dt: 0.02, ..Default::default() })?;
    let method = MethodConfig {
        rotation: Rotation::Edges,
        solver: LinearSolver::MatrixFree,
        max_iterations: ITERATIONS,
        tolerance: 1e-12,
        ..Default::default()
    };
    world.add_with(body, method)?;
    Ok((world, skin))
}

/// Median time of a step and of an update of the surface, in ms.
fn timed(world: &mut World, skin: &Skin) -> [f64; 2] {
    let (mut steps, mut updates, mut vertices) = (Vec::new(), Vec::new(), Vec::new());
    for step in 0..WARM_UP_STEPS + STEPS {
        let begin = Instant::now();
        world.step();
        let middle = Instant::now();
        for (_, body) in world.bodies() {
            skin.interpolate(&body.state.x, &mut vertices);
        }
        if step >= WARM_UP_STEPS {
            steps.push((middle - begin).as_secs_f64());
            updates.push(middle.elapsed().as_secs_f64());
        }
    }
    [median(steps), median(updates)]
}

fn median(mut times: Vec<f64>) -> f64 {
    times.sort_by(f64::total_cmp);
    1e3 * times[times.len() / 2]
}

/// The column T_def of Table 1 of Mezger et al. 2007: a surface of 100,000 vertices.
pub(super) fn surface_update(progress: Progress<'_>) -> Result<String> {
    progress("a surface of 100,000 vertices");
    let surface = Figure::Bear.surface(0.0043);
    let config =
        TetConfig { size: Size::CellCount(173), within: Within::Any, ..Default::default() };
    let made = tetrahedra(&surface, &config)?;
    let skin = Skin::embedded(&made.mesh, &made.places, surface.triangles.clone());
    let time = best_update(&skin, &made.mesh);
    Ok(format!(
        "## Column T_def of Table 1 of Mezger et al. 2007\n\n\
         The surface of the bear, {} vertices, in {} quadratic tetrahedra, updated in {time:.3} ms (published, 100,000 vertices in 173 \
         cells: 8.7 ms, {:.0} times as long).\n",
        surface.vertices.len(),
        made.mesh.cell_count(),
        8.7 / time
    ))
}

fn best_update(skin: &Skin, mesh: &Mesh) -> f64 {
    let moved: Vec<DVec3> = mesh.nodes.iter().map(|x| *x + 0.1 * x.y * DVec3::X).collect();
    let mut vertices = Vec::new();
    let times = (0..WARM_UP_STEPS + STEPS).map(|_| {
        let begin = Instant::now();
        skin.interpolate(&moved, &mut vertices);
        begin.elapsed().as_secs_f64()
    });
    median(times.collect())
}

//! Cost of a step against the number of cells.

use std::fmt::Write as _;
use std::sync::Arc;
use std::time::Instant;

use anyhow::Result;
use glam::DVec3;
use pliant::body::{Body, Model, Pin};
use pliant::material::{LawKind, Material};
use pliant::mesh::generate::{BoxConfig, Split, box_mesh};
use pliant::solver::{LinearSolver, MethodConfig};
use pliant::world::{World, WorldConfig};

use super::Progress;
use super::memory::resident;

/// Cells along the bar: five quadratic tetrahedra for each of 4n × n × n boxes.
const SIZES: [usize; 4] = [4, 8, 17, 37];

/// The largest bar without levels, whose iterations grow with its size.
const LARGEST_WITHOUT_LEVELS: usize = 17;

/// Number of timed steps, and of warm-up steps before them.
const STEPS: u32 = 8;
const WARM_UP: u32 = 2;

/// Measures quadratic bars of a thousand to a million cells.
pub(super) fn tables(progress: Progress<'_>) -> Result<String> {
    let threads = rayon::current_num_threads();
    let mut text = format!(
        "A bar of 4 × 1 × 1 m of quadratic tetrahedra, clamped at one end, falls under gravity: E = 10 MPa, ν = \
         0.35, steps of 1/60 s, {threads} threads. Times are means of {STEPS} steps; bytes are the growth of the memory of the process, which later rows use again. Without a choice (`auto`) \
         bodies of this size use p-multigrid.\n\n\
         | solver | cells | unknowns | iterations a step | ms a step | µs a cell | bytes a cell |\n|---|---|---|---|---|---|---|\n"
    );
    for solver in [LinearSolver::Multigrid, LinearSolver::MatrixFree] {
        let most =
            if solver == LinearSolver::Multigrid { usize::MAX } else { LARGEST_WITHOUT_LEVELS };
        for n in SIZES.into_iter().filter(|n| *n <= most) {
            progress(&format!("{} {n}", solver.name()));
            let Step { cells, unknowns, iterations, ms, megabytes } = measure(solver, n)?;
            // Later rows use the memory of the first ones.
            let megabytes = megabytes.filter(|_| solver == LinearSolver::Multigrid);
            let bytes = megabytes
                .map_or("–".to_owned(), |held| format!("{:.0}", 1e6 * held / cells as f64));
            let name = solver.name();
            let per_cell = 1e3 * ms / cells as f64;
            writeln!(
                text,
                "| {name} | {cells} | {unknowns} | {iterations:.1} | {ms:.2} | {per_cell:.2} | {bytes} |"
            )?;
        }
    }
    Ok(text)
}

/// A measured step.
struct Step {
    cells: usize,
    unknowns: usize,
    iterations: f64,
    ms: f64,
    /// Growth of the memory of the process; `None` where it is not known.
    megabytes: Option<f64>,
}

fn measure(solver: LinearSolver, n: usize) -> Result<Step> {
    let before = resident();
    let config = BoxConfig {
        size: [4.0, 1.0, 1.0],
        cells: [4 * n, n, n],
        split: Split::Tet5,
        degree: 2,
        ..Default::default()
    };
    let mesh = box_mesh(&config)?;
    let cells = mesh.cell_count();
    let wall = mesh.node_set("x-").map(|set| set.nodes.clone()).unwrap_or_default();
    let material = Material {
        law: LawKind::Corotated,
        young: 1e7,
        poisson: 0.35,
        density: 1000.0,
        ..Default::default()
    };
    let model = Arc::new(Model::uniform(mesh, material)?);
    let body = Body::new("bar", model, vec![Pin { nodes: wall, ..Default::default() }])?;
    let mut world =
        World::new(WorldConfig { gravity: DVec3::new(0.0, -9.81, 0.0), ..Default::default() })?;
    world.add_with(body, MethodConfig { solver, max_iterations: 2000, ..Default::default() })?;
    (0..WARM_UP).for_each(|_| {
        world.step();
    });
    let (start, mut iterations, mut unknowns) = (Instant::now(), 0, 0);
    for _ in 0..STEPS {
        let report = world.step();
        iterations += report.linear.iterations;
        unknowns = report.linear.unknowns;
    }
    let ms = 1e3 * start.elapsed().as_secs_f64() / f64::from(STEPS);
    let megabytes = resident().zip(before).map(|(now, before)| now - before);
    let iterations = f64::from(iterations) / f64::from(STEPS);
    Ok(Step { cells, unknowns: 3 * unknowns, iterations, ms, megabytes })
}

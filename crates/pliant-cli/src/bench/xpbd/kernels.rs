//! One sweep over the constraints of every kind of cell.

use std::fmt::Write as _;
use std::time::Instant;

use anyhow::Result;
use glam::DVec3;
use pliant::body::Model;
use pliant::internals::{CellConstraints, ConstraintSweep, SharedPoints};
use pliant::material::{LawKind, Material};
use pliant::mesh::generate::{BoxConfig, Split, box_mesh};
use pliant::solver::Projection;
use pliant_kernels::element::CellShape;
use pliant_kernels::lanes::Batch;
use pliant_kernels::lanes::Width;
use rayon::ThreadPoolBuilder;

use crate::bench::Progress;

/// Number of runs; the fastest counts, since other processes disturb the rest.
const RUNS: usize = 60;

/// Test blocks: split, degree and cells along the sides.
const KINDS: [(Split, usize, [usize; 3]); 7] = [
    (Split::Tet5, 1, [32, 8, 8]),
    (Split::Tet5, 2, [16, 8, 8]),
    (Split::Tet5, 3, [12, 6, 6]),
    (Split::Hex, 1, [24, 12, 12]),
    (Split::Hex, 2, [12, 8, 8]),
    (Split::Prism, 1, [16, 10, 10]),
    (Split::Pyramid, 1, [14, 8, 8]),
];

/// Times of a sweep by kind of cell and by law, on one thread.
pub(in crate::bench) fn tables(progress: Progress<'_>) -> Result<String> {
    let single = ThreadPoolBuilder::new().num_threads(1).build()?;
    let mut text = String::from(
        "One sweep of XPBD on one thread in double precision, in nanoseconds per cell (fastest of 60 runs), with \
         both constraints of a cell solved together. `one` computes one cell after the other, `lanes` packs of 8 \
         cells of a colour; `separate` solves one constraint after the other, as published. `filled` is the share of \
         lanes with a cell, `bytes` the number of bytes that a cell reads and writes: nodes, rest data, positions. \
         `ops` is its number of additions and multiplications with the rest-stable law.\n\n\
         | kind | points | cells | colours | filled | bytes | ops | one | lanes | one/lanes | separate | Gop/s |\n\
         |---|---|---|---|---|---|---|---|---|---|---|---|\n",
    );
    for (split, degree, cells) in KINDS {
        let model = block(split, degree, cells, LawKind::RestStable)?;
        let batch = &model.batches()[0];
        progress(batch.kind.name());
        let (points, count) = (batch.point_count(), batch.cells.len());
        let constraints = CellConstraints::new(&model, Width::default());
        let (colours, packs) = (constraints.colour_count(), constraints.pack_count());
        let [one, lanes, separate] = single.install(|| {
            [
                time(&model, Width::One, Projection::Together),
                time(&model, Width::default(), Projection::Together),
                time(&model, Width::default(), Projection::Separate),
            ]
        });
        let (bytes, ops) = (bytes(batch), operations(batch));
        writeln!(
            text,
            "| {} | {points} | {count} | {colours} | {:.2} | {bytes} | {ops} | {one:.1} | {lanes:.1} | {:.1} | {separate:.1} | {:.1} |",
            batch.kind,
            count as f64 / (8 * packs) as f64,
            one / lanes,
            ops as f64 / lanes
        )?;
    }
    text.push_str("\n| law (tet4) | lanes |\n|---|---|\n");
    for law in LawKind::ALL {
        progress(law.name());
        let model = block(Split::Tet5, 1, [32, 8, 8], law)?;
        let lanes = single.install(|| time(&model, Width::default(), Projection::Together));
        writeln!(text, "| {law} | {lanes:.1} |")?;
    }
    Ok(text)
}

fn block(split: Split, degree: usize, cells: [usize; 3], law: LawKind) -> Result<Model> {
    let config = BoxConfig { size: [4.0, 1.0, 1.0], cells, split, degree, ..Default::default() };
    let material =
        Material { law, young: 1e6, poisson: 0.35, density: 1000.0, ..Default::default() };
    Ok(Model::uniform(box_mesh(&config)?, material)?)
}

/// Time per cell and sweep, in ns, of a slightly compressed and sheared body, as in typical use.
fn time(model: &Model, width: Width, projection: Projection) -> f64 {
    let bend = |x: &DVec3| DVec3::new(1.05 * x.x + 0.02 * x.y * x.y, 0.97 * x.y, x.z + 0.05 * x.x);
    let bent: Vec<DVec3> = model.mesh().nodes.iter().map(bend).collect();
    let mut points = SharedPoints::new(bent.len());
    points.weigh(model.masses().iter().map(|mass| 1.0 / mass));
    let mut constraints = CellConstraints::new(model, width);
    let h = 1.0 / 3000.0;
    let sweep =
        ConstraintSweep { h, projection, damping: 0.0, start: &[], first: true, keep: false };
    let run = |_| {
        points.place(bent.iter().copied());
        let start = Instant::now();
        constraints.sweep(&mut points, &sweep);
        start.elapsed().as_secs_f64()
    };
    let fastest = (0..RUNS).map(run).fold(f64::INFINITY, f64::min);
    1e9 * fastest / model.mesh().cell_count() as f64
}

/// Bytes that a cell reads and writes for itself; shared tables stay in the first-level cache.
fn bytes(batch: &Batch) -> usize {
    let n = batch.kind.node_count();
    let rest = (2 + 10 * batch.rest_point_count()) * size_of::<f64>();
    // A node is read with its inverse mass and written without it.
    n * size_of::<u32>() + rest + n * 7 * size_of::<f64>()
}

/// Additions and multiplications of a cell, both constraints together, with the rest-stable law.
fn operations(batch: &Batch) -> usize {
    let (n, q) = (batch.kind.node_count(), batch.point_count());
    // On a tetrahedron F is a polynomial of one degree less than the cell. The pair is the number of its coefficients,
    // and the operations to evaluate one entry of F at all points.
    let form = match (batch.kind.shape(), batch.kind.degree()) {
        (CellShape::Tetrahedron, 1) => Some((1, 0)),
        (CellShape::Tetrahedron, 2) => Some((4, 12)),
        (CellShape::Tetrahedron, _) => Some((10, 98)),
        _ => None,
    };
    let (at, pull) = match form {
        Some((m, values)) => (54 * m + 9 * values, 60 * m + 9 * values),
        None => (q * (18 * n + 45), q * (18 * n + 54)),
    };
    let (law, sums) = (90, 6);
    at + q * (law + sums) + 2 * pull + 36 * n + 60
}

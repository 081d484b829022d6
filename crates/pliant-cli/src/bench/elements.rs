//! Energy and forces of every kind of cell, one cell at a time and in lanes.

use std::fmt::Write as _;
use std::time::Instant;

use anyhow::Result;
use glam::DVec3;
use pliant::body::{Batch, Model};
use pliant::force::{Elastic, Width};
use pliant::material::{LawKind, Material};
use pliant::math::{LANES, Pack};
use pliant::mesh::generate::{BoxConfig, Split, box_mesh};

use super::Progress;

/// Runs of which the fastest counts: others were disturbed.
const RUNS: usize = 60;

/// One line of a table.
struct Timing {
    one: f64,
    packs: f64,
    with_sums: f64,
}

/// Both tables: by kind with the rest-stable law, and by law on quadratic tetrahedra.
pub(super) fn tables(progress: Progress<'_>) -> Result<String> {
    let mut text = String::from(
        "Energy and forces, one thread, nanoseconds a cell (fastest of 60 runs).\n\
         `one` computes cell after cell, `lanes` packs of 8; `+ sums` adds summing forces at nodes.\n\
         `bytes` are what a cell reads and writes of its own: nodes, rest data, positions, forces.\n\n\
         | kind | points | cells | bytes | one | lanes | one/lanes | + sums |\n\
         |---|---|---|---|---|---|---|---|\n",
    );
    let kinds = [
        (Split::Tet5, 1, 12),
        (Split::Tet5, 2, 9),
        (Split::Tet5, 3, 7),
        (Split::Hex, 1, 14),
        (Split::Hex, 2, 8),
        (Split::Prism, 1, 12),
        (Split::Pyramid, 1, 10),
    ];
    for (split, degree, cells) in kinds {
        let model = block(split, degree, cells, LawKind::RestStable)?;
        let batch = &model.batches()[0];
        progress(batch.kind.name());
        let Timing { one, packs, with_sums } = measure(&model);
        let (points, count, bytes) = (batch.point_count(), batch.cells.len(), bytes(batch));
        writeln!(
            text,
            "| {} | {points} | {count} | {bytes} | {one:.1} | {packs:.1} | {:.1} | {with_sums:.1} |",
            batch.kind,
            one / packs
        )?;
    }
    text.push_str("\n| law (tet10) | one | lanes | one/lanes |\n|---|---|---|---|\n");
    for law in LawKind::ALL {
        progress(law.name());
        let Timing { one, packs, .. } = measure(&block(Split::Tet5, 2, 9, law)?);
        writeln!(text, "| {law} | {one:.1} | {packs:.1} | {:.1} |", one / packs)?;
    }
    Ok(text)
}

/// A cube of straight cells.
fn block(split: Split, degree: usize, cells: usize, law: LawKind) -> Result<Model> {
    let config = BoxConfig { cells: [cells; 3], split, degree, ..Default::default() };
    let material = Material { law, ..Default::default() };
    Ok(Model::uniform(box_mesh(&config)?, material)?)
}

/// Bytes that a cell alone moves: shared tables stay in the first-level cache.
fn bytes(batch: &Batch) -> usize {
    let n = batch.kind.node_count();
    let rest = (2 + 10 * batch.rest_point_count()) * size_of::<Pack>() / LANES;
    n * size_of::<u32>() + rest + 2 * n * size_of::<DVec3>()
}

/// Times a model squeezed and sheared a little, as bodies are.
fn measure(model: &Model) -> Timing {
    let bend = |x: &DVec3| DVec3::new(1.05 * x.x + 0.1 * x.y * x.y, 0.97 * x.y, x.z + 0.05 * x.x);
    let x: Vec<DVec3> = model.mesh().nodes.iter().map(bend).collect();
    let mut forces = vec![DVec3::ZERO; x.len()];
    let mut one = Elastic::new(model, Width::One);
    let mut packs = Elastic::new(model, Width::default());
    let per_cell = 1e9 / model.mesh().cell_count() as f64;
    Timing {
        one: per_cell * fastest(|| one.evaluate_cells(model, &x)),
        packs: per_cell * fastest(|| packs.evaluate_cells(model, &x)),
        with_sums: per_cell
            * fastest(|| {
                packs.forces(model, &x, &mut forces);
            }),
    }
}

/// Shortest time of a run, in s.
fn fastest(mut run: impl FnMut()) -> f64 {
    let time = |_| {
        let start = Instant::now();
        run();
        start.elapsed().as_secs_f64()
    };
    (0..RUNS).map(time).fold(f64::INFINITY, f64::min)
}

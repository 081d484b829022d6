//! Times of energy and forces for every kind of cell, one cell at a time and in lanes.

use std::fmt::Write as _;

use anyhow::Result;
use glam::DVec3;
use pliant::body::Model;
use pliant::internals::{CellBlocks, Elastic, Elasticity, Tangent};
use pliant::material::{LawKind, Material};
use pliant::mesh::generate::{BoxConfig, Split, box_mesh};
use pliant_kernels::lanes::Batch;
use pliant_kernels::lanes::Width;
use pliant_kernels::math::{LANES, Pack};

use rayon::{ThreadPool, ThreadPoolBuilder};

use super::Progress;
use super::fastest::fastest;

/// Test cubes: split, degree and cells along a side.
const KINDS: [(Split, usize, usize); 7] = [
    (Split::Tet5, 1, 12),
    (Split::Tet5, 2, 9),
    (Split::Tet5, 3, 7),
    (Split::Hex, 1, 14),
    (Split::Hex, 2, 8),
    (Split::Prism, 1, 12),
    (Split::Pyramid, 1, 10),
];

/// Times of one row of a table, in ns per cell.
struct Timing {
    one: f64,
    packs: f64,
    with_sums: f64,
}

/// Forces by kind of cell with the rest-stable law, forces by law on quadratic tetrahedra, and stiffness by kind of
/// cell.
pub(super) fn tables(progress: Progress<'_>) -> Result<String> {
    let single = ThreadPoolBuilder::new().num_threads(1).build()?;
    let mut text = String::from(
        "Energy and forces on one thread, in nanoseconds per cell (fastest of 60 runs).\n\
         `one` computes one cell after the other, `lanes` packs of 8 cells; `+ sums` includes the sums of forces at \
         nodes.\n\
         `bytes` is the number of bytes that a cell reads and writes: nodes, rest data, positions, forces.\n\n\
         | kind | points | cells | bytes | one | lanes | one/lanes | + sums |\n|---|---|---|---|---|---|---|---|\n",
    );
    for (split, degree, cells) in KINDS {
        let model = block(split, degree, cells, LawKind::RestStable)?;
        let batch = &model.batches()[0];
        progress(batch.kind.name());
        let Timing { one, packs, with_sums } = measure(&model, &single);
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
        let Timing { one, packs, .. } = measure(&block(Split::Tet5, 2, 9, law)?, &single);
        writeln!(text, "| {law} | {one:.1} | {packs:.1} | {:.1} |", one / packs)?;
    }
    text.push_str(
        "\n| stiffness | linearise | product | blocks | bytes, points | bytes, blocks |\n\
         |---|---|---|---|---|---|\n",
    );
    for (split, degree, cells) in KINDS {
        let model = block(split, degree, cells.div_ceil(2), LawKind::RestStable)?;
        progress(model.batches()[0].kind.name());
        text.push_str(&single.install(|| stiffness_line(&model)));
    }
    Ok(text)
}

/// The row for the positive semidefinite stiffness of a model: times, and the bytes stored per cell.
fn stiffness_line(model: &Model) -> String {
    let (x, batch) = (bent(model), &model.batches()[0]);
    let per_cell = 1e9 / model.mesh().cell_count() as f64;
    let mut tangent = Tangent::new(model, Width::default());
    let (mut product, mut blocks) = (x.clone(), CellBlocks::new(model));
    let times = [
        fastest(|| tangent.linearise(model.rest_shape(), &x)),
        fastest(|| tangent.apply(model.rest_shape(), &x, &mut product)),
        fastest(|| tangent.blocks(model.rest_shape(), &mut blocks)),
    ];
    let [linearise, product, sums] = times.map(|time| time * per_cell);
    let points = batch.point_count() * 45 * size_of::<f64>();
    let bytes = size_of_val(&blocks.blocks[..]) / model.mesh().cell_count();
    let kind = batch.kind;
    format!("| {kind} | {linearise:.0} | {product:.0} | {sums:.0} | {points} | {bytes} |\n")
}

/// Node positions of a slightly compressed and sheared model, as in typical use.
fn bent(model: &Model) -> Vec<DVec3> {
    let bend = |x: &DVec3| DVec3::new(1.05 * x.x + 0.1 * x.y * x.y, 0.97 * x.y, x.z + 0.05 * x.x);
    model.mesh().nodes.iter().map(bend).collect()
}

/// A cube of straight cells.
fn block(split: Split, degree: usize, cells: usize, law: LawKind) -> Result<Model> {
    let config = BoxConfig { cells: [cells; 3], split, degree, ..Default::default() };
    let material = Material { law, ..Default::default() };
    Ok(Model::uniform(box_mesh(&config)?, material)?)
}

/// Bytes that a cell reads and writes for itself; shared tables stay in the first-level cache.
fn bytes(batch: &Batch) -> usize {
    let n = batch.kind.node_count();
    let rest = (2 + 10 * batch.rest_point_count()) * size_of::<Pack>() / LANES;
    n * size_of::<u32>() + rest + 2 * n * size_of::<DVec3>()
}

/// Measures the forces of a deformed model.
fn measure(model: &Model, single: &ThreadPool) -> Timing {
    let x = bent(model);
    let mut forces = vec![DVec3::ZERO; x.len()];
    let mut one = Elastic::new(model, Width::One);
    let mut packs = Elastic::new(model, Width::default());
    let per_cell = 1e9 / model.mesh().cell_count() as f64;
    single.install(|| Timing {
        one: per_cell * fastest(|| one.evaluate_cells(model.rest_shape(), &x)),
        packs: per_cell * fastest(|| packs.evaluate_cells(model.rest_shape(), &x)),
        with_sums: per_cell
            * fastest(|| {
                packs.forces(model.rest_shape(), &x, &mut forces);
            }),
    })
}

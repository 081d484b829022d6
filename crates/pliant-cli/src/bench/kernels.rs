//! Every hot kernel against the limits of the machine: bytes and operations of a cell, and the share of the limit that is reached.

use std::fmt::Write as _;
use std::hint::black_box;

use anyhow::Result;
use glam::DVec3;
use pliant::body::{Model, Skin};
use pliant::internals::{
    BlockRows, CellBlocks, CellConstraints, ConstraintSweep, Elastic, Elasticity, SharedPoints,
    Tangent, Unknowns, Warped,
};
use pliant::material::{LawKind, Material};
use pliant::mesh::generate::{BoxConfig, Split, box_mesh};
use pliant::solver::Projection;
use pliant_kernels::lanes::{Kernel, Width};
use pliant_kernels::math::{LANES, Lane, Lanes, Pack};
use pliant_kernels::warped::Rotation;
use pliant_sparse::{Cholesky, SingleFactor};
use rayon::ThreadPoolBuilder;

use super::Progress;
use super::fastest::{RUNS, fastest};

/// Chains of operations that do not wait for each other, and their length, for the limit of operations.
const CHAINS: usize = 12;
const LENGTH: usize = 20_000;

/// Numbers that are read for the limit of memory: more than any cache holds.
const NUMBERS: usize = 1 << 24;

/// Numbers that are read for the limit of the second-level cache.
const FEW_NUMBERS: usize = 1 << 15;

/// A measured kernel.
struct Measured {
    name: &'static str,
    /// The unit of the next numbers.
    of: &'static str,
    /// Time, bytes read and written, and additions and multiplications of one unit; seconds.
    time: f64,
    bytes: f64,
    operations: f64,
}

/// What the machine can do on one thread.
struct Limits {
    /// Additions and multiplications a second, and bytes a second from memory and from the second-level cache.
    operations: f64,
    memory: f64,
    cache: f64,
}

/// Measures the limits, then every kernel.
pub(super) fn table(progress: Progress<'_>) -> Result<String> {
    let single = ThreadPoolBuilder::new().num_threads(1).build()?;
    progress("the limits of this machine");
    let limits = single.install(Limits::measure);
    let mut text = format!(
        "One thread, the fastest of {RUNS} runs. Limits of this machine, measured in the same run: {:.1} additions and multiplications a \
         nanosecond (fused, double precision), {:.1} bytes a nanosecond from memory and {:.1} from the second-level cache. `bytes` are all \
         that a unit reads and writes, also positions of nodes that cells share and that a cache holds. The last columns are the shares of the three limits that are reached.\n\n\
         | kernel | of a | ns | bytes | operations | of operations | of memory | of the cache |\n|---|---|---|---|---|---|---|---|\n",
        1e-9 * limits.operations,
        1e-9 * limits.memory,
        1e-9 * limits.cache,
    );
    for measure in KERNELS {
        let measured = single.install(measure)?;
        progress(measured.name);
        text += &limits.row(&measured)?;
    }
    Ok(text)
}

/// All measurements.
const KERNELS: [fn() -> Result<Measured>; 8] =
    [forces, linearise, tangent_product, blocks, warped_product, constraints, skin, substitution];

impl Limits {
    fn measure() -> Self {
        let mut chains = Chains { numbers: [[1.0; LANES]; CHAINS] };
        let operations = (2 * CHAINS * LENGTH * LANES) as f64
            / fastest(|| Width::default().run(black_box(&mut chains)));
        let read = |count: usize| {
            let numbers = vec![[1.0; LANES]; count / LANES];
            let mut sum = Sum { numbers: &numbers, sum: [[0.0; LANES]; 4] };
            let repeat = NUMBERS.div_ceil(64 * count);
            let time =
                fastest(|| (0..repeat).for_each(|_| Width::default().run(black_box(&mut sum))));
            (repeat * count * size_of::<f64>()) as f64 / time
        };
        Self { operations, memory: read(NUMBERS), cache: read(FEW_NUMBERS) }
    }

    fn row(&self, measured: &Measured) -> Result<String> {
        let Measured { name, of, time, bytes, operations } = *measured;
        let share = |rate: f64, limit: f64| 100.0 * rate / time / limit;
        let mut text = String::new();
        writeln!(
            text,
            "| {name} | {of} | {:.1} | {bytes:.0} | {operations:.0} | {:.0} % | {:.0} % | {:.0} % |",
            1e9 * time,
            share(operations, self.operations),
            share(bytes, self.memory),
            share(bytes, self.cache),
        )?;
        Ok(text)
    }
}

/// Fused additions and multiplications in registers.
struct Chains {
    numbers: [Pack; CHAINS],
}

impl Kernel for Chains {
    #[inline(always)]
    fn run<L: Lanes>(&mut self, lanes: L) {
        let mut values = [lanes.splat(0.0); CHAINS];
        for (value, number) in values.iter_mut().zip(&self.numbers) {
            *value = lanes.load(number);
        }
        let (factor, term) = (lanes.splat(0.999), lanes.splat(1e-3));
        for _ in 0..LENGTH {
            for value in &mut values {
                *value = value.mul_add(factor, term);
            }
        }
        for (value, number) in values.iter().zip(&mut self.numbers) {
            lanes.store(*value, number);
        }
    }
}

/// A sum of numbers in memory.
struct Sum<'a> {
    numbers: &'a [Pack],
    sum: [Pack; 4],
}

impl Kernel for Sum<'_> {
    #[inline(always)]
    fn run<L: Lanes>(&mut self, lanes: L) {
        let mut sums = [lanes.splat(0.0); 4];
        for numbers in self.numbers.as_chunks::<4>().0 {
            for (sum, number) in sums.iter_mut().zip(numbers) {
                *sum += lanes.load(number);
            }
        }
        for (sum, out) in sums.iter().zip(&mut self.sum) {
            lanes.store(*sum, out);
        }
    }
}

/// A block of straight tetrahedra: 5,120 of degree 2, or 10,240 of degree 1.
fn block(degree: usize, law: LawKind) -> Result<Model> {
    let along = if degree == 1 { 32 } else { 16 };
    let cells = [along, 8, 8];
    let config = BoxConfig {
        size: [4.0, 1.0, 1.0],
        cells,
        split: Split::Tet5,
        degree,
        ..Default::default()
    };
    let material = Material { law, poisson: 0.35, ..Default::default() };
    Ok(Model::uniform(box_mesh(&config)?, material)?)
}

fn bent(model: &Model) -> Vec<DVec3> {
    let bend = |x: &DVec3| DVec3::new(1.05 * x.x + 0.02 * x.y * x.y, 0.97 * x.y, x.z + 0.05 * x.x);
    model.mesh().nodes.iter().map(bend).collect()
}

/// Bytes of nodes, positions and results of a quadratic cell.
const NODES: f64 = 10.0 * (4.0 + 24.0 + 24.0);

/// Bytes of the rest shape and the moduli of a straight cell.
const REST: f64 = 12.0 * 8.0;

/// Bytes of the 45 numbers at four points.
const POINTS: f64 = 4.0 * 45.0 * 8.0;

/// Operations of ∂x/∂ξ of a quadratic cell at one point, nine sums of four products, and of its transpose.
const GRADIENT: f64 = 63.0;
const TRANSPOSE: f64 = 72.0;

/// Operations of the differences of nodes that ∂x/∂ξ is made of, and of their transpose.
const DIFFERENCES: f64 = 36.0;
const TRANSPOSED_DIFFERENCES: f64 = 72.0;

fn of_cells(
    name: &'static str,
    model: &Model,
    bytes: f64,
    operations: f64,
    run: impl FnMut(),
) -> Measured {
    let time = fastest(run) / model.mesh().cell_count() as f64;
    Measured { name, of: "cell", time, bytes, operations }
}

fn forces() -> Result<Measured> {
    let model = block(2, LawKind::RestStable)?;
    let (x, mut elastic) = (bent(&model), Elastic::new(&model, Width::default()));
    // At every point a gradient, two products of matrices, the law, and forces.
    let at_points = 4.0 * (GRADIENT + TRANSPOSE + 2.0 * 45.0 + 90.0);
    let operations = DIFFERENCES + TRANSPOSED_DIFFERENCES + at_points;
    Ok(of_cells("energy and forces, rest-stable, tet10", &model, NODES + REST, operations, || {
        elastic.evaluate_cells(model.rest_shape(), &x);
    }))
}

fn linearise() -> Result<Measured> {
    let model = block(2, LawKind::RestStable)?;
    let (x, mut tangent) = (bent(&model), Tangent::new(&model, Width::default()));
    // At every point a gradient, singular values (an estimate: five sweeps of three rotations), and 45 sums of nine products.
    let operations = 4.0 * (DIFFERENCES + GRADIENT + 45.0 + 1200.0 + 45.0 * 18.0);
    let bytes = 10.0 * 28.0 + REST + POINTS;
    Ok(of_cells("linearisation, rest-stable, tet10", &model, bytes, operations, || {
        tangent.linearise(model.rest_shape(), &x);
    }))
}

fn tangent_product() -> Result<Measured> {
    let model = block(2, LawKind::RestStable)?;
    let (x, mut tangent) = (bent(&model), Tangent::new(&model, Width::default()));
    tangent.linearise(model.rest_shape(), &x);
    let (d, mut product) = (x.clone(), x);
    let at_points = 4.0 * (GRADIENT + TRANSPOSE + 162.0);
    let operations = DIFFERENCES + TRANSPOSED_DIFFERENCES + at_points;
    Ok(of_cells(
        "product with the tangent, tet10, with sums",
        &model,
        NODES + POINTS,
        operations,
        || {
            tangent.apply(model.rest_shape(), &d, &mut product);
        },
    ))
}

fn blocks() -> Result<Measured> {
    let model = block(2, LawKind::RestStable)?;
    let (x, mut tangent) = (bent(&model), Tangent::new(&model, Width::default()));
    tangent.linearise(model.rest_shape(), &x);
    let mut blocks = CellBlocks::new(&model);
    // At every point 27 sums of three products for each node, and three terms of nine numbers for each of 55 pairs.
    let operations = 4.0 * (10.0 * 162.0 + 55.0 * 54.0);
    Ok(of_cells("blocks of a cell, tet10", &model, POINTS + 55.0 * 72.0, operations, || {
        tangent.blocks(model.rest_shape(), &mut blocks);
    }))
}

fn warped_product() -> Result<Measured> {
    let model = block(2, LawKind::Corotated)?;
    let mut warped = Warped::new(&model, Rotation::Cell, Width::default());
    let (d, mut product) = (bent(&model), bent(&model));
    warped.forces(model.rest_shape(), &d, &mut product);
    // Strains of three differences and six bends, five stresses, forces of corners and midpoints.
    let (operations, bytes) = (773.0, NODES + 10.0 * 2.0 + 11.0 * 8.0);
    Ok(of_cells(
        "product with the corotated stiffness, tet10, with sums",
        &model,
        bytes,
        operations,
        || {
            warped.apply(model.rest_shape(), &d, &mut product);
        },
    ))
}

fn constraints() -> Result<Measured> {
    let model = block(1, LawKind::RestStable)?;
    let x = bent(&model);
    let mut points = SharedPoints::new(x.len());
    points.weigh(model.masses().iter().map(|mass| 1.0 / mass));
    let mut constraints = CellConstraints::new(&model, Width::default());
    let sweep = ConstraintSweep {
        h: 1.0 / 3000.0,
        projection: Projection::default(),
        damping: 0.0,
        start: &[],
        first: true,
        keep: false,
    };
    points.place(x.iter().copied());
    Ok(of_cells("XPBD sweep, rest-stable, tet4", &model, 336.0, 474.0, || {
        constraints.sweep(&mut points, &sweep);
    }))
}

fn skin() -> Result<Measured> {
    let model = block(2, LawKind::RestStable)?;
    let skin = Skin::of_mesh(model.mesh(), 2);
    let (x, mut points) = (bent(&model), Vec::new());
    let time = fastest(|| skin.interpolate(&x, &mut points)) / points.len().max(1) as f64;
    // A vertex on a face of degree 2 is a combination of six nodes.
    let (bytes, operations) = (6.0 * (4.0 + 8.0 + 24.0) + 24.0, 6.0 * 6.0);
    Ok(Measured { name: "skin of degree 2", of: "vertex", time, bytes, operations })
}

fn substitution() -> Result<Measured> {
    let model = block(1, LawKind::RestStable)?;
    let unknowns = Unknowns::with_pins(model.mesh().nodes.len(), &[]);
    let (rows, x) = (BlockRows::new(&model, &unknowns), bent(&model));
    let mut matrix = rows.matrix().clone();
    matrix.shift_diagonal(1.0);
    let mut cholesky = Cholesky::analyse(&matrix, &model.mesh().nodes)?;
    cholesky.factor(&matrix)?;
    let mut factor = SingleFactor::new(&cholesky);
    factor.update(&cholesky);
    let (mut b, size) = (x, cholesky.factor_size() as f64);
    let time = fastest(|| factor.solve(&mut b)) / size;
    Ok(Measured {
        name: "solve with a factor, single precision",
        of: "number",
        time,
        bytes: 8.0,
        operations: 4.0,
    })
}

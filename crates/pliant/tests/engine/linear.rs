//! Linear systems of a step: every solver compared with a dense one.

use crate::common::{Random, all_kinds, held_body, jittered, largest, soft};
use glam::DVec3;
use pliant::body::{Body, Model, RestShape};
use pliant::internals::{BlockRows, LinearSystem, Masses, Operator, Scales, SystemParts};
use pliant::internals::{
    CellBlocks, CellStiffness, Definiteness, Elasticity, PointForce, PointForces,
};
use pliant::internals::{MassMatrix, Unknowns};
use pliant::material::LawKind;
use pliant::mesh::generate::Split;
use pliant::solver::{LinearReport, LinearSolver, MethodConfig};
use pliant_kernels::lanes::pair_index;
use pliant_kernels::math::Mat3;
use rayon::ThreadPoolBuilder;

const SOLVERS: [LinearSolver; 3] =
    [LinearSolver::ConjugateGradient, LinearSolver::MatrixFree, LinearSolver::Cholesky];

const SCALES: Scales = Scales { mass: 1.3, stiffness: 4e-4, points: [2e-4, 1e-2] };

/// An elasticity with stored cell stiffness matrices; `changed` is the change that it reports.
#[derive(Debug, Clone)]
struct Stored {
    cells: Vec<CellStiffness>,
    changed: f64,
    marks: u32,
    /// The ties that products fold, if any.
    folds: Option<Unknowns>,
}

impl Stored {
    fn new(model: &Model, x: &[DVec3]) -> Self {
        let cells = model.rest_batches().flat_map(|batch| {
            let cells = 0..batch.cells.len();
            cells.map(move |cell| CellStiffness::new(batch, cell, x, Definiteness::Positive))
        });
        Self { cells: cells.collect(), changed: 0.0, marks: 0, folds: None }
    }
}

impl Elasticity for Stored {
    fn forces(&mut self, _: RestShape<'_>, _: &[DVec3], forces: &mut [DVec3]) -> f64 {
        forces.fill(DVec3::ZERO);
        0.0
    }

    fn linearise(&mut self, _: RestShape<'_>, _: &[DVec3]) {}

    fn apply(&mut self, _: RestShape<'_>, d: &[DVec3], product: &mut [DVec3]) {
        product.fill(DVec3::ZERO);
        let Some(unknowns) = &self.folds else {
            return self.cells.iter().for_each(|cell| cell.apply(d, product));
        };
        let mut d = d.to_vec();
        unknowns.place_tied(&mut d);
        self.cells.iter().for_each(|cell| cell.apply(&d, product));
        for node in 0..d.len() {
            if let Some(ends) = unknowns.ends(node as u32) {
                let half = 0.5 * std::mem::take(&mut product[node]);
                ends.into_iter().for_each(|end| product[end as usize] += half);
            }
        }
    }

    fn folds_ties(&self, unknowns: &Unknowns) -> bool {
        self.folds.as_ref() == Some(unknowns)
    }

    fn blocks(&mut self, model: RestShape<'_>, blocks: &mut CellBlocks) {
        let mut cells = self.cells.iter();
        for (index, batch) in model.batches().iter().enumerate() {
            for (k, cell) in (0..batch.cells.len()).zip(&mut cells) {
                let (n, first) = (cell.nodes.len(), blocks.cell_start(index, batch, k));
                for b in 0..n {
                    for a in 0..=b {
                        blocks.blocks[first + pair_index(a, b)] = cell.blocks[a * n + b];
                    }
                }
            }
        }
    }

    fn diagonal(&mut self, _: RestShape<'_>, diagonal: &mut [f64]) {
        for cell in &self.cells {
            for (a, node) in cell.nodes.iter().enumerate() {
                let block = &cell.blocks[a * cell.nodes.len() + a];
                diagonal[*node as usize] += block.trace() / 3.0;
            }
        }
    }

    fn change(&mut self, _: RestShape<'_>, _: &[DVec3]) -> f64 {
        self.changed
    }

    fn mark(&mut self, _: &Model, _: &[DVec3]) {
        self.changed = 0.0;
        self.marks += 1;
    }

    fn boxed_clone(&self) -> Box<dyn Elasticity> {
        Box::new(self.clone())
    }
}

/// A body with all terms that a system can have.
#[derive(Debug, Clone)]
struct Case {
    body: Body,
    elasticity: Stored,
    masses: Vec<f64>,
    consistent: Option<MassMatrix>,
    points: PointForces,
}

impl Case {
    /// A randomly deformed block held at one side, with forces at points.
    fn new(split: Split, degree: usize, cells: [usize; 3]) -> Self {
        let mut body = held_body(jittered(split, degree, cells), soft(LawKind::Corotated), &["x-"]);
        let mut random = Random::new(3);
        body.state.x.iter_mut().for_each(|x| *x += 0.02 * random.vector());
        let model = body.model().clone();
        let elasticity = Stored::new(&model, &body.state.x);
        let mut points = PointForces::default();
        for cell in [0, model.mesh().cell_count() - 1] {
            let (_, nodes) = model.mesh().cell(cell);
            let weights: Vec<(u32, f64)> =
                nodes.iter().map(|node| (*node, 0.5 + 0.4 * random.signed())).collect();
            let normal = random.vector().into();
            let stiffness = Mat3::outer(normal, normal) * 3e4;
            let damping = Mat3::IDENTITY * 50.0;
            points.push(weights, PointForce { force: DVec3::ZERO, stiffness, damping });
        }
        let masses = model.masses().to_vec();
        Self { body, elasticity, masses, consistent: None, points }
    }

    /// Quadratic tetrahedra with two of three edges tied to be straight.
    fn adaptive() -> Self {
        let mut case = Self::new(Split::Tet5, 2, [2, 2, 1]);
        tie_edges(&mut case.body, |k| k % 3 != 0);
        case
    }

    /// The same with products that fold the ties and no mass on tied nodes, so that only active unknowns are solved
    /// for.
    fn active() -> Self {
        let mut case = Self::adaptive();
        let unknowns = case.body.unknowns();
        let tied = |node: &usize| unknowns.ends(*node as u32).is_some();
        (0..unknowns.node_count()).filter(tied).for_each(|node| case.masses[node] = 0.0);
        case.elasticity.folds = Some(unknowns.clone());
        case
    }

    fn all() -> Vec<Self> {
        let mut cases: Vec<Self> = all_kinds()
            .into_iter()
            .map(|(split, degree)| Self::new(split, degree, [2, 1, 1]))
            .collect();
        cases.push(Self::adaptive());
        cases.push(Self::active());
        let mut consistent = Self::new(Split::Tet5, 2, [2, 1, 1]);
        consistent.consistent = Some(consistent.body.model().consistent_mass());
        cases.push(consistent);
        let mut tied = Self::adaptive();
        tied.consistent = Some(tied.body.model().consistent_mass());
        cases.push(tied);
        cases
    }

    fn parts(&mut self) -> SystemParts<'_> {
        let masses = match &self.consistent {
            Some(matrix) => Masses::Consistent(matrix),
            None => Masses::Lumped(&self.masses),
        };
        SystemParts {
            rest: self.body.rest_shape(),
            unknowns: self.body.unknowns(),
            elasticity: &mut self.elasticity,
            masses,
            points: &self.points,
            x: &self.body.state.x,
        }
    }

    /// Solves for the right-hand side `b` from a zero guess.
    fn solve(
        &mut self,
        system: &mut LinearSystem,
        scales: Scales,
        b: &[DVec3],
    ) -> (Vec<DVec3>, LinearReport) {
        let mut report = LinearReport::default();
        let mut y = vec![DVec3::ZERO; b.len()];
        let mut parts = self.parts();
        system.prepare(&mut parts, scales, &mut |_| {}, &mut report);
        system.solve(&mut parts, b, &mut y, None, &mut report);
        (y, report)
    }

    fn system(&self, config: &MethodConfig) -> LinearSystem {
        LinearSystem::new(self.body.model(), self.body.unknowns(), config).unwrap()
    }

    /// The reduced load Cᵀ f of random forces.
    fn load(&self) -> Vec<DVec3> {
        let unknowns = self.body.unknowns();
        let mut random = Random::new(17);
        let forces: Vec<DVec3> = (0..unknowns.node_count()).map(|_| random.vector()).collect();
        let mut load = vec![DVec3::ZERO; unknowns.count()];
        unknowns.reduce(&forces, &mut load);
        load
    }

    /// The matrix A on nodes, summed entry by entry from its formula.
    fn dense_nodes(&self) -> Dense {
        let n = 3 * self.body.unknowns().node_count();
        let mut a = vec![vec![0.0; n]; n];
        let mut add = |row: u32, column: u32, block: Mat3| {
            for (i, j) in (0..9).map(|k| (k % 3, k / 3)) {
                a[3 * row as usize + i][3 * column as usize + j] += block.at(i, j);
            }
        };
        for cell in &self.elasticity.cells {
            for (r, row) in cell.nodes.iter().enumerate() {
                for (c, column) in cell.nodes.iter().enumerate() {
                    let block = cell.blocks[r * cell.nodes.len() + c];
                    add(*row, *column, block * SCALES.stiffness);
                }
            }
        }
        let mass = |m: f64| Mat3::IDENTITY * (SCALES.mass * m);
        match &self.consistent {
            Some(matrix) => matrix.entries().for_each(|(row, column, m)| {
                add(row, column, mass(m));
                if row != column {
                    add(column, row, mass(m));
                }
            }),
            None => {
                let masses = (0u32..).zip(&self.masses);
                masses.for_each(|(node, m)| add(node, node, mass(*m)));
            }
        }
        for (point, weights) in self.points.iter() {
            for (row, weight_a) in weights {
                for (column, weight_b) in weights {
                    add(*row, *column, point.matrix(SCALES.points) * (weight_a * weight_b));
                }
            }
        }
        a
    }

    /// The reduced matrix CᵀAC, with a unit row for every unknown that is not active.
    fn dense(&self) -> Dense {
        let unknowns = self.body.unknowns();
        let size = 3 * unknowns.count();
        let mut a = vec![vec![0.0; size]; size];
        // Rows of C: the unknowns of a node with their weights.
        let row = |r: usize| unknowns.row((r / 3) as u32).iter();
        for (r, entries) in self.dense_nodes().iter().enumerate() {
            for (c, entry) in entries.iter().enumerate().filter(|(_, entry)| **entry != 0.0) {
                for (p, weight_p) in row(r) {
                    for (q, weight_q) in row(c) {
                        let (p, q) = (3 * *p as usize + r % 3, 3 * *q as usize + c % 3);
                        a[p][q] += weight_p * weight_q * entry;
                    }
                }
            }
        }
        for unknown in (0..unknowns.count()).filter(|unknown| !unknowns.is_active(*unknown)) {
            (0..3).for_each(|i| a[3 * unknown + i][3 * unknown + i] = 1.0);
        }
        a
    }
}

/// The rows of a matrix.
type Dense = Vec<Vec<f64>>;

fn dense_product(a: &Dense, y: &[DVec3]) -> Vec<DVec3> {
    let number = |k: usize| y[k / 3][k % 3];
    let row = |row: &Vec<f64>| row.iter().enumerate().map(|(k, entry)| entry * number(k)).sum();
    let product: Vec<f64> = a.iter().map(row).collect();
    product.as_chunks::<3>().0.iter().map(|x| DVec3::from_array(*x)).collect()
}

/// Solves by Gaussian elimination with partial pivoting.
fn dense_solve(mut a: Dense, b: &[DVec3]) -> Vec<DVec3> {
    let mut x: Vec<f64> = b.iter().flat_map(|b| b.to_array()).collect();
    for k in 0..a.len() {
        let pivot = (k..a.len()).max_by(|p, q| a[*p][k].abs().total_cmp(&a[*q][k].abs())).unwrap();
        a.swap(k, pivot);
        x.swap(k, pivot);
        let (above, below) = a.split_at_mut(k + 1);
        for (i, row) in below.iter_mut().enumerate() {
            let factor = row[k] / above[k][k];
            if factor != 0.0 {
                row[k..].iter_mut().zip(&above[k][k..]).for_each(|(r, p)| *r -= factor * p);
                x[k + 1 + i] -= factor * x[k];
            }
        }
    }
    for k in (0..a.len()).rev() {
        let known: f64 = (k + 1..a.len()).map(|j| a[k][j] * x[j]).sum();
        x[k] = (x[k] - known) / a[k][k];
    }
    x.as_chunks::<3>().0.iter().map(|x| DVec3::from_array(*x)).collect()
}

/// Ties the midpoints of the chosen edges of quadratic tetrahedra.
fn tie_edges(body: &mut Body, chosen: impl Fn(usize) -> bool) {
    let edges = body.model().mesh().edges();
    for (_, edge) in edges.iter().enumerate().filter(|(k, _)| chosen(*k)) {
        body.unknowns_mut().tie(edge.nodes[1], edge.corners);
    }
    assert!(body.unknowns().has_ties());
}

/// The relative distance |a − b|/|b|, in the norm of the largest vector.
fn distance(a: &[DVec3], b: &[DVec3]) -> f64 {
    largest(a.iter().zip(b).map(|(a, b)| *a - *b)) / largest(b.iter().copied())
}

fn precise(solver: LinearSolver) -> MethodConfig {
    MethodConfig { solver, tolerance: 1e-13, max_iterations: 2000, ..Default::default() }
}

/// Every solver finds the solution of a dense solver. Tolerance 1e-9: a residual of 1e-13 times a condition number of
/// a few hundred, with a margin.
#[test]
fn every_solver_finds_what_a_dense_one_finds() {
    for mut case in Case::all() {
        let b = case.load();
        let expected = dense_solve(case.dense(), &b);
        for solver in SOLVERS {
            let (y, report) = case.solve(&mut case.system(&precise(solver)), SCALES, &b);
            let off = distance(&y, &expected);
            assert!(off < 1e-9, "{solver:?}: {off:e}, {report:?}");
            assert_eq!(report.unconverged, 0);
            assert_eq!(report.unknowns, case.body.unknowns().active_count());
        }
    }
}

/// The assembled rows are the dense matrix: their products differ by rounding only.
#[test]
fn assembled_rows_are_the_matrix_itself() {
    for mut case in Case::all() {
        let unknowns = case.body.unknowns().clone();
        let mut rows = BlockRows::new(case.body.model(), &unknowns);
        rows.assemble(&mut case.parts(), &SCALES);
        let p = case.load();
        let mut product = p.clone();
        rows.apply(&p, &mut product);
        let off = distance(&product, &dense_product(&case.dense(), &p));
        assert!(off < 1e-13, "{off:e}");
        let free = (0..unknowns.count()).filter(|unknown| unknowns.is_active(*unknown)).count();
        assert_eq!(free, unknowns.active_count());
        assert!(rows.block_count() >= free && rows.block_count() <= free * free);
    }
}

/// A system whose ties change has the solution of a new one: nothing is left of earlier assemblies.
#[test]
fn a_system_follows_its_ties() {
    let mut case = Case::new(Split::Tet5, 2, [2, 2, 1]);
    let mut systems = SOLVERS.map(|solver| case.system(&precise(solver)));
    for round in 0..4 {
        let middle: Vec<u32> =
            case.body.model().mesh().edges().iter().map(|e| e.nodes[1]).collect();
        middle.iter().for_each(|node| _ = case.body.unknowns_mut().untie(*node));
        assert_eq!(case.body.unknowns().active_count(), case.body.unknowns().count());
        if round != 2 {
            tie_edges(&mut case.body, |k| (k + round) % 3 != 0);
        }
        let b = case.load();
        let expected = dense_solve(case.dense(), &b);
        for system in &mut systems {
            let (y, _) = case.solve(system, SCALES, &b);
            let off = distance(&y, &expected);
            assert!(off < 1e-9, "{off:e}");
        }
    }
}

/// If all edges are tied, quadratic cells move as linear ones: midpoints move by the mean of their corners.
#[test]
fn tied_nodes_are_midway() {
    let mut case = Case::new(Split::Tet5, 2, [2, 1, 1]);
    let before = case.body.unknowns().version();
    tie_edges(&mut case.body, |_| true);
    let unknowns: &Unknowns = case.body.unknowns();
    assert!(unknowns.version() > before);
    let mut random = Random::new(5);
    let mut moves = vec![DVec3::ZERO; unknowns.node_count()];
    let y: Vec<DVec3> = (0..unknowns.count()).map(|_| random.vector()).collect();
    unknowns.expand(&y, &mut moves);
    let mut placed = moves.clone();
    unknowns.place_tied(&mut placed);
    assert!(distance(&moves, &placed) < 1e-15);
    let edges = case.body.model().mesh().edges();
    let free = edges.iter().filter(|edge| unknowns.own(edge.nodes[1]).is_some());
    for edge in free {
        let [a, b] = edge.corners.map(|corner| moves[corner as usize]);
        assert!((moves[edge.nodes[1] as usize] - 0.5 * (a + b)).length() < 1e-15);
    }
}

/// Assembled systems are symmetric: p·(A q) = q·(A p), up to rounding.
#[test]
fn systems_are_symmetric() {
    let mut case = Case::adaptive();
    let mut rows = BlockRows::new(case.body.model(), case.body.unknowns());
    rows.assemble(&mut case.parts(), &SCALES);
    let (p, mut random) = (case.load(), Random::new(23));
    let q: Vec<DVec3> = p.iter().map(|_| random.vector()).collect();
    let (mut ap, mut aq) = (p.clone(), p.clone());
    rows.apply(&p, &mut ap);
    rows.apply(&q, &mut aq);
    let dot = |a: &[DVec3], b: &[DVec3]| a.iter().zip(b).map(|(a, b)| a.dot(*b)).sum::<f64>();
    let (one, other) = (dot(&q, &ap), dot(&p, &aq));
    assert!((one - other).abs() < 1e-12 * dot(&ap, &ap).sqrt() * dot(&q, &q).sqrt());
}

/// A product on nodes equals that of the dense matrix, also at pinned nodes.
#[test]
fn a_product_on_nodes_includes_the_pinned() {
    // Products that fold ties are zero at tied nodes.
    let whole = |case: &Case| case.elasticity.folds.is_none();
    for mut case in Case::all().into_iter().filter(whole) {
        let mut system = case.system(&MethodConfig::default());
        let mut report = LinearReport::default();
        let mut random = Random::new(29);
        let d: Vec<DVec3> = case.body.state.x.iter().map(|_| random.vector()).collect();
        let expected = dense_product(&case.dense_nodes(), &d);
        let mut product = d.clone();
        let mut parts = case.parts();
        system.prepare(&mut parts, SCALES, &mut |_| {}, &mut report);
        system.apply_nodes(&mut parts, &d, &mut product);
        let off = distance(&product, &expected);
        assert!(off < 1e-13, "{off:e}");
    }
}

/// With the exact solution as guess no iteration is made, and the guess is returned unchanged.
#[test]
fn a_guess_is_used() {
    let mut case = Case::new(Split::Tet5, 2, [2, 1, 1]);
    let b = case.load();
    let config = MethodConfig { solver: LinearSolver::MatrixFree, ..Default::default() };
    let mut system = case.system(&config);
    let (exact, _) = case.solve(&mut case.system(&precise(LinearSolver::Cholesky)), SCALES, &b);
    let (_, far) = case.solve(&mut system, SCALES, &b);
    let mut near = LinearReport::default();
    let mut y = exact.clone();
    system.solve(&mut case.parts(), &b, &mut y, None, &mut near);
    assert!(far.iterations > 3 && near.iterations == 0, "{far:?} {near:?}");
    assert_eq!(y, exact);
}

/// A solve that is stopped after one iteration is reported as unconverged, with a residual below 1, and its
/// result is finite.
#[test]
fn what_does_not_converge_is_told_and_finite() {
    let mut case = Case::new(Split::Tet5, 2, [2, 1, 1]);
    let b = case.load();
    for solver in [LinearSolver::ConjugateGradient, LinearSolver::MatrixFree] {
        let config = MethodConfig { max_iterations: 1, ..precise(solver) };
        let (y, report) = case.solve(&mut case.system(&config), SCALES, &b);
        assert_eq!((report.unconverged, report.iterations), (1, 1));
        assert!(report.residual > 1e-13 && report.residual < 1.0, "{report:?}");
        assert!(y.iter().all(|y| y.is_finite()));
    }
}

/// The answer is finite, and the failure is reported, for a load, a stiffness or a guess that is not finite and for an
/// indefinite matrix.
#[test]
fn broken_numbers_do_not_spread() {
    let sound = Case::new(Split::Tet5, 2, [2, 1, 1]);
    let load = sound.load();
    for solver in SOLVERS {
        let check = |mut case: Case, scales: Scales, b: &[DVec3], what: &str| {
            let (y, report) = case.solve(&mut case.system(&precise(solver)), scales, b);
            assert!(y.iter().all(|y| y.is_finite()), "{solver:?}: {what}");
            assert_eq!(report.unconverged, 1, "{solver:?}: {what}");
            assert!(report.residual > 0.0, "{solver:?}: {what}: {report:?}");
        };
        for bad in [f64::NAN, f64::INFINITY, 1e200] {
            let mut b = load.clone();
            b[3].y = bad;
            check(sound.clone(), SCALES, &b, "the load");
            let mut case = sound.clone();
            case.elasticity.cells[1].blocks.iter_mut().for_each(|block| *block = *block * bad);
            if !bad.is_finite() {
                check(case, SCALES, &load, "the stiffness");
            }
        }
        check(sound.clone(), Scales { stiffness: -1.0, ..SCALES }, &load, "negative directions");
        let (mut case, mut report) = (sound.clone(), LinearReport::default());
        let mut system = case.system(&precise(solver));
        let mut y = vec![DVec3::NAN; load.len()];
        let mut parts = case.parts();
        system.prepare(&mut parts, SCALES, &mut |_| {}, &mut report);
        system.solve(&mut parts, &load, &mut y, None, &mut report);
        assert!(report.unconverged == 0 && y.iter().all(|y| y.is_finite()), "{solver:?}");
        y[0].x = f64::NAN;
        system.solve(&mut parts, &vec![DVec3::ZERO; load.len()], &mut y, None, &mut report);
        assert!(y.iter().all(|y| *y == DVec3::ZERO), "{solver:?}");
    }
}

/// A factorisation is kept while the stiffness, the scales and the ties are unchanged, and then one iteration is
/// enough; it is renewed when one of them changes by much.
#[test]
fn a_factor_is_renewed_only_when_something_changed() {
    let mut case = Case::new(Split::Tet5, 2, [2, 1, 1]);
    case.points.clear();
    let config = MethodConfig { tolerance: 1e-8, ..precise(LinearSolver::Cholesky) };
    let mut system = case.system(&config);
    let b = case.load();
    let mut run = |case: &mut Case, scales: Scales, factorisations: u32, iterations: u32| {
        let (_, report) = case.solve(&mut system, scales, &b);
        assert_eq!((report.factorisations, report.unconverged), (factorisations, 0));
        assert!((1..=iterations).contains(&report.iterations), "{report:?}");
    };
    run(&mut case, SCALES, 1, 1);
    run(&mut case, SCALES, 0, 1);
    case.elasticity.changed = 0.05;
    // One cell is a tenth softer, which a few iterations correct.
    case.elasticity.cells[1].blocks.iter_mut().for_each(|block| *block = *block * 0.9);
    run(&mut case, SCALES, 0, 8);
    case.elasticity.changed = 0.2;
    run(&mut case, SCALES, 0, 8);
    case.elasticity.changed = 0.4;
    run(&mut case, SCALES, 1, 1);
    assert_eq!(case.elasticity.marks, 2);
    run(&mut case, Scales { mass: 2.0, ..SCALES }, 1, 1);
    tie_edges(&mut case.body, |k| k % 2 == 0);
    let b = case.load();
    let (_, report) = case.solve(&mut system, SCALES, &b);
    assert_eq!((report.factorisations, report.iterations), (1, 1));
    // A change of stiffness that was not reported is detected after eight iterations; then the matrix is factorised
    // again.
    let cells = case.elasticity.cells.iter_mut().step_by(2);
    cells.for_each(|cell| cell.blocks.iter_mut().for_each(|block| *block = *block * 100.0));
    let (_, late) = case.solve(&mut system, SCALES, &b);
    assert_eq!((late.factorisations, late.iterations, late.unconverged), (1, 9, 0));
    let (_, fresh) = case.solve(&mut system, SCALES, &b);
    assert_eq!((fresh.factorisations, fresh.iterations), (0, 1));
}

/// After a change between one and three times `refactor_threshold` (0.1 here), a factorisation is kept until it has
/// cost eight iterations more than new ones would have.
#[test]
fn an_old_factor_is_kept_while_it_saves_work() {
    let mut case = Case::new(Split::Tet5, 2, [2, 1, 1]);
    case.points.clear();
    let config = MethodConfig { tolerance: 1e-8, ..precise(LinearSolver::Cholesky) };
    let mut system = case.system(&config);
    let b = case.load();
    case.solve(&mut system, SCALES, &b);
    case.elasticity.changed = 0.2;
    case.elasticity.cells[1].blocks.iter_mut().for_each(|block| *block = *block * 0.9);
    let mut extra = 0;
    loop {
        let (_, report) = case.solve(&mut system, SCALES, &b);
        if report.factorisations == 1 {
            break;
        }
        assert!(extra < 8 && (2..=8).contains(&report.iterations), "{extra}, {report:?}");
        extra += report.iterations - 1;
    }
    assert!(extra >= 8, "{extra}");
}

/// Solutions have the same bits on any number of threads; there are enough unknowns that rows, blocks and
/// vectors are distributed.
#[test]
fn threads_do_not_change_a_solution() {
    let case = {
        let mut case = Case::new(Split::Tet5, 2, [14, 14, 13]);
        tie_edges(&mut case.body, |k| k % 7 == 0);
        case
    };
    let b = case.load();
    assert!(b.len() > 16 * 1024, "{}", b.len());
    for solver in [LinearSolver::ConjugateGradient, LinearSolver::MatrixFree] {
        let config = MethodConfig { solver, max_iterations: 5, ..Default::default() };
        let bits = |threads: usize| {
            let pool = ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            let mut case = case.clone();
            let (y, report) = pool.install(|| case.solve(&mut case.system(&config), SCALES, &b));
            assert!(report.iterations > 2);
            y.iter().flat_map(|y| y.to_array()).map(f64::to_bits).collect::<Vec<u64>>()
        };
        let [one, two, three] = [1, 2, 3].map(bits);
        assert!(one == two && one == three, "{solver:?}");
    }
}

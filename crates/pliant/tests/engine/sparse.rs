//! Sparse systems: structure, product and factorisation.

use std::sync::Arc;

use glam::DVec3;
use pliant::body::{Body, Model, Pin};
use pliant::internals::Assembly;
use pliant::internals::{CellStiffness, Definiteness};
use pliant::material::Material;
use pliant::mesh::generate::{BoxConfig, Split, box_mesh};
use pliant_kernels::lanes::Width;
use pliant_sparse::{BlockMatrix, Cholesky, FactorError, SingleFactor};

/// The stiffness at rest of a block held at one side, and the positions of its unknowns.
fn held_block(cells: [usize; 3], split: Split, degree: usize) -> (BlockMatrix, Vec<DVec3>) {
    let config = BoxConfig { cells, split, degree, ..Default::default() };
    let mesh = box_mesh(&config).unwrap();
    let wall = mesh.node_set("x-").unwrap().nodes.clone();
    let model = Arc::new(Model::uniform(mesh, Material::default()).unwrap());
    let pin = Pin { nodes: wall, ..Default::default() };
    let body = Body::new("block", model.clone(), vec![pin]).unwrap();
    let mut matrix = BlockMatrix::structure(&model, body.unknowns());
    for batch in model.rest_batches() {
        for cell in 0..batch.cells.len() {
            let rest = &model.mesh().nodes;
            let stiffness = CellStiffness::new(batch, cell, rest, Definiteness::Exact);
            matrix.add_cell(&stiffness, body.unknowns());
        }
    }
    let nodes = model.mesh().nodes.iter().enumerate();
    let free = nodes.filter(|(node, _)| !body.unknowns().is_prescribed(*node as u32));
    (matrix, free.map(|(_, position)| *position).collect())
}

fn wave(count: usize) -> Vec<DVec3> {
    (0..count).map(|k| DVec3::new((k as f64).sin(), (0.3 * k as f64).cos(), 1.0)).collect()
}

/// The relative residual |A x − b|/|b|.
fn defect(matrix: &BlockMatrix, x: &[DVec3], b: &[DVec3]) -> f64 {
    let product = matrix.apply(x);
    let norm =
        |v: &mut dyn Iterator<Item = DVec3>| v.map(DVec3::length_squared).sum::<f64>().sqrt();
    norm(&mut product.iter().zip(b).map(|(p, b)| *p - *b)) / norm(&mut b.iter().copied())
}

/// The Cholesky solver solves small systems (ordered by minimum degree) and large ones (where nested dissection is
/// tried). Tolerance 1e-12: a backward stable solver leaves a residual of a few units of rounding, whatever the
/// condition number; the margin is for growth with size.
#[test]
fn cholesky_solves_what_it_factors() {
    for (cells, split, degree) in
        [([3, 2, 2], Split::Tet5, 2), ([9, 9, 9], Split::Hex, 1), ([6, 5, 5], Split::Tet6, 2)]
    {
        let (matrix, positions) = held_block(cells, split, degree);
        let b = wave(matrix.size());
        let mut cholesky = Cholesky::analyse(&matrix, &positions).unwrap();
        cholesky.factor(&matrix).unwrap();
        let mut x = b.clone();
        cholesky.solve(&mut x);
        let off = defect(&matrix, &x, &b);
        assert!(off < 1e-12, "{split:?} {degree}, {} unknowns: {off:e}", matrix.size());
    }
}

/// A factor in single precision solves the same systems, with the same bits for every instruction set. Tolerance 1e-4: rounding of
/// 6e-8 times the condition number of these stiff blocks, which is about a thousand.
#[test]
fn a_single_factor_solves_to_single_precision() {
    for (cells, degree) in [([3, 2, 2], 2), ([9, 9, 9], 1)] {
        let (matrix, positions) = held_block(cells, Split::Hex, degree);
        let mut cholesky = Cholesky::analyse(&matrix, &positions).unwrap();
        cholesky.factor(&matrix).unwrap();
        let mut solutions = Width::available().map(|width| {
            let mut single = SingleFactor::new(&cholesky).with_width(width);
            single.update(&cholesky);
            let mut x = wave(matrix.size());
            single.solve(&mut x);
            x
        });
        let first = solutions.next().unwrap();
        let off = defect(&matrix, &first, &wave(matrix.size()));
        assert!(off < 1e-4, "{cells:?} {degree}: {off:e}");
        assert!(solutions.all(|other| other == first), "{cells:?} {degree}: other bits");
    }
}

/// A factorisation in several runs of supernodes, however short, has the bits of one at once; so has the factor in single precision
/// that follows it run by run.
#[test]
fn a_factorisation_in_runs_has_the_same_bits() {
    let (matrix, positions) = held_block([9, 9, 9], Split::Hex, 1);
    let mut whole = Cholesky::analyse(&matrix, &positions).unwrap();
    whole.factor(&matrix).unwrap();
    let mut whole_single = SingleFactor::new(&whole);
    whole_single.update(&whole);
    for share in [0.0, 0.1, 0.4, 2.0] {
        let mut cholesky = Cholesky::analyse(&matrix, &positions).unwrap();
        let mut single = SingleFactor::new(&cholesky);
        let (mut done, mut runs) = (0, 0);
        while done < cholesky.supernode_count() {
            let end = cholesky.run_end(done, share * cholesky.factor_work());
            cholesky.factor_run(&matrix, done..end).unwrap();
            single.update_run(&cholesky, done..end);
            (done, runs) = (end, runs + 1);
        }
        assert_eq!(runs == 1, share > 1.0, "{runs} runs of {share}");
        let [mut x, mut y, mut one, mut other] = [(); 4].map(|()| wave(matrix.size()));
        whole.solve(&mut x);
        cholesky.solve(&mut y);
        whole_single.solve(&mut one);
        single.solve(&mut other);
        assert!(x == y && one == other, "other bits in runs of {share}");
    }
}

/// A matrix shifted by more than its smallest eigenvalue is indefinite: the positive factorisation reports it, and
/// the indefinite one solves it. Tolerance 1e-9: without pivoting some digits may be lost.
#[test]
fn an_indefinite_matrix_is_told_and_solved() {
    let (mut matrix, positions) = held_block([4, 2, 2], Split::Tet5, 2);
    matrix.shift_diagonal(-0.05 * matrix.mean_diagonal());
    let mut cholesky = Cholesky::analyse(&matrix, &positions).unwrap();
    assert_eq!(cholesky.factor(&matrix), Err(FactorError::NotPositiveDefinite));
    cholesky.factor_indefinite(&matrix).unwrap();
    let b = wave(matrix.size());
    let mut x = b.clone();
    cholesky.solve(&mut x);
    let off = defect(&matrix, &x, &b);
    assert!(off < 1e-9, "{off:e}");
}

/// Nested dissection makes the factor of a large system smaller than minimum degree, which is used if all positions
/// are equal.
#[test]
fn nested_dissection_makes_a_large_factor_smaller() {
    let (matrix, positions) = held_block([13, 13, 13], Split::Hex, 1);
    let dissected = Cholesky::analyse(&matrix, &positions).unwrap().factor_size();
    let nowhere = vec![DVec3::ZERO; positions.len()];
    let minimum_degree = Cholesky::analyse(&matrix, &nowhere).unwrap().factor_size();
    assert!(dissected < minimum_degree, "{dissected} against {minimum_degree}");
}

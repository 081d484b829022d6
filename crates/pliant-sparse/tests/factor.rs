//! Factorisations of random matrices are correct for every structure, with the same bits for every width and number
//! of threads.
#![allow(clippy::unwrap_used, reason = "tests")]

use glam::DVec3;
use pliant_kernels::lanes::Width;
use pliant_kernels::math::{Mat3, SplitMix, Vec3};
use pliant_sparse::{BlockMatrix, Cholesky, FactorError};

/// Pairs of unknowns that share a block.
type Pairs = Vec<[u32; 2]>;

/// A matrix with random blocks for these pairs, and a diagonal of `excess` times what diagonal dominance needs.
fn matrix(count: usize, pairs: &[[u32; 2]], excess: f64) -> BlockMatrix {
    let mut random = SplitMix::new(pairs.len() as u64);
    let mut number = || random.signed_unit();
    let mut matrix = BlockMatrix::connecting(count, &|group| pairs.iter().for_each(|p| group(p)));
    let mut weight = vec![1.0; count];
    for column in 0..count {
        for k in matrix.column_start[column] + 1..matrix.column_start[column + 1] {
            matrix.blocks[k] =
                Mat3(std::array::from_fn(|_| Vec3(std::array::from_fn(|_| number()))));
            // The row sums of a block of numbers up to 1 are at most 3.
            weight[column] += 3.0;
            weight[matrix.rows[k] as usize] += 3.0;
        }
    }
    for (column, weight) in weight.iter().enumerate() {
        matrix.blocks[matrix.column_start[column]] = Mat3::IDENTITY * (weight * excess);
    }
    matrix
}

fn chain(count: u32) -> Pairs {
    (1..count).map(|k| [k - 1, k]).collect()
}

/// A star: all unknowns share a block with the first, which is therefore the worst to eliminate early.
fn star(count: u32) -> Pairs {
    (1..count).map(|k| [0, k]).collect()
}

fn grid(size: u32) -> Pairs {
    let at = |i, j| i * size + j;
    let row = move |i| {
        (0..size).flat_map(move |j| {
            [[at(i, j), at(i, (j + 1) % size)], [at(i, j), at((i + 1) % size, j)]]
        })
    };
    (0..size).flat_map(row).filter(|[a, b]| a != b).collect()
}

fn random_pairs(count: u32, pairs: usize, seed: u64) -> Pairs {
    let mut random = SplitMix::new(seed);
    let mut pick = || ((0.5 + 0.5 * random.signed_unit()) * f64::from(count)) as u32 % count;
    (0..pairs).map(|_| [pick(), pick()]).filter(|[a, b]| a != b).collect()
}

/// Structures that test different parts of the solver: deep trees, wide trees, forests, dense matrices.
fn structures() -> Vec<(&'static str, usize, Pairs)> {
    let everything = (0..40).flat_map(|a| (0..a).map(move |b| [a, b])).collect();
    vec![
        ("nothing", 0, Vec::new()),
        ("one unknown", 1, Vec::new()),
        ("no pairs", 30, Vec::new()),
        ("a chain", 200, chain(200)),
        ("a star", 90, star(90)),
        ("a closed grid", 400, grid(20)),
        ("a dense matrix", 40, everything),
        ("few random pairs", 300, random_pairs(300, 200, 1)),
        ("many random pairs", 150, random_pairs(150, 1500, 2)),
        ("a large grid", 1600, grid(40)),
    ]
}

fn wave(count: usize) -> Vec<DVec3> {
    (0..count).map(|k| DVec3::new((k as f64).sin(), (0.3 * k as f64).cos(), 1.0)).collect()
}

fn positions(count: usize) -> Vec<DVec3> {
    (0..count).map(|k| DVec3::new((k / 40) as f64, (k % 40) as f64, 0.0)).collect()
}

/// The largest entry of the residual |A x − b|, for b of size one.
fn defect(matrix: &BlockMatrix, x: &[DVec3]) -> f64 {
    let rest = matrix.apply(x).into_iter().zip(wave(x.len())).map(|(p, b)| (p - b).length());
    rest.fold(0.0, f64::max)
}

/// Every structure is solved. Tolerance 1e-12: the residual of a stable solver is a few units of rounding times the
/// largest row sum of the matrix, here a few hundred.
#[test]
fn every_structure_is_solved() {
    for (what, count, pairs) in structures() {
        let matrix = matrix(count, &pairs, 1.0);
        let mut cholesky = Cholesky::analyse(&matrix, &positions(count)).unwrap();
        cholesky.factor(&matrix).unwrap();
        let mut x = wave(count);
        cholesky.solve(&mut x);
        assert!(defect(&matrix, &x) < 1e-12, "{what}: {:e}", defect(&matrix, &x));
    }
}

/// A denser matrix that is shifted by more than its mean diagonal is indefinite: the positive factorisation reports
/// it, and the indefinite one solves it. Tolerance 1e-9: without pivoting some digits are lost.
#[test]
fn negative_directions_are_told_and_solved() {
    for (what, count, pairs) in structures().into_iter().filter(|(_, _, pairs)| pairs.len() > 700) {
        let mut matrix = matrix(count, &pairs, 1.0);
        matrix.shift_diagonal(-1.02 * matrix.mean_diagonal());
        let mut cholesky = Cholesky::analyse(&matrix, &positions(count)).unwrap();
        assert_eq!(cholesky.factor(&matrix), Err(FactorError::NotPositiveDefinite), "{what}");
        cholesky.factor_indefinite(&matrix).unwrap();
        let mut x = wave(count);
        cholesky.solve(&mut x);
        let size = x.iter().map(|x| x.length()).fold(0.0, f64::max);
        assert!(defect(&matrix, &x) < 1e-9 * size.max(1.0), "{what}: {:e}", defect(&matrix, &x));
    }
}

/// Solutions have the same bits for every width and number of threads, because every sum has a fixed order.
#[test]
fn bits_depend_on_neither_width_nor_threads() {
    for (what, count, pairs) in structures() {
        let matrix = matrix(count, &pairs, 1.0);
        let cholesky = Cholesky::analyse(&matrix, &positions(count)).unwrap();
        let solve = |width, threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            let mut cholesky = cholesky.clone().with_width(width);
            let mut x = wave(count);
            pool.install(|| cholesky.factor(&matrix)).unwrap();
            cholesky.solve(&mut x);
            x
        };
        let expected = solve(Width::One, 1);
        for width in Width::available() {
            for threads in [1, 3] {
                assert!(solve(width, threads) == expected, "{what}, {width:?}, {threads} threads");
            }
        }
    }
}

/// Trees have no fill: eliminating the leaves of a star first adds no block, and neither does a good order of a
/// chain. The factor 5 is for storage: columns are merged by sixes and rows padded to eights, so that a column of two
/// blocks, six numbers high, takes 24 numbers.
#[test]
fn trees_do_not_fill() {
    for (what, count, pairs) in [("star", 600, star(600)), ("chain", 600, chain(600))] {
        let matrix = matrix(count, &pairs, 1.0);
        let size = Cholesky::analyse(&matrix, &[]).unwrap().factor_size();
        assert!(size < 5 * 9 * matrix.blocks.len(), "{what}: {size}");
    }
}

/// A diagonal block that is not positive or not finite is an error, and the same factor can then be used for a valid
/// matrix.
#[test]
fn bad_numbers_are_refused() {
    let good = matrix(100, &grid(10), 1.0);
    let mut cholesky = Cholesky::analyse(&good, &[]).unwrap();
    for bad in [f64::NAN, f64::INFINITY, -1.0, 0.0] {
        let mut matrix = good.clone();
        matrix.blocks[matrix.column_start[50]] = Mat3::IDENTITY * bad;
        assert_eq!(cholesky.factor(&matrix), Err(FactorError::NotPositiveDefinite), "{bad}");
    }
    cholesky.factor(&good).unwrap();
    let mut x = wave(100);
    cholesky.solve(&mut x);
    assert!(defect(&good, &x) < 1e-12);
}

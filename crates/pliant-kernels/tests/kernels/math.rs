//! 3×3 algebra: decompositions are exact to rounding and have the same bits in every lane.

use pliant_kernels::lanes::{Kernel, Width};
use pliant_kernels::math::{
    DenseEigen, LANES, Lane, Lanes, Mat3, Pack, Svd, Vec3, polar_rotation, qr_rotation, svd,
    symmetric_eigen,
};

use crate::random::{Random, for_cases};

fn matrix(columns: [[f64; 3]; 3]) -> Mat3 {
    Mat3(columns.map(Vec3))
}

fn norm(m: &Mat3) -> f64 {
    m.norm_squared().sqrt()
}

/// The deviation from orthogonality, ‖AᵀA − I‖.
fn orthogonality(a: &Mat3) -> f64 {
    norm(&(a.transpose() * *a - Mat3::IDENTITY))
}

/// Checks all properties of an SVD, relative to the size of F.
fn check_svd(f: &Mat3) {
    let Svd { u, sigma, v } = svd(f);
    let size = norm(f);
    let rebuilt = u * Mat3::diagonal(sigma) * v.transpose();
    assert!(norm(&(rebuilt - *f)) <= 1e-13 * size, "{f:?}: {:e}", norm(&(rebuilt - *f)));
    for rotation in [u, v] {
        assert!(orthogonality(&rotation) < 1e-14, "{f:?}: {:e}", orthogonality(&rotation));
        assert!((rotation.det() - 1.0).abs() < 1e-14);
    }
    let slack = 1e-15 * size;
    assert!(sigma[0] + slack >= sigma[1] && sigma[1] + slack >= sigma[2].abs(), "{sigma:?}");
    assert!(sigma[0] >= 0.0 && sigma[1] >= -slack, "{sigma:?}");
    // The smallest singular value has the sign of det F, if det F is more than rounding.
    let det = f.det();
    if det.abs() > 1e-14 * size * size * size {
        assert!(sigma[2] * det > 0.0, "{sigma:?} for det {det:e}");
    }
}

/// Entries uniform in [−1, 1).
fn any_matrix(random: &mut Random) -> Mat3 {
    Mat3::from_fn(|_, _| random.signed())
}

fn any_rotation(random: &mut Random) -> Mat3 {
    svd(&any_matrix(random)).u
}

/// Singular values over many orders of magnitude, equal, zero or negative.
fn any_sigma(random: &mut Random) -> [f64; 3] {
    std::array::from_fn(|_| match random.below(5) {
        0 => random.signed(),
        1 => 10f64.powf(random.within(-12.0, 0.0)),
        2 => 0.0,
        3 => 1.0,
        _ => -1.0,
    })
}

const CASES: usize = 2000;

/// The SVD of random matrices has all its properties.
#[test]
fn svd_of_any_matrix() {
    for_cases(CASES, &mut |random| check_svd(&any_matrix(random)));
}

/// So does that of matrices with zero, negative, equal and widely different singular values.
#[test]
fn svd_of_flat_inverted_and_repeated() {
    for_cases(CASES, &mut |random| {
        let (u, v, sigma) = (any_rotation(random), any_rotation(random), any_sigma(random));
        check_svd(&(u * Mat3::diagonal(sigma) * v.transpose()));
    });
}

/// So does that of matrices of small integers, many of them singular.
#[test]
fn svd_of_single_entries_and_small_integers() {
    for_cases(CASES, &mut |random| {
        check_svd(&Mat3::from_fn(|_, _| random.below(5) as f64 - 2.0));
    });
}

/// The polar rotation is the nearest rotation: RᵀF is symmetric, and a rotation is its own polar rotation, to rounding.
#[test]
fn polar_rotation_is_the_nearest() {
    for_cases(CASES, &mut |random| {
        let (f, r) = (any_matrix(random), any_rotation(random));
        let q = polar_rotation(&f);
        let s = q.transpose() * f;
        assert!(norm(&(s - s.transpose())) < 1e-14 * (1.0 + norm(&f)), "{f:?}");
        assert!(orthogonality(&q) < 1e-14, "{f:?}");
        assert!(norm(&(polar_rotation(&r) - r)) < 1e-14, "{r:?}");
    });
}

/// The QR rotation makes QᵀF upper triangular, to rounding, with non-negative first two diagonal entries.
#[test]
fn qr_rotation_leaves_a_triangle() {
    for_cases(CASES, &mut |random| {
        let f = any_matrix(random);
        let q = qr_rotation(&f);
        let r = q.transpose() * f;
        assert!(orthogonality(&q) < 1e-14, "{f:?}");
        for (i, j) in [(1, 0), (2, 0), (2, 1)] {
            assert!(r.at(i, j).abs() < 1e-14, "{r:?}");
        }
        assert!(r.at(0, 0) >= 0.0 && r.at(1, 1) >= 0.0, "{r:?}");
    });
}

/// The cofactor is the derivative of det F, and its differential is its derivative. Tolerance 1e-11: the cofactor is
/// quadratic, so that central differences have only rounding errors of ε/h.
#[test]
fn cofactor_and_its_differential_are_derivatives() {
    let h = 1e-3;
    for_cases(CASES, &mut |random| {
        let (f, d) = (any_matrix(random), any_matrix(random));
        let (ahead, behind) = (f + d * h, f - d * h);
        let det_slope = (ahead.det() - behind.det()) / (2.0 * h);
        // det is cubic: the difference is off by h² det(d).
        assert!((det_slope - h * h * d.det() - f.cofactor().ddot(&d)).abs() < 1e-11);
        let slope = (ahead.cofactor() - behind.cofactor()) * (0.5 / h);
        assert!(norm(&(slope - f.cofactor_differential(&d))) < 1e-11);
    });
}

/// F⁻¹ F = I, to rounding, for matrices with singular values between 0.1 and 2.
#[test]
fn inverse_times_matrix_is_one() {
    for_cases(CASES, &mut |random| {
        let (u, v) = (any_rotation(random), any_rotation(random));
        let s = random.vector_within(0.1, 2.0).to_array();
        let f = u * Mat3::diagonal(s) * v.transpose();
        assert!(norm(&(f.inverse() * f - Mat3::IDENTITY)) < 1e-12, "{f:?}");
    });
}

/// A pack gives the same bits as its lanes one by one, with every available instruction set.
#[test]
fn lanes_give_the_same_bits() {
    for_cases(CASES, &mut |random| {
        let input: [Pack; 18] = std::array::from_fn(|_| std::array::from_fn(|_| random.signed()));
        let outputs = |width: Width| {
            let mut kernel = Everything { input, output: [[0.0; LANES]; OUTPUTS] };
            width.run(&mut kernel);
            kernel.output
        };
        let single = outputs(Width::One);
        for width in Width::available() {
            for (a, b) in outputs(width).iter().flatten().zip(single.iter().flatten()) {
                assert_eq!(a.to_bits(), b.to_bits());
            }
        }
    });
}

const OUTPUTS: usize = 67;

struct Everything {
    input: [Pack; 18],
    output: [Pack; OUTPUTS],
}

impl Kernel for Everything {
    #[inline(always)]
    fn run<L: Lanes>(&mut self, lanes: L) {
        kernel(lanes, &self.input, &mut self.output);
    }
}

/// Computes every function of the module and stores the results lane by lane.
#[inline(always)]
fn kernel<L: Lanes>(lanes: L, input: &[Pack; 18], output: &mut [Pack; OUTPUTS]) {
    let f = Mat3::from_fn(|i, j| lanes.load(&input[3 * j + i]));
    let d = Mat3::from_fn(|i, j| lanes.load(&input[9 + 3 * j + i]));
    let Svd { u, sigma, v } = svd(&f);
    let scalars = [
        f.det(),
        f.norm_squared().sqrt(),
        f.at(0, 0).abs().ln(),
        sigma[0],
        sigma[1],
        sigma[2],
        f.trace(),
    ];
    let matrices = [u, v, polar_rotation(&f), qr_rotation(&f)];
    let more = [f.cofactor_differential(&d), f.inverse()];
    let mut slot = 0;
    let mut put = |value: L::Lane| {
        lanes.store(value, &mut output[slot]);
        slot += 1;
    };
    scalars.into_iter().for_each(&mut put);
    for m in matrices.into_iter().chain(more) {
        for j in 0..3 {
            (0..3).for_each(|i| put(m.at(i, j)));
        }
    }
    let a = f.at(0, 0);
    put(a.max(d.at(0, 0)));
    put(a.min(d.at(0, 0)));
    put(a.if_less(d.at(0, 0), a.one(), a.zero()));
    put(a.mul_add(d.at(0, 0), d.at(1, 1)));
    put(lanes.splat(2.0) * a / d.at(2, 2));
    put(a.like(0.5) - a * 3.0);
}

/// SVD and QR of special matrices have all their properties: zero, diagonal, tiny, huge and singular ones, and
/// permutations.
#[test]
fn svd_of_special_matrices() {
    let o = [0.0; 3];
    let diagonal = |d: [f64; 3]| Mat3::diagonal(d);
    let special = [
        Mat3::ZERO,
        Mat3::IDENTITY,
        diagonal([-1.0, -1.0, -1.0]),
        diagonal([0.0, 0.0, 1.0]),
        diagonal([0.0, -2.0, 0.0]),
        diagonal([1e-70, 2e-70, 3e-70]),
        diagonal([1e70, 1.0, 1e-70]),
        diagonal([1e70, -1e70, 1e-70]),
        matrix([[1e-70, 2e-70, 3e-70], [2e-70, -1e-70, 6e-70], [1e-70, 1e-70, 0.0]]),
        matrix([[1e70, 2e70, 3e70], [2e70, -1e70, 6e70], [1e70, 1e70, 0.0]]),
        matrix([[1.0, 2.0, 3.0], [2.0, 4.0, 6.0], [-1.0, -2.0, -3.0]]),
        matrix([[1.0, 1.0, 1.0], o, o]),
        matrix([o, o, [0.0, 1.0, 0.0]]),
        matrix([[1.0, 0.0, 0.0], [1.0, 1e-8, 0.0], [1.0, 0.0, 1e-16]]),
        matrix([[0.0, 1.0, 0.0], [0.0, 0.0, 1.0], [1.0, 0.0, 0.0]]),
        matrix([[0.0, 1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]]),
    ];
    for f in special {
        check_svd(&f);
        let q = qr_rotation(&f);
        assert!(orthogonality(&q) < 1e-14, "{f:?}: {q:?}");
    }
}

/// The singular values of a simple shear by γ are known: σ₁σ₂ = 1 and σ₁ − σ₂ = γ. Tolerance 1e-9, relative, also for
/// the smallest one at γ = 1e6.
#[test]
fn svd_of_a_simple_shear() {
    for gamma in [1e-9, 0.1, 1.0, 1e6] {
        let shear = matrix([[1.0, 0.0, 0.0], [gamma, 1.0, 0.0], [0.0, 0.0, 1.0]]);
        let largest = 0.5 * (gamma + (gamma * gamma + 4.0).sqrt());
        let sigma = svd(&shear).sigma;
        for (value, exact) in sigma.into_iter().zip([largest, 1.0, 1.0 / largest]) {
            assert!((value / exact - 1.0).abs() < 1e-9, "γ = {gamma}: {sigma:?}");
        }
    }
}

/// A = V diag(λ) Vᵀ to rounding, with a rotation V, for symmetric matrices of all sizes, also with equal eigenvalues.
#[test]
fn a_symmetric_matrix_is_its_eigenvalues() {
    for_cases(CASES, &mut |random| {
        let (turn, values) = (any_rotation(random), any_sigma(random));
        let scale = 10f64.powf(random.within(-6.0, 6.0));
        let a = turn * Mat3::diagonal(values.map(|v| scale * v)) * turn.transpose();
        let a = a.symmetric();
        let found = symmetric_eigen(&a);
        let again = found.vectors * Mat3::diagonal(found.values) * found.vectors.transpose();
        assert!(norm(&(again - a)) <= 1e-14 * norm(&a), "{:e}", norm(&(again - a)) / norm(&a));
        assert!(orthogonality(&found.vectors) < 1e-14);
    });
}

/// The matrix of second differences on a line of n points has the eigenvalues 2 − 2 cos(kπ/(n + 1)), k = 1 … n: all
/// found to rounding, with vectors that are orthonormal and solve A v = λ v.
#[test]
fn eigenvalues_of_second_differences_are_known() {
    for n in [1, 2, 7, 40] {
        let entry = |i: usize, j: usize| match i.abs_diff(j) {
            0 => 2.0,
            1 => -1.0,
            _ => 0.0,
        };
        let rows: Vec<Vec<f64>> = (0..n).map(|i| (0..n).map(|j| entry(i, j)).collect()).collect();
        let DenseEigen { values, vectors } = DenseEigen::new(rows.clone()).unwrap();
        let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
        for (k, (value, vector)) in values.iter().zip(&vectors).enumerate() {
            let exact = 2.0 - 2.0 * (std::f64::consts::PI * (k + 1) as f64 / (n + 1) as f64).cos();
            assert!((value - exact).abs() < 1e-14 * n as f64, "{n}, {k}: {value} against {exact}");
            for (row, v) in rows.iter().zip(vector) {
                assert!((dot(row, vector) - value * v).abs() < 1e-13, "{n}, {k}");
            }
            for (j, other) in vectors.iter().enumerate() {
                assert!((dot(vector, other) - f64::from(j == k)).abs() < 1e-13, "{n}, {j}, {k}");
            }
        }
    }
}

/// A matrix with entries that are not finite has no eigenvalues and returns `None`; an empty matrix has an empty list.
#[test]
fn matrices_without_eigenvalues_are_told() {
    assert_eq!(DenseEigen::new(vec![vec![1.0, f64::NAN], vec![f64::NAN, 1.0]]), None);
    assert_eq!(DenseEigen::new(vec![vec![f64::INFINITY]]), None);
    assert!(DenseEigen::new(Vec::new()).unwrap().values.is_empty());
    let zero = DenseEigen::new(vec![vec![0.0; 3]; 3]).unwrap();
    assert_eq!(zero.values, [0.0; 3]);
}

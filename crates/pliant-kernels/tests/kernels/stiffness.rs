//! The stiffness ∂P/∂F as a matrix, exact and projected to be positive semidefinite.

use crate::law_cases::{Case, Random, case, cases, deformations, norm};
use pliant_kernels::material::{
    Corotated, Isotropic, LawFamily, LawKind, MacklinMuller, Parameters, RestStable, Smith,
    StVenantKirchhoff,
};
use pliant_kernels::math::{DenseEigen, Mat3, Svd, svd};

type Matrix9 = [[f64; 9]; 9];

/// Eigenvalues of a symmetric matrix, in ascending order.
fn eigenvalues(a: &Matrix9) -> Vec<f64> {
    let row = |i: usize| (0..9).map(|j| 0.5 * (a[i][j] + a[j][i])).collect();
    DenseEigen::new((0..9).map(row).collect()).unwrap().values
}

/// The largest entry, in absolute value.
fn size(a: &Matrix9) -> f64 {
    a.as_flattened().iter().fold(0.0, |largest, entry| largest.max(entry.abs()))
}

/// The matrix as a vector, with entry (i, j) at index i + 3j.
fn vector(m: &Mat3) -> [f64; 9] {
    std::array::from_fn(|r| m.at(r % 3, r / 3))
}

/// The product K vec(dF).
fn product(k: &Matrix9, df: &Mat3) -> [f64; 9] {
    let x = vector(df);
    k.map(|row| row.iter().zip(x).map(|(k, x)| k * x).sum())
}

/// The largest difference of entries of two matrices.
fn distance(a: &Matrix9, b: &Matrix9) -> f64 {
    let pairs = a.as_flattened().iter().zip(b.as_flattened());
    pairs.fold(0.0, |largest, (a, b)| largest.max((a - b).abs()))
}

/// Calls `check` for every law and every deformation where its stress has a derivative.
fn for_every_smooth_point(check: impl Fn(&Case, &str, &Mat3)) {
    for case in cases() {
        for (what, f) in deformations().into_iter().filter(|(_, f)| case.smooth_at(f)) {
            check(&case, &format!("{}, {what}", case.name()), &f);
        }
    }
}

/// The stiffness matrix is symmetric, and its product with dF is the stress differential, to rounding.
#[test]
fn stiffness_is_symmetric_and_gives_the_differential() {
    for_every_smooth_point(|case, what, f| {
        let k = case.stiffness(f);
        let transpose: Matrix9 = std::array::from_fn(|i| std::array::from_fn(|j| k[j][i]));
        assert!(distance(&k, &transpose) < 1e-13 * size(&k), "{what}");
        let df = Random(29).matrix();
        let expected = vector(&case.stress_differential(f, &df));
        for (got, expected) in product(&k, &df).into_iter().zip(expected) {
            assert!((got - expected).abs() < 1e-13 * size(&k), "{what}");
        }
    });
}

/// Compares the closed forms of an isotropic law in principal axes with its differential, where the stress is
/// differentiable.
fn compare_frames(law: impl Isotropic<f64>, kind: LawKind) {
    let smooth = case(kind, Parameters::Corrected);
    for (what, f) in deformations().into_iter().filter(|(_, f)| smooth.smooth_at(f)) {
        let (frame, df): (Svd, _) = (svd(&f), Random(31).matrix());
        let principal = law.principal(&frame.sigma).stress_differential(&frame, &df);
        let error = norm(&(principal - law.stress_differential(&f, &df)));
        assert!(error < 1e-12 * size(&law.stiffness(&f)), "{kind}, {what}: {error:.1e}");
    }
}

/// The stress differential in principal axes equals the direct one, to rounding, for all isotropic laws.
#[test]
fn differential_by_singular_values_is_the_direct_one() {
    let (mu, lambda) = (0.7, 2.9);
    compare_frames(Corotated::law(mu, lambda), LawKind::Corotated);
    compare_frames(StVenantKirchhoff::law(mu, lambda), LawKind::StVenantKirchhoff);
    compare_frames(MacklinMuller::law(mu, lambda), LawKind::MacklinMuller);
    compare_frames(RestStable::law(mu, lambda), LawKind::RestStable);
    compare_frames(Smith::law(mu, lambda), LawKind::Smith);
}

/// The projected stiffness is the nearest positive semidefinite matrix: it has the same eigenvalues with negative
/// ones set to zero, and equals the exact stiffness if that has no negative eigenvalue.
#[test]
fn psd_stiffness_is_the_nearest_one() {
    for_every_smooth_point(|case, what, f| {
        let (exact, psd) = (case.stiffness(f), case.stiffness_psd(f));
        // The projection works in a frame from a decomposition that is exact to 1e-15 of its largest entry.
        let tolerance = 1e-13 * size(&exact);
        for (got, exact) in eigenvalues(&psd).into_iter().zip(eigenvalues(&exact)) {
            assert!((got - exact.max(0.0)).abs() < 3.0 * tolerance, "{what}: {got} from {exact}");
        }
        if eigenvalues(&exact)[0] >= 0.0 {
            assert!(distance(&psd, &exact) < tolerance, "{what}");
        }
    });
}

/// K⁺ − K is positive semidefinite, up to rounding: the projected stiffness never predicts a larger decrease of
/// energy than the exact one.
#[test]
fn psd_stiffness_never_promises_more() {
    for_every_smooth_point(|case, what, f| {
        let (exact, psd) = (case.stiffness(f), case.stiffness_psd(f));
        let raised: Matrix9 =
            std::array::from_fn(|i| std::array::from_fn(|j| psd[i][j] - exact[i][j]));
        assert!(eigenvalues(&raised)[0] > -1e-12 * size(&exact), "{what}");
    });
}

/// The projected stiffness is positive semidefinite also where the corotated rotation jumps and at F = 0.
#[test]
fn psd_stiffness_is_positive_everywhere() {
    let points = [[1.0, 0.5, -0.5], [0.0; 3], [1e-12, 1e-13, 0.0], [10.0, 1.0, -1.0]];
    for case in cases() {
        for sigma in points {
            let f = Mat3::diagonal(sigma);
            let (exact, psd) = (case.stiffness(&f), case.stiffness_psd(&f));
            let least = eigenvalues(&psd)[0];
            // Only rounding is left of a negative eigenvalue.
            assert!(least >= -1e-12 * size(&exact), "{} at {sigma:?}: {least:e}", case.name());
        }
    }
}

/// The exact stiffness of a compressed neo-Hookean cube has a negative eigenvalue, so that the projection is
/// needed.
#[test]
fn pressed_neo_hookean_cube_is_indefinite_so_the_projection_is_needed() {
    let law = case(LawKind::RestStable, Parameters::Corrected);
    let pressed = Mat3::diagonal([1.0, 1.0, 0.3]);
    assert!(eigenvalues(&law.stiffness(&pressed))[0] < -0.1);
}

/// The stiffness of twists and flips equals the quotients of principal stresses, (p₀ + p₁)/(a + b) and (p₀ − p₁)/(a −
/// b), to rounding.
#[test]
fn twists_and_flips_are_the_quotients_of_principal_stresses() {
    for case in cases().iter().filter(|case| case.frame_invariant()) {
        let f = Mat3::diagonal([1.7, 1.2, -0.6]);
        let [a, b, _] = svd(&f).sigma;
        let p = case.stress(&f);
        let [p0, p1] = [p.at(0, 0), p.at(1, 1)];
        let skew = Mat3::from_fn(|i, j| [[0.0, 1.0, 0.0], [-1.0, 0.0, 0.0], [0.0; 3]][i][j]);
        let symmetric = Mat3::from_fn(|i, j| [[0.0, 1.0, 0.0], [1.0, 0.0, 0.0], [0.0; 3]][i][j]);
        let twist = case.stress_differential(&f, &skew).at(0, 1);
        let flip = case.stress_differential(&f, &symmetric).at(0, 1);
        assert!((twist - (p0 + p1) / (a + b)).abs() < 1e-13 * (1.0 + twist.abs()));
        assert!((flip - (p0 - p1) / (a - b)).abs() < 1e-13 * (1.0 + flip.abs()));
    }
}

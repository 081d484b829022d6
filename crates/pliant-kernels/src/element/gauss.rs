//! Gauss–Jacobi points on [0, 1].

/// Returns `n` points and weights that are exact to degree 2n − 1 for ∫₀¹ (1 − x)ᵅ f(x) dx.
///
/// Newton's method on the Jacobi polynomial, with the roots already found divided out (Karniadakis & Sherwin 2005,
/// appendix B).
pub(super) fn gauss_jacobi(n: usize, alpha: u32) -> Vec<(f64, f64)> {
    let a = f64::from(alpha);
    let mut roots: Vec<f64> = Vec::with_capacity(n);
    for k in 0..n {
        // Start at a Chebyshev point, moved halfway towards the last root so that Newton's method does not skip a
        // root.
        let mut x = -((2 * k + 1) as f64 * std::f64::consts::PI / (2 * n) as f64).cos();
        if let Some(last) = roots.last() {
            x = 0.5 * (x + last);
        }
        for _ in 0..100 {
            let (value, slope) = jacobi(n, a, x);
            let deflation: f64 = roots.iter().map(|root| 1.0 / (x - root)).sum();
            let step = value / (slope - value * deflation);
            x -= step;
            if step.abs() < 1e-16 {
                break;
            }
        }
        roots.push(x);
    }
    // Weights on [-1, 1] for β = 0: 2^(α+1) / ((1 − x²) P'(x)²), scaled to [0, 1] by 2^(−α−1).
    let weight = |x: f64| 1.0 / ((1.0 - x * x) * jacobi(n, a, x).1.powi(2));
    roots.into_iter().map(|x| (0.5 * (1.0 + x), weight(x))).collect()
}

/// Returns `n` points and weights that are exact to degree 2n − 1 for ∫₀¹ f(x) dx.
pub fn gauss_line(n: usize) -> Vec<(f64, f64)> {
    gauss_jacobi(n, 0)
}

/// Value and slope of the Jacobi polynomial P_n^(α,0) at x, by the three-term recurrence.
fn jacobi(n: usize, a: f64, x: f64) -> (f64, f64) {
    let (mut last, mut value) = (1.0, 0.5 * (a + (a + 2.0) * x));
    if n == 0 {
        return (1.0, 0.0);
    }
    for k in 1..n {
        let k = k as f64;
        let s = 2.0 * k + a;
        let c1 = 2.0 * (k + 1.0) * (k + a + 1.0) * s;
        let c2 = (s + 1.0) * a * a;
        let c3 = s * (s + 1.0) * (s + 2.0);
        let c4 = 2.0 * (k + a) * k * (s + 2.0);
        (last, value) = (value, ((c2 + c3 * x) * value - c4 * last) / c1);
    }
    let (n, s) = (n as f64, 2.0 * n as f64 + a);
    let slope = (n * (a - s * x) * value + 2.0 * (n + a) * n * last) / (s * (1.0 - x * x));
    (value, slope)
}

//! Integrals of products of hexahedral basis functions over the material inside a cell.
//!
//! ```text
//! M_k = ∫ m B_k dξ      B_k = b_i(x) b_j(y) b_l(z), Bernstein polynomials of degree 2p
//! ```
//!
//! A product of two basis functions of degree p, or of their derivatives, is a linear combination of the B_k. So a
//! density distribution m, however fine, is represented completely by (2p + 1)³ moments. Derived here.

use super::kind::Kind;
use super::lattice::lattice;
use crate::math::{Mat3, Vec3};

/// Largest number of Bernstein polynomials along one axis: those of degree 4.
const MAX_SIDE: usize = 5;

/// Moments of a density distribution in the reference cube.
#[derive(Debug, Clone, PartialEq)]
pub struct Moments {
    /// Number of moments along one axis, 2p + 1.
    side: usize,
    values: Vec<f64>,
}

/// Integrals of the Bernstein polynomials of degree 2p over equal parts of [0, 1].
#[derive(Debug, Clone, PartialEq)]
pub struct PartIntegrals {
    side: usize,
    parts: Vec<[f64; MAX_SIDE]>,
}

impl PartIntegrals {
    /// Computes the integrals for hexahedra of a kind, cut into `part_count` parts along every side.
    ///
    /// # Panics
    /// If the kind has a degree above 2.
    pub fn new(kind: Kind, part_count: usize) -> Self {
        let side = 2 * kind.degree() + 1;
        assert!(side <= MAX_SIDE, "{kind} has too many moments");
        let count = part_count as f64;
        let cut = |k: usize| integrals_to(side - 1, k as f64 / count);
        let part = |k| {
            let (low, high) = (cut(k), cut(k + 1));
            std::array::from_fn(|i| high[i] - low[i])
        };
        Self { side, parts: (0..part_count).map(part).collect() }
    }
}

/// ∫₀ᵗ b_k of degree n, for all k: the sum of the b_j(t) of degree n + 1 with j > k, divided by n + 1.
fn integrals_to(n: usize, t: f64) -> [f64; MAX_SIDE] {
    let value =
        |j: usize| binomial(n + 1, j) * t.powi(j as i32) * (1.0 - t).powi((n + 1 - j) as i32);
    let mut integrals = [0.0; MAX_SIDE];
    let mut sum = 0.0;
    for k in (0..=n).rev() {
        sum += value(k + 1);
        integrals[k] = sum / (n + 1) as f64;
    }
    integrals
}

impl Moments {
    /// Creates the moments of an empty cell, for integrals of `parts`.
    pub fn new(parts: &PartIntegrals) -> Self {
        Self { side: parts.side, values: vec![0.0; parts.side * parts.side * parts.side] }
    }

    /// Adds material of density `m` in the part at `place`.
    ///
    /// # Panics
    /// If there is no such part.
    pub fn add(&mut self, parts: &PartIntegrals, place: [u16; 3], m: f64) {
        let [x, y, z] = place.map(|part| &parts.parts[usize::from(part)]);
        let side = self.side;
        for (l, plane) in self.values.chunks_exact_mut(side * side).enumerate() {
            for (j, row) in plane.chunks_exact_mut(side).enumerate() {
                let scale = m * z[l] * y[j];
                row.iter_mut().zip(x).for_each(|(moment, x)| *moment += scale * x);
            }
        }
    }

    /// Returns the integral of the density, ∫ m dξ.
    pub fn total(&self) -> f64 {
        self.values.iter().sum()
    }

    /// Σ x_i y_j z_l M_ijl.
    fn contract(&self, x: &Terms, y: &Terms, z: &Terms) -> f64 {
        let side = self.side;
        let mut sum = 0.0;
        for l in z.range() {
            for j in y.range() {
                let row = &self.values[side * (side * l + j)..];
                let line: f64 = x.range().map(|i| x.factors[i] * row[i]).sum();
                sum += z.factors[l] * y.factors[j] * line;
            }
        }
        sum
    }
}

/// A polynomial along one axis, by its Bernstein coefficients of degree 2p.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
struct Terms {
    factors: [f64; MAX_SIDE],
    first: usize,
    end: usize,
}

impl Terms {
    fn new(factors: [f64; MAX_SIDE]) -> Self {
        let first = factors.iter().position(|factor| *factor != 0.0).unwrap_or(0);
        let end = factors.iter().rposition(|factor| *factor != 0.0).map_or(0, |last| last + 1);
        Self { factors, first, end }
    }

    fn range(&self) -> std::ops::Range<usize> {
        self.first..self.end
    }
}

/// Bernstein coefficients of all products of two hexahedral basis functions or their derivatives.
#[derive(Debug, Clone, PartialEq)]
pub struct PairProducts {
    nodes: Vec<[usize; 3]>,
    degree: usize,
    /// Products along one axis, of b_a or its derivative with b_b or its derivative.
    table: Vec<[[Terms; 2]; 2]>,
}

impl PairProducts {
    /// Computes the products for hexahedra of a kind.
    pub fn new(kind: Kind) -> Self {
        let degree = kind.degree();
        let pairs = (0..=degree).flat_map(|a| (0..=degree).map(move |b| (a, b)));
        let table = pairs.map(|(a, b)| {
            let orders = [0, 1];
            orders.map(|d| orders.map(|e| Terms::new(product(degree, (a, d), (b, e)))))
        });
        Self { nodes: lattice(kind), degree, table: table.collect() }
    }

    /// The products along an axis, indexed by the orders of the two derivatives.
    fn axis(&self, a: usize, b: usize, axis: usize) -> &[[Terms; 2]; 2] {
        &self.table[self.nodes[a][axis] * (self.degree + 1) + self.nodes[b][axis]]
    }

    /// Returns ∫ m B_a B_b dξ.
    pub fn values(&self, moments: &Moments, a: usize, b: usize) -> f64 {
        let [x, y, z] = [0, 1, 2].map(|axis| &self.axis(a, b, axis)[0][0]);
        moments.contract(x, y, z)
    }

    /// Returns ∫ m ∂B_a/∂ξ dξ, using ∂B_a = Σ_b ∂B_a B_b.
    pub fn gradient(&self, moments: &Moments, a: usize) -> Vec3 {
        let along = |i: usize| {
            let term = |b: usize| {
                let [x, y, z] = [0, 1, 2].map(|k| &self.axis(a, b, k)[usize::from(k == i)][0]);
                moments.contract(x, y, z)
            };
            (0..self.nodes.len()).map(term).sum()
        };
        Vec3([0, 1, 2].map(along))
    }

    /// Returns ∫ m ∂B_a/∂ξ ⊗ ∂B_b/∂ξ dξ.
    pub fn gradients(&self, moments: &Moments, a: usize, b: usize) -> Mat3 {
        let axes = [0, 1, 2].map(|axis| self.axis(a, b, axis));
        let entry = |i: usize, j: usize| {
            let [x, y, z] = [0, 1, 2].map(|k| &axes[k][usize::from(k == i)][usize::from(k == j)]);
            moments.contract(x, y, z)
        };
        Mat3([0, 1, 2].map(|j| Vec3([0, 1, 2].map(|i| entry(i, j)))))
    }
}

/// Bernstein coefficients of degree 2p of the product of b_a, differentiated `d` times, and b_b, differentiated `e`
/// times.
fn product(p: usize, (a, d): (usize, usize), (b, e): (usize, usize)) -> [f64; MAX_SIDE] {
    let mut factors = vec![0.0; 2 * p - d - e + 1];
    for (i, left) in derivative(p, a, d) {
        for (j, right) in derivative(p, b, e) {
            let (n, m) = (p - d, p - e);
            let scale = binomial(n, i) * binomial(m, j) / binomial(n + m, i + j);
            factors[i + j] += left * right * scale;
        }
    }
    for _ in 0..d + e {
        factors = elevated(&factors);
    }
    let mut padded = [0.0; MAX_SIDE];
    padded[..factors.len()].copy_from_slice(&factors);
    padded
}

/// b_a of degree p, or its derivative p (b_{a−1} − b_a) of degree p − 1.
fn derivative(p: usize, a: usize, order: usize) -> Vec<(usize, f64)> {
    if order == 0 {
        return vec![(a, 1.0)];
    }
    let lower = a.checked_sub(1).map(|below| (below, p as f64));
    let upper = (a < p).then_some((a, -(p as f64)));
    lower.into_iter().chain(upper).collect()
}

/// Degree elevation: the coefficients of the same polynomial in the next degree.
fn elevated(factors: &[f64]) -> Vec<f64> {
    let n = factors.len();
    let at = |k: usize| factors.get(k).copied().unwrap_or(0.0);
    let below = |k: usize| k.checked_sub(1).map_or(0.0, at);
    (0..=n).map(|k| (k as f64 * below(k) + (n - k) as f64 * at(k)) / n as f64).collect()
}

fn binomial(n: usize, k: usize) -> f64 {
    (0..k).fold(1.0, |product, i| product * (n - i) as f64 / (i + 1) as f64)
}

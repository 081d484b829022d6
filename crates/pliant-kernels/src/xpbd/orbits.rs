//! Evaluation of Bernstein forms at all points of a symmetric rule at once.

use std::fmt::Debug;

use glam::DVec3;

use crate::element::{CUBIC_DERIVATIVE, QUADRATIC_DERIVATIVE};
use crate::math::Lane;

/// A rule with `Q` points, for forms with `M` coefficients.
///
/// Each point has an equal share `a` of all corners and an additional share `d` of some of them, λ = a (1, 1, 1, 1) +
/// d Σ eᵢ. Its values are thus combinations of a few sums that all points share; the transposed map uses the same
/// sums. Derived here.
pub(super) trait SymmetricRule<const M: usize, const Q: usize>: Copy + Debug + Sync {
    /// Degree of the cell, one more than that of the forms.
    const DEGREE: f64;

    /// Nodes of the cell whose differences are the coefficients: for each coefficient k the nodes k + e₀ … k + e₃.
    const NODES: [[usize; 4]; M];

    /// Returns the values of a form at all points.
    fn values<R: Lane>(&self, c: &[R; M]) -> [R; Q];

    /// The transposed map, with weights relative to the first: Σ w/w₀ h ∂value/∂c over all points.
    fn moments<R: Lane>(&self, h: &[R; Q]) -> [R; M];
}

/// The four-point rule of degree 2, one point towards each corner, for linear forms with coefficients c₀ … c₃:
///
/// ```text
/// value = a Σ c + d cᵢ
/// ```
#[derive(Debug, Clone, Copy)]
pub(super) struct FourPoints(Orbit);

impl FourPoints {
    /// Returns the rule if these are its points and weights.
    pub(super) fn fit(points: &[DVec3], weights: &[f64]) -> Option<Self> {
        (points.len() == 4).then_some(())?;
        Orbit::fit(points, weights, &CORNERS).map(Self)
    }
}

impl SymmetricRule<4, 4> for FourPoints {
    const DEGREE: f64 = 2.0;
    const NODES: [[usize; 4]; 4] = QUADRATIC_DERIVATIVE;

    #[inline(always)]
    fn values<R: Lane>(&self, c: &[R; 4]) -> [R; 4] {
        let Orbit { a, d, .. } = self.0;
        let whole = sum(c) * a;
        let mut values = [whole; 4];
        for i in 0..4 {
            values[i] += c[i] * d;
        }
        values
    }

    #[inline(always)]
    fn moments<R: Lane>(&self, h: &[R; 4]) -> [R; 4] {
        // All weights are equal, so the map is its own transpose.
        self.values(h)
    }
}

/// The fourteen-point rule of degree 5, two points towards each corner and one towards each edge, for quadratic forms
/// Σ cᵢⱼ λᵢ λⱼ with coefficients c₀₀ … c₃₃ and those of the edges. With the sums Rᵢ = Σⱼ cᵢⱼ and S = Σ Rᵢ
///
/// ```text
/// value = a² S + 2ad Rᵢ + d² cᵢᵢ                                  towards corner i
/// value = a² S + 2ad (Rᵢ + Rⱼ) + d² (cᵢᵢ + cⱼⱼ + 2 cᵢⱼ)           towards edge ij
/// ```
///
/// 98 operations instead of 280.
#[derive(Debug, Clone, Copy)]
pub(super) struct FourteenPoints {
    corners: [Quadratic; 2],
    edges: Quadratic,
}

impl FourteenPoints {
    /// Returns the rule if these are its points and weights.
    pub(super) fn fit(points: &[DVec3], weights: &[f64]) -> Option<Self> {
        let ([a, b, c], [v, w, u]) = (parts(points)?, parts(weights)?);
        let (first, second) = (Orbit::fit(a, v, &CORNERS)?, Orbit::fit(b, w, &CORNERS)?);
        let edges = Orbit::fit(c, u, &EDGES)?;
        let quadratic = |orbit: Orbit| Quadratic::new(orbit, orbit.weight / first.weight);
        Some(Self { corners: [quadratic(first), quadratic(second)], edges: quadratic(edges) })
    }
}

impl SymmetricRule<10, 14> for FourteenPoints {
    const DEGREE: f64 = 3.0;
    const NODES: [[usize; 4]; 10] = CUBIC_DERIVATIVE;

    #[inline(always)]
    fn values<R: Lane>(&self, c: &[R; 10]) -> [R; 14] {
        // `rows` are Rᵢ, and their sum `whole` is S.
        let mut rows = at_corners(c, 4);
        for i in 0..4 {
            rows[i] += c[i];
        }
        let whole = sum(&rows);
        let mut values = [whole; 14];
        for (k, Quadratic { values: [all, part, own], .. }) in self.corners.iter().enumerate() {
            let whole = whole * *all;
            for i in 0..4 {
                values[4 * k + i] = whole + rows[i] * *part + c[i] * *own;
            }
        }
        let [all, part, own] = self.edges.values;
        let whole = whole * all;
        for (k, [i, j]) in EDGES.into_iter().enumerate() {
            let twice = c[4 + k] + c[4 + k];
            values[8 + k] = whole + (rows[i] + rows[j]) * part + (c[i] + c[j] + twice) * own;
        }
        values
    }

    #[inline(always)]
    fn moments<R: Lane>(&self, h: &[R; 14]) -> [R; 10] {
        let [Quadratic { moments: a, .. }, Quadratic { moments: b, .. }] = &self.corners;
        let [all, part, own] = self.edges.moments;
        let touching = at_corners(h, 8);
        // Every edge has two corners, so the sum over corners counts it twice.
        let whole = sum(&touching) * (0.5 * all)
            + (h[0] + h[1] + (h[2] + h[3])) * a[0]
            + (h[4] + h[5] + (h[6] + h[7])) * b[0];
        let (mut rows, mut moments) = ([whole; 4], [whole; 10]);
        for i in 0..4 {
            rows[i] += h[i] * a[1] + h[4 + i] * b[1] + touching[i] * part;
            moments[i] = rows[i] + (h[i] * a[2] + h[4 + i] * b[2] + touching[i] * own);
        }
        for (k, [i, j]) in EDGES.into_iter().enumerate() {
            moments[4 + k] = rows[i] + rows[j] + h[8 + k] * (2.0 * own);
        }
        moments
    }
}

/// The corner of each point, in the order of the rules.
const CORNERS: [[usize; 1]; 4] = [[0], [1], [2], [3]];

/// The edge of each point, in the order of the rules.
const EDGES: [[usize; 2]; 6] = [[2, 3], [1, 3], [1, 2], [0, 3], [0, 2], [0, 1]];

/// For each corner, the sum of the values of its three edges, which start at `first`.
#[inline(always)]
fn at_corners<R: Lane, const N: usize>(h: &[R; N], first: usize) -> [R; 4] {
    let [cd, bd, bc] = [h[first], h[first + 1], h[first + 2]];
    let [ad, ac, ab] = [h[first + 3], h[first + 4], h[first + 5]];
    [ad + ac + ab, bd + bc + ab, cd + bc + ac, cd + bd + ad]
}

#[inline(always)]
fn sum<R: Lane>(h: &[R; 4]) -> R {
    h[0] + h[1] + (h[2] + h[3])
}

/// Splits a list of fourteen entries into its three orbits.
fn parts<T>(list: &[T]) -> Option<[&[T]; 3]> {
    (list.len() == 14).then(|| [&list[..4], &list[4..8], &list[8..]])
}

/// Points with shares a + d at one corner each, or at the ends of one edge, with a common weight.
#[derive(Debug, Clone, Copy)]
struct Orbit {
    a: f64,
    d: f64,
    weight: f64,
}

impl Orbit {
    /// Returns the orbit of these points, if each lies towards the corners in `towards`.
    fn fit<const K: usize>(
        points: &[DVec3],
        weights: &[f64],
        towards: &[[usize; K]],
    ) -> Option<Self> {
        let shares = |point: &DVec3| [1.0 - point.element_sum(), point.x, point.y, point.z];
        let near = |a: f64, b: f64| (a - b).abs() < 1e-14;
        let other = (0..4).find(|corner| !towards[0].contains(corner))?;
        let a = shares(points.first()?)[other];
        let orbit = Self { a, d: (1.0 - 4.0 * a) / K as f64, weight: *weights.first()? };
        let fits = |(point, corners): (&DVec3, &[usize; K])| {
            let share = |corner: usize| if corners.contains(&corner) { a + orbit.d } else { a };
            shares(point).into_iter().enumerate().all(|(i, at)| near(at, share(i)))
        };
        let alike = points.iter().zip(towards).all(fits)
            && weights.iter().all(|weight| near(*weight, orbit.weight));
        alike.then_some(orbit)
    }
}

/// Coefficients of an orbit for a quadratic form: of S, of R and of its own coefficients.
#[derive(Debug, Clone, Copy)]
struct Quadratic {
    values: [f64; 3],
    /// The same times the weight, relative to that of the rule's first point.
    moments: [f64; 3],
}

impl Quadratic {
    fn new(Orbit { a, d, .. }: Orbit, weight: f64) -> Self {
        let values = [a * a, 2.0 * a * d, d * d];
        Self { values, moments: values.map(|value| weight * value) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::element::{Kind, QuadratureRule, lattice};

    /// Checks a rule against its form at each point: values, their transpose, and the nodes whose differences are the
    /// coefficients. `indices` are the powers of λ of each coefficient.
    fn check<S: SymmetricRule<M, Q>, const M: usize, const Q: usize>(
        (rule, points): (S, &QuadratureRule),
        kind: Kind,
        indices: [[usize; 4]; M],
    ) {
        let nodes = indices.map(|index| raised_nodes(kind, index));
        assert!(nodes.iter().zip(S::NODES).all(|(a, b)| *a == b), "{nodes:?}");
        for (k, index) in indices.into_iter().enumerate() {
            let unit = std::array::from_fn(|other| if other == k { 1.0 } else { 0.0 });
            let values: [f64; Q] = rule.values(&unit);
            for (q, point) in points.points.iter().enumerate() {
                let xi = point.xi;
                let value = bernstein(index, [1.0 - xi.element_sum(), xi.x, xi.y, xi.z]);
                assert!((values[q] - value).abs() < 1e-14, "value {k} at {q}: {value}");
                let unit = std::array::from_fn(|other| if other == q { 1.0 } else { 0.0 });
                let moment = value * point.weight / points.points[0].weight;
                assert!((rule.moments(&unit)[k] - moment).abs() < 1e-14, "moment {k} of {q}");
            }
        }
    }

    /// Nodes `k + e₀` … `k + e₃` of coefficient k of one degree less than the cell.
    fn raised_nodes(kind: Kind, [_, x, y, z]: [usize; 4]) -> [usize; 4] {
        let node_at = |index: [usize; 3]| lattice(kind).iter().position(|other| *other == index);
        let raised = [[x, y, z], [x + 1, y, z], [x, y + 1, z], [x, y, z + 1]];
        raised.map(|index| node_at(index).expect("a node of the cell"))
    }

    /// n!/(k₀! k₁! k₂! k₃!) λᵏ.
    fn bernstein(index: [usize; 4], lambda: [f64; 4]) -> f64 {
        let factorial = |n: usize| (1..=n).map(|k| k as f64).product::<f64>();
        let term = |m: usize| lambda[m].powi(index[m] as i32) / factorial(index[m]);
        (0..4).map(term).product::<f64>() * factorial(index.iter().sum())
    }

    fn lists(rule: &QuadratureRule) -> (Vec<DVec3>, Vec<f64>) {
        rule.points.iter().map(|point| (point.xi, point.weight)).unzip()
    }

    /// The shared sums give the values of the Bernstein polynomials, to rounding.
    #[test]
    fn rules_take_the_values_of_their_forms() {
        let rule = QuadratureRule::of_degree(Kind::Tet10.shape(), 2);
        let (points, weights) = lists(&rule);
        let fitted = FourPoints::fit(&points, &weights).expect("the rule of four points");
        check((fitted, &rule), Kind::Tet10, std::array::from_fn(|k| power(&CORNERS[k], 1)));

        let rule = QuadratureRule::of_degree(Kind::Tet20.shape(), 5);
        let (points, weights) = lists(&rule);
        let fitted = FourteenPoints::fit(&points, &weights).expect("the rule of fourteen points");
        let index = |k: usize| if k < 4 { power(&CORNERS[k], 2) } else { power(&EDGES[k - 4], 1) };
        check((fitted, &rule), Kind::Tet20, std::array::from_fn(index));
    }

    /// The multi-index with `power` at these corners.
    fn power(corners: &[usize], power: usize) -> [usize; 4] {
        std::array::from_fn(|corner| if corners.contains(&corner) { power } else { 0 })
    }

    /// Points of another rule are rejected.
    #[test]
    fn other_points_do_not_fit() {
        let eight = lists(&QuadratureRule::of_degree(Kind::Tet10.shape(), 3));
        assert!(FourPoints::fit(&eight.0, &eight.1).is_none());
        assert!(FourteenPoints::fit(&eight.0, &eight.1).is_none());
        let (mut points, weights) = lists(&QuadratureRule::of_degree(Kind::Tet20.shape(), 5));
        points.swap(0, 13);
        assert!(FourteenPoints::fit(&points, &weights).is_none());
    }
}

//! The Jacobian determinant of curved tetrahedra as a Bernstein polynomial, and bounds of it.
//!
//! det J of a cell of degree p is a polynomial of degree 3(p − 1). Its least and its largest Bernstein coefficient bound
//! it from below and above, and subdivision of the cell tightens the bounds (Johnen et al. 2013).

use glam::DVec3;
use pliant::element::Kind;
use pliant_kernels::element::lattice;

/// The most Bernstein coefficients of det J: those of a cubic cell.
const MOST_COEFFICIENTS: usize = 84;
/// The most cuts that tighten a bound.
const MAX_CUTS: usize = 48;
/// The edges at which cells are cut in two, in turn: after one cycle every edge is shorter.
const EDGES: [[usize; 2]; 6] = [[0, 1], [2, 3], [0, 2], [1, 3], [0, 3], [1, 2]];

/// The coefficients of det J on a part of a cell.
#[derive(Debug, Clone, Copy)]
pub(super) struct DetPart {
    coefficients: [f64; MOST_COEFFICIENTS],
    /// The number of cuts that made the part.
    cuts: usize,
}

/// The ratio of the least to the largest det J of a cell.
#[derive(Debug, Clone, Copy)]
pub(super) struct DetRatio {
    /// A proved lower bound of the ratio.
    pub(super) proved: f64,
    /// An upper bound: the ratio of two values of det J.
    pub(super) seen: f64,
}

/// Products of Bernstein polynomials, for one kind of cell.
#[derive(Debug)]
pub(super) struct DetForm {
    degree: f64,
    /// The control points b + e₀, b + e₁, b + e₂ and b + e₃ for every exponent b of degree p − 1.
    slopes: Vec<[usize; 4]>,
    /// Second factor, third factor, coefficient of the cross product, weight.
    crosses: Vec<Term>,
    cross_count: usize,
    /// First factor, cross product, coefficient of the determinant, weight.
    dots: Vec<Term>,
    count: usize,
    /// The coefficients at the corners, which are values of det J.
    corners: [usize; 4],
    /// For each edge and each of its ends: the terms of the coefficients on the half without that end.
    halves: Vec<[Vec<Half>; 2]>,
}

/// A term of a product of two polynomials.
#[derive(Debug, Clone, Copy)]
struct Term {
    a: usize,
    b: usize,
    to: usize,
    weight: f64,
}

/// A term of a coefficient on a half of a cell.
#[derive(Debug, Clone, Copy)]
struct Half {
    from: usize,
    to: usize,
    weight: f64,
}

type Exponents = [usize; 4];

impl DetForm {
    /// The form of tetrahedra of this kind.
    pub(super) fn new(kind: Kind) -> Self {
        let p = kind.degree();
        let nodes: Vec<Exponents> =
            lattice(kind).into_iter().map(|[x, y, z]| [p - x - y - z, x, y, z]).collect();
        let (slope, cross, det) =
            (exponents(p - 1), exponents(2 * (p - 1)), exponents(3 * (p - 1)));
        let raised = |b: &Exponents| std::array::from_fn(|k| place(&nodes, &plus(b, &unit(k))));
        let corner = |k: usize| place(&det, &unit(k).map(|one| one * 3 * (p - 1)));
        Self {
            degree: p as f64,
            slopes: slope.iter().map(raised).collect(),
            crosses: products(&slope, &slope, &cross),
            cross_count: cross.len(),
            dots: products(&slope, &cross, &det),
            count: det.len(),
            corners: std::array::from_fn(corner),
            halves: EDGES.iter().map(|[a, b]| [half(&det, *a, *b), half(&det, *b, *a)]).collect(),
        }
    }

    /// The coefficients of det J for a cell with these control points.
    ///
    /// ```text
    /// ∂x/∂ξₖ = p Σ_b (x_{b + eₖ} − x_{b + e₀}) B_b          det J = ∂x/∂ξ₁ · (∂x/∂ξ₂ × ∂x/∂ξ₃)
    /// ```
    pub(super) fn whole(&self, points: &[DVec3]) -> DetPart {
        let mut columns = [[DVec3::ZERO; 10]; 3];
        for (b, slopes) in self.slopes.iter().enumerate() {
            for k in 0..3 {
                columns[k][b] = self.degree * (points[slopes[k + 1]] - points[slopes[0]]);
            }
        }
        let mut crosses = [DVec3::ZERO; 35];
        for term in &self.crosses {
            crosses[term.to] += term.weight * columns[1][term.a].cross(columns[2][term.b]);
        }
        debug_assert!(self.cross_count <= crosses.len(), "degree 3 at most");
        let mut coefficients = [0.0; MOST_COEFFICIENTS];
        for term in &self.dots {
            coefficients[term.to] += term.weight * columns[0][term.a].dot(crosses[term.b]);
        }
        DetPart { coefficients, cuts: 0 }
    }

    /// True if the ratio of the least to the largest det J of a cell is proved to be at least `enough`.
    pub(super) fn is_ratio_at_least(&self, whole: DetPart, enough: f64) -> bool {
        let decided = |ratio: &DetRatio| ratio.proved >= enough || ratio.seen < enough;
        self.ratio_until(whole, decided).proved >= enough
    }

    /// The ratio of the least to the largest det J of a cell, to about one per cent, and exactly enough to know whether it
    /// is at least `enough`.
    pub(super) fn ratio(&self, whole: DetPart, enough: f64) -> DetRatio {
        let is_near = |ratio: &DetRatio| ratio.seen - ratio.proved < 0.01 * ratio.seen.abs();
        let decided = |ratio: &DetRatio| ratio.proved >= enough || ratio.seen < enough;
        self.ratio_until(whole, |ratio| is_near(ratio) && decided(ratio))
    }

    /// Tightens the bounds of the ratio until they are good enough, or the cell has been cut too often.
    fn ratio_until(&self, whole: DetPart, is_enough: impl Fn(&DetRatio) -> bool) -> DetRatio {
        let first = self.bounds(&whole);
        let mut parts = vec![(whole, first)];
        let mut values = first.values;
        loop {
            let lowest = least_by(&parts, |bounds| bounds.coefficients[0]);
            let highest = least_by(&parts, |bounds| -bounds.coefficients[1]);
            let [low, high] = [parts[lowest].1.coefficients[0], parts[highest].1.coefficients[1]];
            if !(high > 0.0 && values[1] > 0.0) {
                return DetRatio { proved: -1.0, seen: -1.0 };
            }
            // A negative minimum over a larger bound would be a larger ratio, so it is divided by the value.
            let proved = low / if low < 0.0 { values[1] } else { high };
            let ratio = DetRatio { proved, seen: values[0] / values[1] };
            if is_enough(&ratio) || parts.len() > MAX_CUTS {
                return ratio;
            }
            let loose_below = (values[0] - low) / values[1];
            let loose_above = ratio.seen.abs() * (high - values[1]) / values[1];
            let chosen = if loose_below >= loose_above { lowest } else { highest };
            let (part, _) = parts.swap_remove(chosen);
            for half in self.cut(&part) {
                let bounds = self.bounds(&half);
                values = [values[0].min(bounds.values[0]), values[1].max(bounds.values[1])];
                parts.push((half, bounds));
            }
        }
    }

    fn cut(&self, part: &DetPart) -> [DetPart; 2] {
        self.halves[part.cuts % EDGES.len()].each_ref().map(|terms| {
            let mut coefficients = [0.0; MOST_COEFFICIENTS];
            for term in terms {
                coefficients[term.to] += term.weight * part.coefficients[term.from];
            }
            DetPart { coefficients, cuts: part.cuts + 1 }
        })
    }

    fn bounds(&self, part: &DetPart) -> Bounds {
        let range = |[low, high]: [f64; 2], x: &f64| [low.min(*x), high.max(*x)];
        let none = [f64::INFINITY, f64::NEG_INFINITY];
        let corners = self.corners.map(|corner| part.coefficients[corner]);
        Bounds {
            coefficients: part.coefficients[..self.count].iter().fold(none, range),
            values: corners.iter().fold(none, range),
        }
    }
}

/// Bounds of det J on a part of a cell.
#[derive(Debug, Clone, Copy)]
struct Bounds {
    /// The least and the largest coefficient: det J lies between them.
    coefficients: [f64; 2],
    /// The least and the largest value at a corner.
    values: [f64; 2],
}

/// The index of the part with the least of some number.
fn least_by(parts: &[(DetPart, Bounds)], number: impl Fn(&Bounds) -> f64) -> usize {
    let compare = |a: &usize, b: &usize| number(&parts[*a].1).total_cmp(&number(&parts[*b].1));
    (0..parts.len()).min_by(compare).unwrap_or(0)
}

/// All exponents of degree n.
fn exponents(n: usize) -> Vec<Exponents> {
    let mut all = Vec::new();
    for x in 0..=n {
        for y in 0..=n - x {
            all.extend((0..=n - x - y).map(|z| [n - x - y - z, x, y, z]));
        }
    }
    all
}

fn place(all: &[Exponents], wanted: &Exponents) -> usize {
    all.iter().position(|found| found == wanted).expect("the sum of exponents is the degree")
}

fn plus(a: &Exponents, b: &Exponents) -> Exponents {
    std::array::from_fn(|k| a[k] + b[k])
}

fn unit(k: usize) -> Exponents {
    std::array::from_fn(|j| usize::from(j == k))
}

/// n!/(a! b! c! d!) for exponents of degree n.
fn multinomial(exponents: &Exponents) -> f64 {
    let factorial = |n: usize| (1..=n).map(|k| k as f64).product::<f64>();
    factorial(exponents.iter().sum()) / exponents.iter().map(|e| factorial(*e)).product::<f64>()
}

/// The terms of the product of two polynomials.
///
/// ```text
/// B_a B_b = (n_a n_b / n_{a + b}) B_{a + b}        n_a = |a|!/(a₀! a₁! a₂! a₃!)
/// ```
fn products(first: &[Exponents], second: &[Exponents], product: &[Exponents]) -> Vec<Term> {
    let term = |a: usize, b: usize| {
        let sum = plus(&first[a], &second[b]);
        let weight = multinomial(&first[a]) * multinomial(&second[b]) / multinomial(&sum);
        Term { a, b, to: place(product, &sum), weight }
    };
    let all = (0..first.len()).flat_map(|a| (0..second.len()).map(move |b| (a, b)));
    all.map(|(a, b)| term(a, b)).collect()
}

/// The coefficients on the half of a cell whose corner `a` is the middle of the edge from `a` to `b`: de Casteljau's
/// algorithm in one direction.
///
/// ```text
/// c'_e = 2⁻ⁿ Σ_t C(n, t) c_{e − t e_a + t e_b}        n = e_a
/// ```
fn half(all: &[Exponents], a: usize, b: usize) -> Vec<Half> {
    let mut terms = Vec::new();
    for (to, exponents) in all.iter().enumerate() {
        let n = exponents[a];
        let mut choices = 1.0;
        for t in 0..=n {
            let mut from = *exponents;
            (from[a], from[b]) = (n - t, exponents[b] + t);
            let weight = choices / f64::from(1u32 << n);
            terms.push(Half { from: place(all, &from), to, weight });
            choices *= (n - t) as f64 / (t + 1) as f64;
        }
    }
    terms
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::DMat3;
    use pliant_kernels::element::{jacobian, shape_gradient};

    /// A number between −1 and 1 that looks random.
    fn toss(seed: &mut f64) -> f64 {
        *seed += 1.0;
        (*seed * 12.9898).sin() * 43758.5453 % 1.0
    }

    /// A cell whose control points are this far, in sides, from those of the straight one.
    fn bent(kind: Kind, by: f64, seed: &mut f64) -> Vec<DVec3> {
        let scale = 1.0 / kind.degree() as f64;
        let place = |node: [usize; 3]| DVec3::from(node.map(|k| k as f64 * scale));
        let mut away = || by * DVec3::new(toss(seed), toss(seed), toss(seed));
        lattice(kind).into_iter().map(|node| place(node) + away()).collect()
    }

    /// The least and the largest det J on a fine grid.
    fn sampled(kind: Kind, points: &[DVec3]) -> [f64; 2] {
        const N: usize = 16;
        let mut range = [f64::INFINITY, f64::NEG_INFINITY];
        for place in exponents(N) {
            let xi = DVec3::new(place[1] as f64, place[2] as f64, place[3] as f64) / N as f64;
            let det = DMat3::from(jacobian(points, &shape_gradient(kind, xi))).determinant();
            range = [range[0].min(det), range[1].max(det)];
        }
        range
    }

    /// The proved ratio is never above that of values of det J, and near the one that a fine grid shows.
    #[test]
    fn the_ratio_is_a_tight_lower_bound() {
        let (mut seed, mut tight) = (0.0, 0);
        for kind in [Kind::Tet10, Kind::Tet20] {
            let form = DetForm::new(kind);
            for round in 0..50 {
                let points = bent(kind, 0.003 * f64::from(round), &mut seed);
                let [low, high] = sampled(kind, &points);
                let ratio = form.ratio(form.whole(&points), 0.1);
                // Rounding: det J is a sum of up to a thousand terms of size one.
                assert!(
                    ratio.proved <= low / high + 1e-12,
                    "{round}: {ratio:?} of {low} to {high}"
                );
                assert!(ratio.proved <= ratio.seen + 1e-12, "{round}: {ratio:?}");
                // Where the minimum is positive, to a few per cent: that of the bound and that of the grid.
                let is_tight = low > 0.0 && ratio.proved > 0.95 * low / high - 0.01;
                tight += usize::from(is_tight || low <= 0.0);
            }
        }
        assert!(tight >= 98, "{tight} of 100 bounds are tight");
    }

    /// det J of a straight cell is constant: its ratio is one.
    #[test]
    fn the_ratio_of_a_straight_cell_is_one() {
        for kind in [Kind::Tet4, Kind::Tet10, Kind::Tet20] {
            let form = DetForm::new(kind);
            let ratio = form.ratio(form.whole(&bent(kind, 0.0, &mut 0.0)), 0.1);
            assert!((ratio.proved - 1.0).abs() < 1e-12, "{ratio:?}");
        }
    }
}

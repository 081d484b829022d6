//! The constraints of one pack of cells.
//!
//! ```text
//! gather x  →  F  →  ψ̃, P̃ of both terms  →  S = Σ V ψ̃,  gₐ = Σ V P̃ J⁻ᵀ ∂Bₐ/∂ξ  →  y  →  xₐ += wₐ Σ g y
//! ```
//!
//! Saillant et al. 2024, algorithm 2 with eq. 22 and 23.

use glam::DVec3;

use crate::body::Batch;
use crate::force::{apply_constant, load, reference_gradient, rest_point};
use crate::material::{Law, LawFamily, LawKind, LawVisitor, Term};
use crate::math::{LANES, Lane, Lanes, Mat3, Pack, Vec3};

use super::Projection;
use super::local_solve::{Side, solve};
use super::shared::{SharedPack, SharedPoints};

/// Quadrature points handed to a law at once.
const POINTS: usize = 4;

/// What the constraints of a batch work on.
#[derive(Debug, Clone, Copy)]
pub(super) struct Work<'a> {
    pub(super) batch: &'a Batch,
    pub(super) points: &'a SharedPoints,
    /// Where the nodes were when the substep began; empty without damping.
    pub(super) start: &'a [DVec3],
    /// Multipliers of both constraints, pack after pack.
    pub(super) lambdas: &'a [[SharedPack; 2]],
    pub(super) projection: Projection,
    /// h², in s².
    pub(super) h_squared: f64,
    /// c = b/h.
    pub(super) damping: f64,
    /// Whether multipliers count: not in the first sweep of a substep, where they are zero.
    pub(super) read_lambdas: bool,
    /// Whether multipliers are kept for a later sweep or for the residual.
    pub(super) keep_lambdas: bool,
}

/// S and its gradient for the two constraints of a cell.
struct Cell<R, const N: usize> {
    sums: [R; 2],
    gradients: [[Vec3<R>; N]; 2],
    volume: R,
}

/// Moves the nodes of the cells of `pack` that `lanes` selects.
#[inline(always)]
pub(super) fn project<L: Lanes, const N: usize>(lanes: L, work: &Work<'_>, pack: usize) {
    let batch = work.batch;
    let nodes: &[[u32; LANES]; N] = batch.pack_nodes(pack).first_chunk().expect("N nodes a cell");
    let (mut x, inverse_masses) = gather(lanes, work.points, nodes);
    let [mu, lambda] = batch.pack_constants(pack);
    let moduli = [lanes.load(mu), lanes.load(lambda)];
    let used = lanes.selected().start..lanes.selected().end.min(batch.lanes_used(pack));
    for pass in work.projection.passes() {
        let cell = evaluate(lanes, batch, pack, &x, moduli, *pass, true);
        let moved = moved(lanes, work, nodes, &x, &cell);
        let lambdas = &work.lambdas[pack];
        let mut sides = [Side { moved: moved[0], ..Side::new(cell.sums[0], moduli[0]) }; 2];
        sides[1] = Side { moved: moved[1], ..Side::new(cell.sums[1], moduli[1]) };
        for k in 0..2 {
            sides[k].stiffness *= lanes.splat(work.h_squared);
            if work.read_lambdas {
                sides[k].lambda = lanes.load(&lambdas[k].load());
            }
        }
        let products = products(&cell.gradients, &inverse_masses);
        let y = solve(sides, products, work.damping, cell.volume);
        let [first, second] = &cell.gradients;
        for a in 0..N {
            x[a] += (first[a] * y[0] + second[a] * y[1]) * inverse_masses[a];
        }
        if work.keep_lambdas {
            for k in 0..2 {
                let sum = sides[k].lambda + sides[k].size.sqrt() * y[k] * 2.0;
                if pass[k] {
                    let mut numbers: Pack = [0.0; LANES];
                    lanes.store(sum, &mut numbers);
                    lambdas[k].store(&numbers, used.clone());
                }
            }
        }
    }
    scatter(lanes, work.points, nodes, &x, used);
}

/// How far from met the constraints of each cell are, and how large, both weighed by stiffness:
///
/// ```text
/// Σ k (C + α̃ λ)²        Σ k C²
/// ```
#[inline(always)]
pub(super) fn residual<L: Lanes, const N: usize>(
    lanes: L,
    work: &Work<'_>,
    pack: usize,
    out: &mut [Pack; 2],
) {
    let batch = work.batch;
    let nodes: &[[u32; LANES]; N] = batch.pack_nodes(pack).first_chunk().expect("N nodes a cell");
    let (x, _) = gather(lanes, work.points, nodes);
    let [mu, lambda] = batch.pack_constants(pack);
    let moduli = [lanes.load(mu), lanes.load(lambda)];
    let cell = evaluate(lanes, batch, pack, &x, moduli, [true; 2], false);
    let zero = lanes.splat(0.0);
    let (mut open, mut whole) = (zero, zero);
    for k in 0..2 {
        let lambda = lanes.load(&work.lambdas[pack][k].load());
        // k (C + λ/(k h²))² without dividing by a stiffness of zero: (k h² C + λ)²/(k h⁴).
        let size = cell.sums[k].abs().sqrt();
        let scaled = size * moduli[k] * work.h_squared + lambda;
        let least = zero.like(f64::MIN_POSITIVE);
        let weight = zero.one() / (moduli[k] * (work.h_squared * work.h_squared)).max(least);
        open += zero.if_less(moduli[k], scaled * scaled * weight, zero);
        whole += moduli[k] * size * size;
    }
    lanes.store(open, &mut out[0]);
    lanes.store(whole, &mut out[1]);
}

#[inline(always)]
fn gather<L: Lanes, const N: usize>(
    lanes: L,
    points: &SharedPoints,
    nodes: &[[u32; LANES]; N],
) -> ([Vec3<L::Lane>; N], [L::Lane; N]) {
    let zero = lanes.splat(0.0);
    let (mut x, mut inverse_masses) = ([Vec3([zero; 3]); N], [zero; N]);
    for a in 0..N {
        let mut packs = [[0.0; LANES]; 4];
        for lane in lanes.selected() {
            let [x, y, z, w] = points.load(nodes[a][lane]);
            packs[0][lane] = x;
            packs[1][lane] = y;
            packs[2][lane] = z;
            packs[3][lane] = w;
        }
        x[a] = load(lanes, &packs, 0);
        inverse_masses[a] = lanes.load(&packs[3]);
    }
    (x, inverse_masses)
}

#[inline(always)]
fn scatter<L: Lanes, const N: usize>(
    lanes: L,
    points: &SharedPoints,
    nodes: &[[u32; LANES]; N],
    x: &[Vec3<L::Lane>; N],
    used: std::ops::Range<usize>,
) {
    for (nodes, x) in nodes.iter().zip(x) {
        let mut packs = [[0.0; LANES]; 3];
        for (component, pack) in x.0.iter().zip(&mut packs) {
            lanes.store(*component, pack);
        }
        for lane in used.clone() {
            points.store(nodes[lane], [packs[0][lane], packs[1][lane], packs[2][lane]]);
        }
    }
}

/// S and g of the terms that a pass takes; the others stay zero.
#[inline(always)]
fn evaluate<L: Lanes, const N: usize>(
    lanes: L,
    batch: &Batch,
    pack: usize,
    x: &[Vec3<L::Lane>; N],
    moduli: [L::Lane; 2],
    terms: [bool; 2],
    with_gradients: bool,
) -> Cell<L::Lane, N> {
    let zero = lanes.splat(0.0);
    let rest = batch.pack_rest(pack);
    let tables = batch.gradients.as_chunks::<N>().0;
    let mut cell = Cell { sums: [zero; 2], gradients: [[Vec3([zero; 3]); N]; 2], volume: zero };
    let none = Term { energy: zero, stress: Mat3([Vec3([zero; 3]); 3]) };
    let mut f = [none.stress; POINTS];
    let mut values = [[none; 2]; POINTS];
    for start in (0..tables.len()).step_by(POINTS) {
        let count = POINTS.min(tables.len() - start);
        for k in 0..count {
            let (inverse, _) = rest_point(lanes, batch, rest, start + k);
            f[k] = gradient(x, &tables[start + k]) * inverse;
        }
        split_law(lanes, batch.law, moduli, &f[..count], &mut values[..count]);
        for k in 0..count {
            let (inverse, volume) = rest_point(lanes, batch, rest, start + k);
            cell.volume += volume;
            for term in 0..2 {
                if !terms[term] {
                    continue;
                }
                cell.sums[term] += values[k][term].energy * volume;
                if with_gradients {
                    let h = values[k][term].stress * inverse.transpose() * volume;
                    spread(&h, &tables[start + k], &mut cell.gradients[term]);
                }
            }
        }
    }
    cell
}

/// ∂x/∂ξ; of a linear tetrahedron the differences of its corners.
#[inline(always)]
fn gradient<R: Lane, const N: usize>(x: &[Vec3<R>; N], table: &[[f64; 3]; N]) -> Mat3<R> {
    if N == 4 {
        return Mat3([x[1] - x[0], x[2] - x[0], x[3] - x[0]]);
    }
    reference_gradient(x, table)
}

/// Adds H ∂Bₐ/∂ξ to the gradient of every node.
#[inline(always)]
fn spread<R: Lane, const N: usize>(h: &Mat3<R>, table: &[[f64; 3]; N], sums: &mut [Vec3<R>; N]) {
    if N == 4 {
        let [a, b, c] = h.0;
        sums[0] = sums[0] - (a + b + c);
        sums[1] += a;
        sums[2] += b;
        sums[3] += c;
        return;
    }
    for (sum, gradient) in sums.iter_mut().zip(table) {
        *sum += apply_constant(h, gradient);
    }
}

/// g_A M⁻¹ g_A, g_A M⁻¹ g_B and g_B M⁻¹ g_B.
#[inline(always)]
fn products<R: Lane, const N: usize>(
    [first, second]: &[[Vec3<R>; N]; 2],
    inverse_masses: &[R; N],
) -> [R; 3] {
    let zero = inverse_masses[0].zero();
    let mut sums = [zero; 3];
    for a in 0..N {
        let (g, k, w) = (first[a], second[a], inverse_masses[a]);
        sums[0] += g.dot(g) * w;
        sums[1] += g.dot(k) * w;
        sums[2] += k.dot(k) * w;
    }
    sums
}

/// g · (x − x₀) of both constraints; zero without damping.
#[inline(always)]
fn moved<L: Lanes, const N: usize>(
    lanes: L,
    work: &Work<'_>,
    nodes: &[[u32; LANES]; N],
    x: &[Vec3<L::Lane>; N],
    cell: &Cell<L::Lane, N>,
) -> [L::Lane; 2] {
    let mut moved = [lanes.splat(0.0); 2];
    if work.damping == 0.0 {
        return moved;
    }
    for a in 0..N {
        let mut packs = [[0.0; LANES]; 3];
        for lane in lanes.selected() {
            let start = work.start[nodes[a][lane] as usize];
            packs[0][lane] = start.x;
            packs[1][lane] = start.y;
            packs[2][lane] = start.z;
        }
        let step = x[a] - load(lanes, &packs, 0);
        moved[0] += cell.gradients[0][a].dot(step);
        moved[1] += cell.gradients[1][a].dot(step);
    }
    moved
}

/// The terms of the law at every F. Not inlined: it is compiled once for each law.
#[inline(never)]
fn split_law<L: Lanes>(
    lanes: L,
    law: LawKind,
    moduli: [L::Lane; 2],
    f: &[Mat3<L::Lane>],
    values: &mut [[Term<L::Lane>; 2]],
) {
    lanes.run(
        #[inline(always)]
        || law.visit(Split::<L> { moduli, f, values }),
    );
}

struct Split<'a, L: Lanes> {
    moduli: [L::Lane; 2],
    f: &'a [Mat3<L::Lane>],
    values: &'a mut [[Term<L::Lane>; 2]],
}

impl<L: Lanes> LawVisitor for Split<'_, L> {
    type Output = ();

    #[inline(always)]
    fn visit<F: LawFamily>(self) {
        let law = F::law(self.moduli[0], self.moduli[1]);
        for (f, value) in self.f.iter().zip(self.values) {
            *value = law.terms(f);
        }
    }
}

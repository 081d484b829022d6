//! The constraints of one pack of cells.
//!
//! ```text
//! gather x  →  F  →  ψ̃, P̃ of both terms  →  S = Σ V ψ̃,  gₐ = Σ V P̃ J⁻ᵀ ∂Bₐ/∂ξ  →  y  →  xₐ += wₐ Σ g y
//! ```
//!
//! Saillant et al. 2024, algorithm 2 with eq. 22 and 23.

use std::ops::Range;

use glam::DVec3;

use crate::body::Batch;
use crate::force::{load, rest_point};
use crate::material::{Law, LawFamily, LawKind, LawVisitor, Term};
use crate::math::{LANES, Lane, Lanes, Mat3, Pack, Vec3};

use super::Projection;
use super::gradients::Gradients;
use super::local_solve::{Side, solve};
use super::shared::{SharedPack, SharedPoints};

/// Quadrature points handed to a law at once, where a cell has several.
const POINTS: usize = 4;

/// Mean square of the strain beyond which the two constraints of a cell are solved one after the other
/// whatever was chosen: so far from rest their gradients tell little of where both would be met.
const WILD: f64 = 4.0;

/// The pass in which constraints are measured.
const MEASURE: &[[bool; 2]] = &[[true; 2]];

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

/// S of the two constraints of a cell, and its volume.
#[derive(Debug, Clone, Copy)]
struct Sums<R> {
    terms: [R; 2],
    volume: R,
}

/// Moves the nodes of the cells of `pack` that `lanes` selects; or, if `open` is given, leaves them and
/// tells how far from met their constraints are.
#[inline(always)]
pub(super) fn project<L: Lanes, G: Gradients<N>, const N: usize>(
    lanes: L,
    gradients: G,
    work: &Work<'_>,
    pack: usize,
    open: Option<&mut [Pack; 2]>,
) {
    let batch = work.batch;
    let nodes: &[[u32; LANES]; N] = batch.pack_nodes(pack).first_chunk().expect("N nodes a cell");
    let (mut x, inverse_masses) = gather(lanes, work.points, nodes);
    let used = lanes.selected().start..lanes.selected().end.min(batch.lanes_used(pack));
    let passes = if open.is_some() { MEASURE } else { work.projection.passes() };
    let zero = lanes.splat(0.0);
    let mut wild = zero;
    for (index, pass) in passes.iter().enumerate() {
        // Two variables, not an array: the compiler would build it elsewhere and copy it.
        let (mut pull_a, mut pull_b) = (gradients.zero(zero), gradients.zero(zero));
        let pulls = open.is_none().then_some([&mut pull_a, &mut pull_b]);
        let sums = evaluate(lanes, gradients, batch, pack, &x, *pass, pulls);
        let read_lambdas = work.read_lambdas || (index > 0 && work.keep_lambdas);
        let mut sides = sides(lanes, work, pack, &sums.terms, read_lambdas);
        if let Some(out) = open {
            return residual(lanes, &sides, out);
        }
        if work.projection == Projection::Together {
            if index == 0 {
                wild =
                    (sums.volume * WILD).if_less(sides[0].size + sides[1].size, zero.one(), zero);
            }
            // The constraint of volume waits for the second pass where the cell is wild.
            let now = if index == 0 { zero.one() - wild } else { wild };
            sides[1].size *= now;
        }
        let mut g = [[Vec3([zero; 3]); N]; 2];
        gradients.lower(&pull_a, &mut g[0]);
        gradients.lower(&pull_b, &mut g[1]);
        if work.damping > 0.0 {
            damp(lanes, work, nodes, &x, &g, &mut sides);
        }
        let products = products(&g, &inverse_masses);
        let y = solve(sides, products, work.projection, work.damping, sums.volume);
        for a in 0..N {
            x[a] += (g[0][a] * y[0] + g[1][a] * y[1]) * inverse_masses[a];
        }
        if work.keep_lambdas {
            keep(lanes, work, pack, *pass, &sides, y, used.clone());
        }
        if work.projection == Projection::Together && !zero.any_less(wild) {
            break;
        }
    }
    scatter(lanes, work.points, nodes, &x, used);
}

/// What is known of the constraints before their gradients are.
#[inline(always)]
fn sides<L: Lanes>(
    lanes: L,
    work: &Work<'_>,
    pack: usize,
    sums: &[L::Lane; 2],
    read_lambdas: bool,
) -> [Side<L::Lane>; 2] {
    let moduli = work.batch.pack_constants(pack);
    let mut sides = [Side::new(sums[0]), Side::new(sums[1])];
    for (k, side) in sides.iter_mut().enumerate() {
        side.stiffness = lanes.load(&moduli[k]) * work.h_squared;
        if read_lambdas {
            side.lambda = lanes.load(&work.lambdas[pack][k].load());
        }
    }
    sides
}

/// Keeps the multipliers λ + 2C y of a pass.
#[inline(always)]
fn keep<L: Lanes>(
    lanes: L,
    work: &Work<'_>,
    pack: usize,
    pass: [bool; 2],
    sides: &[Side<L::Lane>; 2],
    y: [L::Lane; 2],
    used: Range<usize>,
) {
    for (k, side) in sides.iter().enumerate() {
        if pass[k] {
            let mut numbers = [0.0; LANES];
            lanes.store(side.lambda + side.size.sqrt() * y[k] * 2.0, &mut numbers);
            work.lambdas[pack][k].store(&numbers, used.clone());
        }
    }
}

/// How far from met the constraints of each cell are, and how large, both weighed by stiffness:
///
/// ```text
/// Σ k h² (C + α̃ λ)² = Σ (k h² C + λ)²/(k h²)        Σ k h² C²
/// ```
#[inline(always)]
fn residual<L: Lanes>(lanes: L, sides: &[Side<L::Lane>; 2], out: &mut [Pack; 2]) {
    let zero = lanes.splat(0.0);
    let (mut open, mut whole) = (zero, zero);
    for side in sides {
        let (size, stiffness) = (side.size.sqrt(), side.stiffness);
        let scaled = size * stiffness + side.lambda;
        // A term without stiffness has no equation.
        let square = scaled * scaled / stiffness.max(zero.like(f64::MIN_POSITIVE));
        open += zero.if_less(stiffness, square, zero);
        whole += stiffness * side.size;
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
    used: Range<usize>,
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

/// S of the terms that a pass takes and what pulls at the gradients; the others stay zero.
#[inline(always)]
fn evaluate<L: Lanes, G: Gradients<N>, const N: usize>(
    lanes: L,
    gradients: G,
    batch: &Batch,
    pack: usize,
    x: &[Vec3<L::Lane>; N],
    terms: [bool; 2],
    pulls: Option<[&mut G::Space<L::Lane>; 2]>,
) -> Sums<L::Lane> {
    // A linear tetrahedron has one point: room for more would have to be cleared each time.
    if N == 4 {
        evaluate_by::<L, G, N, 1>(lanes, gradients, batch, pack, x, terms, pulls)
    } else {
        evaluate_by::<L, G, N, POINTS>(lanes, gradients, batch, pack, x, terms, pulls)
    }
}

/// The same with `P` points at once.
#[inline(always)]
fn evaluate_by<L: Lanes, G: Gradients<N>, const N: usize, const P: usize>(
    lanes: L,
    gradients: G,
    batch: &Batch,
    pack: usize,
    x: &[Vec3<L::Lane>; N],
    terms: [bool; 2],
    mut pulls: Option<[&mut G::Space<L::Lane>; 2]>,
) -> Sums<L::Lane> {
    let zero = lanes.splat(0.0);
    let [mu, lambda] = batch.pack_constants(pack);
    let moduli = [lanes.load(mu), lanes.load(lambda)];
    let rest = batch.pack_rest(pack);
    let space = gradients.lift(x);
    let mut sums = Sums { terms: [zero; 2], volume: zero };
    let none = Term { energy: zero, stress: Mat3([Vec3([zero; 3]); 3]) };
    let mut f = [none.stress; P];
    let mut values = [[none; 2]; P];
    let point_count = batch.weights.len();
    for start in (0..point_count).step_by(P) {
        let count = P.min(point_count - start);
        for (k, f) in f[..count].iter_mut().enumerate() {
            let (inverse, _) = rest_point(lanes, batch, rest, start + k);
            *f = gradients.at(&space, start + k) * inverse;
        }
        split_law(lanes, batch.law, moduli, &f[..count], &mut values[..count]);
        for (k, values) in values[..count].iter().enumerate() {
            let (inverse, volume) = rest_point(lanes, batch, rest, start + k);
            sums.volume += volume;
            for term in 0..2 {
                if !terms[term] {
                    continue;
                }
                sums.terms[term] += values[term].energy * volume;
                if let Some(pulls) = &mut pulls {
                    let h = values[term].stress * inverse.transpose() * volume;
                    gradients.pull(pulls[term], start + k, &h);
                }
            }
        }
    }
    sums
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

/// Adds g · (x − x₀) to what is known of both constraints.
#[inline(always)]
fn damp<L: Lanes, const N: usize>(
    lanes: L,
    work: &Work<'_>,
    nodes: &[[u32; LANES]; N],
    x: &[Vec3<L::Lane>; N],
    g: &[[Vec3<L::Lane>; N]; 2],
    sides: &mut [Side<L::Lane>; 2],
) {
    for a in 0..N {
        let mut packs = [[0.0; LANES]; 3];
        for lane in lanes.selected() {
            let start = work.start[nodes[a][lane] as usize];
            packs[0][lane] = start.x;
            packs[1][lane] = start.y;
            packs[2][lane] = start.z;
        }
        let step = x[a] - load(lanes, &packs, 0);
        sides[0].moved += g[0][a].dot(step);
        sides[1].moved += g[1][a].dot(step);
    }
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

//! The constraints of one pack of cells.
//!
//! ```text
//! gather x  →  F  →  ψ̃, P̃ of both terms  →  S = Σ V ψ̃,  gₐ = Σ V P̃ J⁻ᵀ ∂Bₐ/∂ξ  →  y  →  xₐ += wₐ Σ g y
//! ```
//!
//! Saillant et al. 2024, algorithm 2 with eq. 22 and 23.

use std::ops::Range;

use glam::DVec3;

use crate::lanes::{RestBatch, load};
use crate::math::{LANES, Lane, Lanes, Pack, Vec3};

use super::Projection;
use super::evaluate::{Values, evaluate};
use super::gradients::Gradients;
use super::local_solve::{ConstraintData, solve};
use super::nodes::Nodes;
use super::shared::SharedPack;

/// Mean square strain above which the two constraints of a cell are always solved one after the other: so far from
/// rest, the gradients are a poor prediction of where both constraints are satisfied.
const FAR_STRAIN: f64 = 4.0;

/// The pass that measures the constraints.
const MEASURE: &[[bool; 2]] = &[[true; 2]];

/// The input of the constraint solve of a batch.
#[derive(Debug, Clone, Copy)]
pub struct Work<'a> {
    /// The cells, sorted by colour.
    pub batch: RestBatch<'a>,
    /// Positions of the nodes at the start of the substep; empty without damping.
    pub start: &'a [DVec3],
    /// Multipliers of both constraints, pack after pack.
    pub lambdas: &'a [[SharedPack; 2]],
    /// The way the two constraints of a cell are solved.
    pub projection: Projection,
    /// h², in s².
    pub h_squared: f64,
    /// c = b/h.
    pub damping: f64,
    /// True if the multipliers are read: not in the first sweep of a substep, where they are zero.
    pub read_lambdas: bool,
    /// True if the multipliers are stored for a later sweep or for the residual.
    pub keep_lambdas: bool,
}

impl Work<'_> {
    /// Returns the selected lanes that hold a cell of their own.
    #[inline(always)]
    pub(super) fn lanes_used(&self, lanes: impl Lanes, pack: usize) -> Range<usize> {
        let Range { start, end } = lanes.selected();
        start..end.min(self.batch.lanes_used(pack))
    }
}

/// The nodes of a pack and working memory, for `P` quadrature points at a time.
#[derive(Debug)]
pub(super) struct Cells<R, const N: usize, const P: usize> {
    pub(super) nodes: Nodes<R, N>,
    values: Values<R, P>,
    /// Gradients of both constraints.
    g: [[Vec3<R>; N]; 2],
}

impl<R: Lane, const N: usize, const P: usize> Cells<R, N, P> {
    #[inline(always)]
    pub(super) fn new(zero: R) -> Self {
        Self { nodes: Nodes::new(zero), values: Values::new(zero), g: [[Vec3([zero; 3]); N]; 2] }
    }
}

/// Projects the constraints of the cells of a pack by moving their nodes; or, if `open` is given, moves nothing and
/// writes the residual. Not inlined: it is compiled once, whatever the access to nodes.
#[inline(never)]
pub(super) fn project<L, G, const N: usize, const P: usize>(
    lanes: L,
    gradients: G,
    work: &Work<'_>,
    pack: usize,
    cells: &mut Cells<L::Lane, N, P>,
    open: Option<&mut [Pack; 2]>,
) where
    L: Lanes,
    G: Gradients<N>,
{
    lanes.run(
        #[inline(always)]
        || project_pack(lanes, gradients, work, pack, cells, open),
    );
}

#[inline(always)]
fn project_pack<L, G, const N: usize, const P: usize>(
    lanes: L,
    gradients: G,
    work: &Work<'_>,
    pack: usize,
    cells: &mut Cells<L::Lane, N, P>,
    open: Option<&mut [Pack; 2]>,
) where
    L: Lanes,
    G: Gradients<N>,
{
    let Cells { nodes: Nodes { x, inverse_masses }, values, g } = cells;
    let passes = if open.is_some() { MEASURE } else { work.projection.passes() };
    let (zero, place) = (lanes.splat(0.0), (lanes, work.batch, pack));
    let mut wild = zero;
    for (index, pass) in passes.iter().enumerate() {
        let room = open.is_none().then_some(&mut *g);
        let sums = evaluate(gradients, place, x, *pass, values, room);
        let read_lambdas = work.read_lambdas || (index > 0 && work.keep_lambdas);
        let mut sides = sides(lanes, work, pack, &sums.terms, read_lambdas);
        if let Some(out) = open {
            return residual(lanes, &sides, out);
        }
        if work.projection == Projection::Together {
            // In each lane the volume constraint is active in exactly one pass: a zero S switches it off in the other.
            if index == 0 {
                wild = (sums.volume * FAR_STRAIN).if_less(
                    sides[0].size + sides[1].size,
                    zero.one(),
                    zero,
                );
            }
            // Far from rest the volume constraint is postponed to the second pass.
            let now = if index == 0 { zero.one() - wild } else { wild };
            sides[1].size *= now;
        }
        if work.damping > 0.0 {
            damp(lanes, work, pack, x, g, &mut sides);
        }
        let products = products(g, inverse_masses);
        let y = solve(sides, products, work.projection, work.damping, sums.volume);
        for a in 0..N {
            x[a] += (g[0][a] * y[0] + g[1][a] * y[1]) * inverse_masses[a];
        }
        if work.keep_lambdas {
            keep(lanes, work, pack, *pass, &sides, y);
        }
        // The second pass is only for cells far from rest.
        if work.projection == Projection::Together && !zero.any_less(wild) {
            break;
        }
    }
}

/// The data of the constraints that do not depend on their gradients.
#[inline(always)]
fn sides<L: Lanes>(
    lanes: L,
    work: &Work<'_>,
    pack: usize,
    sums: &[L::Lane; 2],
    read_lambdas: bool,
) -> [ConstraintData<L::Lane>; 2] {
    let moduli = work.batch.pack_constants(pack);
    let mut sides = [ConstraintData::new(sums[0]), ConstraintData::new(sums[1])];
    for (k, side) in sides.iter_mut().enumerate() {
        side.stiffness = lanes.load(&moduli[k]) * work.h_squared;
        if read_lambdas {
            side.lambda = lanes.load(&work.lambdas[pack][k].load());
            side.held = side.size.sqrt() * side.lambda * 2.0;
        }
    }
    sides
}

/// Stores the multipliers λ + 2C y of a pass.
#[inline(always)]
fn keep<L: Lanes>(
    lanes: L,
    work: &Work<'_>,
    pack: usize,
    pass: [bool; 2],
    sides: &[ConstraintData<L::Lane>; 2],
    y: [L::Lane; 2],
) {
    let used = work.lanes_used(lanes, pack);
    for (k, side) in sides.iter().enumerate() {
        if pass[k] {
            let mut numbers = [0.0; LANES];
            lanes.store(side.lambda + side.size.sqrt() * y[k] * 2.0, &mut numbers);
            work.lambdas[pack][k].store(&numbers, used.clone());
        }
    }
}

/// The residual of the constraints of each cell, and their size, both weighted by stiffness:
///
/// ```text
/// Σ k h² (C + α̃ λ)² = Σ (k h² C + λ)²/(k h²)        Σ k h² C²
/// ```
#[inline(always)]
fn residual<L: Lanes>(lanes: L, sides: &[ConstraintData<L::Lane>; 2], out: &mut [Pack; 2]) {
    let zero = lanes.splat(0.0);
    let (mut open, mut whole) = (zero, zero);
    for side in sides {
        let (size, stiffness) = (side.size.sqrt(), side.stiffness);
        let scaled = size * stiffness + side.lambda;
        // A term with zero stiffness has no equation.
        let square = scaled * scaled / stiffness.max(zero.like(f64::MIN_POSITIVE));
        open += zero.if_less(stiffness, square, zero);
        whole += stiffness * side.size;
    }
    lanes.store(open, &mut out[0]);
    lanes.store(whole, &mut out[1]);
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

/// Adds g · (x − x₀) to the data of both constraints.
#[inline(always)]
fn damp<L: Lanes, const N: usize>(
    lanes: L,
    work: &Work<'_>,
    pack: usize,
    x: &[Vec3<L::Lane>; N],
    g: &[[Vec3<L::Lane>; N]; 2],
    sides: &mut [ConstraintData<L::Lane>; 2],
) {
    for (a, nodes) in work.batch.pack_nodes(pack).iter().enumerate() {
        let mut packs = [[0.0; LANES]; 3];
        for lane in lanes.selected() {
            let start = work.start[nodes[lane] as usize];
            packs[0][lane] = start.x;
            packs[1][lane] = start.y;
            packs[2][lane] = start.z;
        }
        let step = x[a] - load(lanes, &packs, 0);
        sides[0].moved += g[0][a].dot(step);
        sides[1].moved += g[1][a].dot(step);
    }
}

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
use super::cell::Cell;
use super::local_solve::{ConstraintData, solve};
use super::nodes::Nodes;
use super::shared::SharedPack;

/// Mean square strain above which the two constraints of a cell are always solved one after the other: so far from
/// rest, the gradients are a poor prediction of where both constraints are satisfied.
const FAR_STRAIN: f64 = 4.0;

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

/// Projects the constraints of the cells of a pack by moving their nodes; or, if `open` is given, moves nothing and
/// writes the residual. Not inlined: it is compiled once, whatever the access to nodes.
#[inline(never)]
pub(super) fn project<L: Lanes, C: Cell<L, N>, const N: usize>(
    lanes: L,
    work: &Work<'_>,
    pack: usize,
    cell: &mut C,
    nodes: &mut Nodes<L::Lane, N>,
    open: Option<&mut [Pack; 2]>,
) {
    lanes.run(
        #[inline(always)]
        || project_pack(lanes, work, pack, cell, nodes, open),
    );
}

#[inline(always)]
fn project_pack<L: Lanes, C: Cell<L, N>, const N: usize>(
    lanes: L,
    work: &Work<'_>,
    pack: usize,
    cell: &mut C,
    nodes: &mut Nodes<L::Lane, N>,
    open: Option<&mut [Pack; 2]>,
) {
    if let Some(out) = open {
        return measure(lanes, work, pack, cell, nodes, out);
    }
    let far = pass(lanes, work, pack, cell, nodes, None);
    if second_pass(work, far) {
        pass(lanes, work, pack, cell, nodes, Some(far));
    }
}

/// Returns true if a second pass follows: the volume constraints, or only those of cells far from rest.
#[inline(always)]
pub(super) fn second_pass<R: Lane>(work: &Work<'_>, far: R) -> bool {
    work.projection == Projection::Separate || far.zero().any_less(far)
}

/// Writes the residual of a pack.
#[inline(always)]
fn measure<L: Lanes, C: Cell<L, N>, const N: usize>(
    lanes: L,
    work: &Work<'_>,
    pack: usize,
    cell: &mut C,
    nodes: &Nodes<L::Lane, N>,
    out: &mut [Pack; 2],
) {
    let sums = cell.evaluate((lanes, work.batch, pack), &nodes.x, [true; 2], false);
    residual(lanes, &sides(lanes, work, pack, &sums.terms, work.read_lambdas), out);
}

/// The second pass, by value, so that the results of the first can stay in registers where none follows.
#[cold]
#[inline(never)]
pub(super) fn again<L: Lanes, C: Cell<L, N>, const N: usize>(
    lanes: L,
    work: &Work<'_>,
    pack: usize,
    mut cell: C,
    mut nodes: Nodes<L::Lane, N>,
    far: L::Lane,
) -> Nodes<L::Lane, N> {
    lanes.run(
        #[inline(always)]
        || {
            pass(lanes, work, pack, &mut cell, &mut nodes, Some(far));
            nodes
        },
    )
}

/// One pass over the constraints of a pack: the first, or the second with the lanes that the first found far from rest. Returns
/// these lanes.
#[inline(always)]
pub(super) fn pass<L: Lanes, C: Cell<L, N>, const N: usize>(
    lanes: L,
    work: &Work<'_>,
    pack: usize,
    cell: &mut C,
    nodes: &mut Nodes<L::Lane, N>,
    far: Option<L::Lane>,
) -> L::Lane {
    let zero = lanes.splat(0.0);
    let terms = work.projection.passes()[usize::from(far.is_some())];
    let sums = cell.evaluate((lanes, work.batch, pack), &nodes.x, terms, true);
    let read_lambdas = work.read_lambdas || (far.is_some() && work.keep_lambdas);
    let mut sides = sides(lanes, work, pack, &sums.terms, read_lambdas);
    let mut wild = zero;
    if work.projection == Projection::Together {
        // In each lane the volume constraint is active in exactly one pass: a zero S switches it off in the other.
        let size = sides[0].size + sides[1].size;
        wild = (sums.volume * FAR_STRAIN).if_less(size, zero.one(), zero);
        // Far from rest the volume constraint is postponed to the second pass.
        sides[1].size *= far.unwrap_or(zero.one() - wild);
    }
    if work.damping > 0.0 {
        let moved = cell.along(&steps(lanes, work, pack, &nodes.x));
        sides[0].moved = moved[0];
        sides[1].moved = moved[1];
    }
    let products = cell.products(&nodes.inverse_masses);
    let y = solve(sides, products, work.projection, work.damping, sums.volume);
    cell.displace(y, nodes);
    if work.keep_lambdas {
        keep(lanes, work, pack, terms, &sides, y);
    }
    wild
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

/// The displacements x − x₀ of the nodes within the substep.
#[inline(always)]
fn steps<L: Lanes, const N: usize>(
    lanes: L,
    work: &Work<'_>,
    pack: usize,
    x: &[Vec3<L::Lane>; N],
) -> [Vec3<L::Lane>; N] {
    let mut steps = *x;
    for (step, nodes) in steps.iter_mut().zip(work.batch.pack_nodes(pack)) {
        let mut packs = [[0.0; LANES]; 3];
        for lane in lanes.selected() {
            let start = work.start[nodes[lane] as usize];
            packs[0][lane] = start.x;
            packs[1][lane] = start.y;
            packs[2][lane] = start.z;
        }
        *step = *step - load(lanes, &packs, 0);
    }
    steps
}

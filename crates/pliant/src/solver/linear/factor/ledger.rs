//! What solves with and without a factor have cost.

use crate::body::{Batch, Model};
use crate::force::{Warped, pair_count};
use crate::persist::{Persist, Reader, SnapshotError, Writer};

use super::factored_rows::Precision;

/// Iterations that a solve with an old factor is expected to take, before one has been seen.
const EXPECTED_ITERATIONS: f64 = 4.0;

/// Solves that a factor is expected to serve, before it has been seen, and over which costs are averaged.
const SOLVES: f64 = 16.0;

/// Solves with factors before they may be given up; earlier if they have cost more than as many like the one that began them.
const TRIAL: u32 = 8;

/// How much more solves with factors must cost before they are given up: the cost without them is an old one.
const CLEARLY_MORE: f64 = 1.1;

/// Solves without a factor over which their cost is averaged: one hard solve, as in an impact, says little about the next.
const SOLVES_WITHOUT: f64 = 4.0;

/// How much more one solve without a factor must cost to begin with factors at once.
const FAR_MORE: f64 = 4.0;

/// Share of the cost without a factor that is forgotten in each step in contact: after some hundred steps a body tries again without.
const FORGOTTEN: f64 = 1.0 / 128.0;

/// Multiplications of a factorisation that take as long as one of a product with cells, as measured: they work on data in the first cache.
const FACTOR_SPEED: f64 = 1.6;

/// Products that take as long as an assembly of the matrix, as measured.
const ASSEMBLY: f64 = 5.0;

/// Multiplications of a product that take as long as one number of a factor in a solve, in single and in double precision, as measured.
const SINGLE_SUBSTITUTION: f64 = 1.5;
const DOUBLE_SUBSTITUTION: f64 = 3.5;

/// The cost of an iteration without a factor in single precision, relative to one in double precision, as measured.
const SINGLE_ITERATION: f64 = 0.65;

/// The cost of a product with corotated cells, which rotate a constant matrix, relative to that with a tangent.
const WARPED_PRODUCT: f64 = 0.5;

/// Costs in numbers of multiplications of a product with cells: counts are the same on every machine, so that decisions are, too.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Ledger {
    /// Numbers of a factor.
    factor_size: f64,
    /// Cost of a product with the cells.
    product: f64,
    /// Cost of an iteration without a factor.
    plain_iteration: f64,
    /// Cost of a solve with the factor.
    substitution: f64,
    /// Cost of a new factor.
    renewal: f64,
    /// Mean cost of a solve without a factor; in contact less the older it is.
    without: f64,
    /// Mean cost of a solve with a factor, with its share of new factors.
    with: f64,
    /// True if solves use a factor.
    is_on: bool,
    /// True if the next solve is the first with its factor.
    is_new: bool,
    /// Iterations of the first solve with the present factor.
    first: u32,
    /// Iterations of all solves with it beyond those of the first.
    extra: u32,
    /// Solves since factors are used, and what the first of them may still cost.
    solves: u32,
    left: f64,
}

impl Ledger {
    /// Costs for a body, with a factor of this size and number of multiplications.
    pub(super) fn new(model: &Model, factor_size: usize, factor_work: f64) -> Self {
        let speed = if Warped::suits(model) { WARPED_PRODUCT } else { 1.0 };
        let product = speed * model.batches().iter().map(product_cost).sum::<f64>();
        let is_single = Warped::has_single_products(model);
        let plain_iteration = match is_single {
            true => SINGLE_ITERATION * model.batches().iter().map(single_cost).sum::<f64>(),
            false => product,
        };
        let substitution = SINGLE_SUBSTITUTION * factor_size as f64;
        let renewal = factor_work / FACTOR_SPEED + ASSEMBLY * product;
        Self {
            factor_size: factor_size as f64,
            product,
            plain_iteration,
            substitution,
            renewal,
            without: 0.0,
            with: EXPECTED_ITERATIONS * (product + substitution) + renewal / SOLVES,
            is_on: false,
            is_new: false,
            first: 0,
            extra: 0,
            solves: 0,
            left: 0.0,
        }
    }

    /// True if solves use a factor.
    pub(super) fn is_on(&self) -> bool {
        self.is_on
    }

    /// True if the present factor has cost as much in extra iterations as a new one.
    pub(super) fn is_stale(&self) -> bool {
        f64::from(self.extra) * (self.product + self.substitution) >= self.renewal
    }

    /// Iterations of a solve that cost as much as to begin again with a new factor.
    pub(super) fn patience(&self) -> u32 {
        let iterations = if self.is_on {
            f64::from(self.first) + self.renewal / (self.product + self.substitution)
        } else {
            (self.renewal + self.with) / self.plain_iteration
        };
        // A body without cells has no cost; the cast keeps any number in range.
        iterations.ceil().max(1.0) as u32
    }

    /// True if solves without a factor cost far more.
    pub(super) fn is_far_more_without(&self) -> bool {
        self.without > FAR_MORE * self.with
    }

    /// Records that there is a new factor, which is applied in this precision.
    pub(super) fn open(&mut self, precision: Precision) {
        self.apply_in(precision);
        (self.is_new, self.extra) = (true, 0);
    }

    /// Records that a solve has paid for a new factor.
    pub(super) fn renew(&mut self) {
        self.is_on = true;
        self.with += self.renewal / SOLVES;
    }

    /// Sets the precision of solves with the factor.
    pub(super) fn apply_in(&mut self, precision: Precision) {
        let each = match precision {
            Precision::Single => SINGLE_SUBSTITUTION,
            Precision::Double => DOUBLE_SUBSTITUTION,
        };
        self.substitution = each * self.factor_size;
    }

    /// Trusts the cost without a factor a little less, because the contacts have changed since.
    pub(super) fn forget(&mut self) {
        self.without -= FORGOTTEN * self.without;
    }

    /// Records a solve of so many iterations, and decides about the next.
    pub(super) fn note(&mut self, iterations: u32) {
        let count = f64::from(iterations);
        if !self.is_on {
            let cost = count * self.plain_iteration;
            let is_first = self.without == 0.0;
            self.without += (cost - self.without) / if is_first { 1.0 } else { SOLVES_WITHOUT };
            self.is_on = self.without > self.with || cost > FAR_MORE * self.with;
            (self.solves, self.left) = (0, f64::from(TRIAL) * cost.max(self.without));
            return;
        }
        let cost = count * (self.product + self.substitution);
        self.with += (cost - self.with) / SOLVES;
        if std::mem::take(&mut self.is_new) {
            self.first = iterations;
        }
        self.extra = self.extra.saturating_add(iterations.saturating_sub(self.first));
        self.solves = self.solves.saturating_add(1);
        self.left -= cost;
        let is_dear = self.without > 0.0 && self.with > CLEARLY_MORE * self.without;
        self.is_on = if self.solves < TRIAL { self.left > 0.0 } else { !is_dear };
    }
}

impl Persist for Ledger {
    fn save(&self, to: &mut Writer) {
        to.f64s(&[self.without, self.with, self.left]);
        to.flag(self.is_on);
        to.flag(self.is_new);
        [self.first, self.extra, self.solves].into_iter().for_each(|count| to.u32(count));
    }

    fn load(&mut self, from: &mut Reader<'_>) -> Result<(), SnapshotError> {
        (self.without, self.with, self.left) = (from.f64()?, from.f64()?, from.f64()?);
        (self.is_on, self.is_new) = (from.flag()?, from.flag()?);
        (self.first, self.extra, self.solves) = (from.u32()?, from.u32()?, from.u32()?);
        if ![self.without, self.with, self.left].iter().all(|cost| cost.is_finite()) {
            return Err(from.bad("the cost of a solve"));
        }
        Ok(())
    }
}

/// Multiplications of a product with the cells of a batch: at every point a gradient, a symmetric 9×9 matrix, and forces.
fn product_cost(batch: &Batch) -> f64 {
    let point = 18 * batch.kind.node_count() + 81;
    (batch.cells.len() * batch.point_count() * point) as f64
}

/// The same of a product in single precision: with straight cells, or with the stored stiffness of curved ones.
fn single_cost(batch: &Batch) -> f64 {
    let stored = (batch.cells.len() * 18 * pair_count(batch)) as f64;
    if batch.straight { WARPED_PRODUCT * product_cost(batch) } else { stored }
}

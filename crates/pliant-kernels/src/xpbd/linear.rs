//! Linear tetrahedra with one quadrature point.

use std::marker::PhantomData;

use crate::lanes::{RestBatch, load_matrix};
use crate::material::{Law, LawFamily, Simplex};
use crate::math::{Lane, LaneParts, Lanes, Mat3, Pack, Vec3};

use super::Projection;
use super::cell::{Cell, CellKind, Sums, project_at};
use super::kernel::{Work, again, pass, second_pass};
use super::nodes::Nodes;
use super::shared::Points;

/// Linear tetrahedra of one law.
#[derive(Debug, Clone, Copy)]
pub(super) struct LinearKind<F>(pub(super) PhantomData<F>);

/// The gradients of both constraints with respect to the edges of the cells; that of the first node is minus their sum.
#[derive(Debug)]
pub(super) struct LinearCells<F, R> {
    g: [Mat3<R>; 2],
    /// The volume of the reference cell, for cells that are filled evenly.
    even: Option<f64>,
    law: PhantomData<F>,
}

impl<F: LawFamily> CellKind<4> for LinearKind<F> {
    type Cells<L: Lanes> = LinearCells<F, L::Lane>;

    #[inline(always)]
    fn cells<L: Lanes>(self, lanes: L) -> LinearCells<F, L::Lane> {
        LinearCells::new(lanes.splat(0.0), None)
    }

    #[inline(always)]
    fn project<L: Lanes>(
        self,
        (lanes, work, pack): (L, &Work<'_>, usize),
        cells: &mut LinearCells<F, L::Lane>,
        nodes: &mut Nodes<L::Lane, 4>,
        points: &mut impl Points,
        open: Option<&mut [Pack; 2]>,
    ) {
        let plain = L::COUNT > 1 && open.is_none() && is_plain(work);
        if !plain {
            return project_at((lanes, work, pack), cells, nodes, points, open);
        }
        project_plain::<L, F>(lanes, work, pack, points);
    }
}

/// True for the sweeps of most substeps: no damping, no multipliers, both constraints together, and cells that are filled evenly.
#[inline(always)]
fn is_plain(work: &Work<'_>) -> bool {
    let undamped = work.damping == 0.0 && !work.read_lambdas && !work.keep_lambdas;
    undamped && work.projection == Projection::Together && work.batch.straight
}

/// Moves the nodes of one pack in the plain case. Not inlined, so that the rest of a sweep does not take registers from it.
#[inline(never)]
fn project_plain<L: Lanes, F: LawFamily>(
    lanes: L,
    work: &Work<'_>,
    pack: usize,
    points: &mut impl Points,
) {
    let mut sweep = PlainPack { law: PhantomData::<F>, work, pack, points };
    lanes.run(
        #[inline(always)]
        || lanes.in_parts(&mut sweep),
    );
}

/// The sweep of one pack in the plain case: one function from the nodes to their displacements, so that most intermediate results
/// stay in registers.
struct PlainPack<'a, F, P> {
    law: PhantomData<F>,
    work: &'a Work<'a>,
    pack: usize,
    points: &'a mut P,
}

impl<F: LawFamily, P: Points> LaneParts for PlainPack<'_, F, P> {
    #[inline(always)]
    fn part<L: Lanes>(&mut self, lanes: L) {
        // Constants that the compiler knows.
        let work = &Work {
            projection: Projection::Together,
            damping: 0.0,
            read_lambdas: false,
            keep_lambdas: false,
            ..*self.work
        };
        let (zero, pack) = (lanes.splat(0.0), self.pack);
        let mut cells = LinearCells::<F, _>::new(zero, Some(work.batch.weights[0]));
        let mut nodes = Nodes::new(zero);
        let numbers: &[_; 4] = &work.batch.nodes.as_chunks().0[pack];
        nodes.gather(lanes, self.points, numbers);
        let far = pass(lanes, work, pack, &mut cells, &mut nodes, None);
        if second_pass(work, far) {
            nodes = again(lanes, work, pack, cells, nodes, far);
        }
        nodes.scatter(lanes, self.points, numbers, work.lanes_used(lanes, pack));
    }
}

impl<F, R: Lane> LinearCells<F, R> {
    #[inline(always)]
    fn new(zero: R, even: Option<f64>) -> Self {
        Self { g: [Mat3([Vec3([zero; 3]); 3]); 2], even, law: PhantomData }
    }

    #[inline(always)]
    fn simplex<L: Lanes<Lane = R>>(
        &self,
        (lanes, batch, pack): (L, RestBatch<'_>, usize),
        x: &[Vec3<R>; 4],
    ) -> Simplex<R> {
        let [o, a, b, c] = *x;
        let edges = Mat3([a - o, b - o, c - o]);
        let rest = batch.first_rest_point(pack);
        let (inverse, volume) = (load_matrix(lanes, rest, 0), lanes.load(&rest[9]));
        let even = self.even.or(batch.straight.then(|| batch.weights[0]));
        let (volume, filled) = match even {
            Some(reference) => (volume * reference, lanes.splat(reference)),
            None => (volume, inverse.fused_det() * volume),
        };
        Simplex { edges, inverse, volume, filled }
    }
}

impl<L: Lanes, F: LawFamily> Cell<L, 4> for LinearCells<F, L::Lane> {
    #[inline(always)]
    fn evaluate(
        &mut self,
        place: (L, RestBatch<'_>, usize),
        x: &[Vec3<L::Lane>; 4],
        terms: [bool; 2],
        _with_gradients: bool,
    ) -> Sums<L::Lane> {
        let (lanes, batch, pack) = place;
        let [mu, lambda] = batch.pack_constants(pack);
        let cell = self.simplex(place, x);
        let law = F::law(lanes.load(mu), lanes.load(lambda));
        let [a, b] = law.simplex_terms(&cell);
        self.g = [a.gradient, b.gradient];
        let active = |energy, active| if active { energy } else { lanes.splat(0.0) };
        let sums = [active(a.energy, terms[0]), active(b.energy, terms[1])];
        Sums { terms: sums, volume: cell.volume }
    }

    #[inline(always)]
    fn products(&self, inverse_masses: &[L::Lane; 4]) -> [L::Lane; 3] {
        let ([a, b], [w, inverse_masses @ ..]) = (&self.g, inverse_masses);
        let [p, q] = [sum(a), sum(b)];
        let mut sums = [p.fused_dot(p) * *w, p.fused_dot(q) * *w, q.fused_dot(q) * *w];
        for (k, w) in inverse_masses.iter().enumerate() {
            let (p, q) = (a.0[k], b.0[k]);
            sums[0] = p.fused_dot(p).mul_add(*w, sums[0]);
            sums[1] = p.fused_dot(q).mul_add(*w, sums[1]);
            sums[2] = q.fused_dot(q).mul_add(*w, sums[2]);
        }
        sums
    }

    #[inline(always)]
    fn along(&self, [origin, steps @ ..]: &[Vec3<L::Lane>; 4]) -> [L::Lane; 2] {
        let [a, b, c] = *steps;
        let steps = Mat3([a - *origin, b - *origin, c - *origin]);
        [self.g[0].fused_ddot(&steps), self.g[1].fused_ddot(&steps)]
    }

    #[inline(always)]
    fn displace(&self, y: [L::Lane; 2], nodes: &mut Nodes<L::Lane, 4>) {
        let Nodes { x, inverse_masses: w } = nodes;
        let force = (self.g[0] * y[0]).add_scaled(&self.g[1], y[1]);
        x[0] = x[0].add_scaled(sum(&force), -w[0]);
        for k in 0..3 {
            x[k + 1] = x[k + 1].add_scaled(force.0[k], w[k + 1]);
        }
    }
}

#[inline(always)]
fn sum<R: Lane>(columns: &Mat3<R>) -> Vec3<R> {
    let [a, b, c] = columns.0;
    a + b + c
}

//! Runs the kernel for a batch over its packs.

use std::marker::PhantomData;
use std::ops::Range;

use crate::element::Kind;
use crate::lanes::{Batch, Kernel, Width};
use crate::material::{LawFamily, LawVisitor};
use crate::math::{Lanes, Pack};

use super::SharedPoints;
use super::cell::CellKind;
use super::gradients::AnyPoints;
use super::kernel::Work;
use super::linear::LinearKind;
use super::nodes::Nodes;
use super::orbits::{FourPoints, FourteenPoints};
use super::quadrature_cells::QuadratureKind;
use super::shared::Points;
use super::symmetric::Symmetric;

/// The method to compute F of a batch from its nodes, with the tables that the batch does not store.
#[derive(Debug, Clone)]
pub struct Tables(Kinds);

#[derive(Debug, Clone)]
enum Kinds {
    /// Any cells with any points.
    AnyPoints,
    /// Linear tetrahedra with one point.
    Linear,
    /// Straight quadratic tetrahedra with the rule of degree 2.
    FourPoints(FourPoints),
    /// Straight cubic tetrahedra with the rule of degree 5.
    FourteenPoints(FourteenPoints),
}

impl Tables {
    /// Builds the tables of a batch.
    pub fn new(batch: &Batch) -> Self {
        let Batch { kind, ref points, ref weights, straight, .. } = *batch;
        let symmetric = match kind {
            Kind::Tet4 if points.len() == 1 => Some(Kinds::Linear),
            Kind::Tet10 if straight => FourPoints::fit(points, weights).map(Kinds::FourPoints),
            Kind::Tet20 if straight => {
                FourteenPoints::fit(points, weights).map(Kinds::FourteenPoints)
            }
            _ => None,
        };
        Self(symmetric.unwrap_or(Kinds::AnyPoints))
    }
}

/// Projects the constraints of some packs of a colour, while no other thread uses the points.
pub fn sweep_alone(
    width: Width,
    tables: &Tables,
    work: &Work<'_>,
    points: &mut SharedPoints,
    packs: Range<usize>,
) {
    run_packs(width, tables, work, points, packs, None);
}

/// Projects the constraints of some packs of a colour, while other threads work on other packs of the colour.
pub fn sweep_shared(
    width: Width,
    tables: &Tables,
    work: &Work<'_>,
    points: &SharedPoints,
    packs: Range<usize>,
) {
    run_packs(width, tables, work, &mut &*points, packs, None);
}

/// Writes the residual of the constraints of a pack and their size, both weighted by stiffness; moves nothing.
pub fn residual(
    width: Width,
    tables: &Tables,
    work: &Work<'_>,
    points: &SharedPoints,
    pack: usize,
    open: &mut [Pack; 2],
) {
    run_packs(width, tables, work, &mut &*points, pack..pack + 1, Some(open));
    let used = work.batch.lanes_used(pack);
    open.iter_mut().for_each(|numbers| numbers[used..].fill(0.0));
}

/// Runs the constraints of some packs; see [`project`].
fn run_packs<P: Points>(
    width: Width,
    tables: &Tables,
    work: &Work<'_>,
    points: &mut P,
    packs: Range<usize>,
    open: Option<&mut [Pack; 2]>,
) {
    let job = Job { width, work, points, packs, open };
    match &tables.0 {
        Kinds::AnyPoints => run_any_points(job),
        Kinds::Linear => work.batch.law.visit(job),
        Kinds::FourPoints(rule) => job.run::<10>(QuadratureKind::<_, 4>(Symmetric(*rule))),
        Kinds::FourteenPoints(rule) => job.run::<20>(QuadratureKind::<_, 14>(Symmetric(*rule))),
    }
}

fn run_any_points<P: Points>(job: Job<'_, P>) {
    let batch = job.work.batch.batch();
    let cells = QuadratureKind::<_, 4>(AnyPoints::new(batch));
    match batch.kind {
        Kind::Tet4 => job.run::<4>(cells),
        Kind::Tet10 => job.run::<10>(cells),
        Kind::Tet20 => job.run::<20>(cells),
        Kind::Hex8 => job.run::<8>(cells),
        Kind::Hex27 => job.run::<27>(cells),
        Kind::Prism6 => job.run::<6>(cells),
        Kind::Pyramid5 => job.run::<5>(cells),
    }
}

/// A run of packs; or, if `open` is given, the measurement of a single one.
struct Job<'a, P> {
    width: Width,
    work: &'a Work<'a>,
    points: &'a mut P,
    packs: Range<usize>,
    open: Option<&'a mut [Pack; 2]>,
}

impl<P: Points> Job<'_, P> {
    /// Runs the packs in order: packs of a later colour read nodes moved by an earlier one. With one lane at a time it
    /// runs pack by pack, so that all lanes of a pack are done before the next.
    fn run<const N: usize>(self, kind: impl CellKind<N>) {
        let Self { width, work, points, packs, mut open } = self;
        let step = if matches!(width, Width::One) { 1 } else { packs.len().max(1) };
        for first in packs.clone().step_by(step) {
            let packs = first..(first + step).min(packs.end);
            let open = open.as_deref_mut();
            let job = Job { width, work, points: &mut *points, packs, open };
            width.run(&mut Run::<_, _, N> { kind, job });
        }
    }
}

impl<P: Points> LawVisitor for Job<'_, P> {
    type Output = ();

    fn visit<F: LawFamily>(self) {
        self.run(LinearKind::<F>(PhantomData));
    }
}

/// A run of packs with cells of `N` nodes.
struct Run<'a, K, P, const N: usize> {
    kind: K,
    job: Job<'a, P>,
}

impl<K: CellKind<N>, P: Points, const N: usize> Kernel for Run<'_, K, P, N> {
    #[inline(always)]
    fn run<L: Lanes>(&mut self, lanes: L) {
        let Self { kind, job: Job { work, points, packs, open, .. } } = self;
        let (mut cells, mut nodes) = (kind.cells(lanes), Nodes::new(lanes.splat(0.0)));
        for pack in packs.clone() {
            let place = (lanes, *work, pack);
            kind.project(place, &mut cells, &mut nodes, &mut **points, open.as_deref_mut());
        }
    }
}

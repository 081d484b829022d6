//! Runs the kernel for a batch over its packs.

use std::ops::Range;

use crate::element::Kind;
use crate::lanes::{Batch, Kernel, Width};
use crate::math::{Lanes, Pack};

use super::SharedPoints;
use super::gradients::{AnyPoints, Gradients};
use super::kernel::{Cells, Work, project};
use super::orbits::{FourPoints, FourteenPoints, OnePoint};
use super::shared::Points;
use super::symmetric::Symmetric;

/// The method to compute F of a batch from its nodes, with the tables that the batch does not store.
#[derive(Debug, Clone)]
pub struct Tables(Kinds);

#[derive(Debug, Clone)]
enum Kinds {
    /// Any cells with any points.
    AnyPoints,
    /// Linear tetrahedra with the rule of degree 1.
    OnePoint(OnePoint),
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
            Kind::Tet4 => OnePoint::fit(points).map(Kinds::OnePoint),
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

/// Runs the constraints of some packs; see [`project`]. The second number of [`run`] is the number of quadrature
/// points passed to a law at once.
fn run_packs<P: Points>(
    width: Width,
    tables: &Tables,
    work: &Work<'_>,
    points: &mut P,
    packs: Range<usize>,
    open: Option<&mut [Pack; 2]>,
) {
    let job = (width, work, points, packs, open);
    match &tables.0 {
        Kinds::AnyPoints => run_any_points(job),
        Kinds::OnePoint(rule) => run::<_, _, 4, 1>(Symmetric(*rule), job),
        Kinds::FourPoints(rule) => run::<_, _, 10, 4>(Symmetric(*rule), job),
        Kinds::FourteenPoints(rule) => run::<_, _, 20, 14>(Symmetric(*rule), job),
    }
}

fn run_any_points<P: Points>(job: Job<'_, P>) {
    let gradients = AnyPoints::new(job.1.batch.batch());
    match job.1.batch.kind {
        Kind::Tet4 => run::<_, _, 4, 4>(gradients, job),
        Kind::Tet10 => run::<_, _, 10, 4>(gradients, job),
        Kind::Tet20 => run::<_, _, 20, 4>(gradients, job),
        Kind::Hex8 => run::<_, _, 8, 4>(gradients, job),
        Kind::Hex27 => run::<_, _, 27, 4>(gradients, job),
        Kind::Prism6 => run::<_, _, 6, 4>(gradients, job),
        Kind::Pyramid5 => run::<_, _, 5, 4>(gradients, job),
    }
}

/// Width, work, points, packs, and the output of a measurement.
type Job<'a, P> = (Width, &'a Work<'a>, &'a mut P, Range<usize>, Option<&'a mut [Pack; 2]>);

/// Runs the packs in order: packs of a later colour read nodes moved by an earlier one. With one lane at a time it
/// runs pack by pack, so that all lanes of a pack are done before the next.
fn run<G: Gradients<N>, P: Points, const N: usize, const Q: usize>(
    gradients: G,
    (width, work, points, packs, mut open): Job<'_, P>,
) {
    let step = if matches!(width, Width::One) { 1 } else { packs.len().max(1) };
    for first in packs.clone().step_by(step) {
        let packs = first..(first + step).min(packs.end);
        let open = open.as_deref_mut();
        width.run(&mut Run::<_, _, N, Q> { gradients, work, points: &mut *points, packs, open });
    }
}

/// A run of packs; or, if `open` is given, the measurement of a single one.
struct Run<'a, G, P, const N: usize, const Q: usize> {
    gradients: G,
    work: &'a Work<'a>,
    points: &'a mut P,
    packs: Range<usize>,
    open: Option<&'a mut [Pack; 2]>,
}

impl<G: Gradients<N>, P: Points, const N: usize, const Q: usize> Kernel for Run<'_, G, P, N, Q> {
    #[inline(always)]
    fn run<L: Lanes>(&mut self, lanes: L) {
        let Self { gradients, work, points, packs, open } = self;
        let mut cells = Cells::<L::Lane, N, Q>::new(lanes.splat(0.0));
        for pack in packs.clone() {
            let nodes = work.batch.pack_nodes(pack);
            cells.nodes.gather(lanes, &mut **points, nodes);
            project(lanes, *gradients, work, pack, &mut cells, open.as_deref_mut());
            if open.is_none() {
                let used = work.lanes_used(lanes, pack);
                cells.nodes.scatter(lanes, &mut **points, nodes, used);
            }
        }
    }
}

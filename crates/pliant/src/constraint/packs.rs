//! Runs the kernel that fits a batch over its packs.

use std::ops::Range;

use fearless_simd::dispatch;

use crate::body::Batch;
use crate::element::Kind;
use crate::force::Width;
use crate::math::{Lanes, One, Pack, Wide};

use super::form::{Form, FormTable};
use super::gradients::{Direct, Gradients};
use super::kernel::{Cells, Work, project};
use super::orbits::{FourPoints, FourteenPoints, OnePoint};
use super::shared::Points;
use super::symmetric::Symmetric;

/// How F of a batch is read from its nodes, with the tables that the batch does not have itself.
#[derive(Debug, Clone)]
pub(super) enum Tables {
    Hex8,
    Hex27,
    Prism6,
    Pyramid5,
    Tet4(FormTable),
    Tet10(FormTable),
    Tet20(FormTable),
    /// Linear tetrahedra with the rule of degree 1.
    OnePoint(OnePoint),
    /// Straight quadratic tetrahedra with the rule of degree 2.
    FourPoints(FourPoints),
    /// Straight cubic tetrahedra with the rule of degree 5.
    FourteenPoints(FourteenPoints),
}

impl Tables {
    pub(super) fn new(batch: &Batch) -> Self {
        let Batch { kind, ref points, ref weights, straight, .. } = *batch;
        let form = || FormTable::new(kind, points);
        match kind {
            Kind::Hex8 => Self::Hex8,
            Kind::Hex27 => Self::Hex27,
            Kind::Prism6 => Self::Prism6,
            Kind::Pyramid5 => Self::Pyramid5,
            Kind::Tet4 => match OnePoint::fit(points) {
                Some(rule) => Self::OnePoint(rule),
                None => Self::Tet4(form()),
            },
            Kind::Tet10 => match FourPoints::fit(points, weights) {
                Some(rule) if straight => Self::FourPoints(rule),
                _ => Self::Tet10(form()),
            },
            Kind::Tet20 => match FourteenPoints::fit(points, weights) {
                Some(rule) if straight => Self::FourteenPoints(rule),
                _ => Self::Tet20(form()),
            },
        }
    }
}

/// Runs the constraints of some packs; see [`project`]. If `open` is given, one for each pack, it tells how
/// far from met they are and moves nothing.
///
/// The second number of [`run`] says how many quadrature points are handed to a law at once.
pub(super) fn run_packs(
    width: Width,
    tables: &Tables,
    work: &Work<'_>,
    points: &mut impl Points,
    packs: Range<usize>,
    open: Option<&mut [[Pack; 2]]>,
) {
    let all = &work.batch.gradients;
    match tables {
        Tables::Hex8 => run::<_, 8, 4>(width, Direct::new(all), work, points, packs, open),
        Tables::Hex27 => run::<_, 27, 4>(width, Direct::new(all), work, points, packs, open),
        Tables::Prism6 => run::<_, 6, 4>(width, Direct::new(all), work, points, packs, open),
        Tables::Pyramid5 => run::<_, 5, 4>(width, Direct::new(all), work, points, packs, open),
        Tables::Tet4(t) => run::<_, 4, 4>(width, Form::<1>::new(t), work, points, packs, open),
        Tables::Tet10(t) => run::<_, 10, 4>(width, Form::<4>::new(t), work, points, packs, open),
        Tables::Tet20(t) => run::<_, 20, 4>(width, Form::<10>::new(t), work, points, packs, open),
        Tables::OnePoint(rule) => {
            run::<_, 4, 1>(width, Symmetric(*rule), work, points, packs, open);
        }
        Tables::FourPoints(rule) => {
            run::<_, 10, 4>(width, Symmetric(*rule), work, points, packs, open);
        }
        Tables::FourteenPoints(rule) => {
            run::<_, 20, 14>(width, Symmetric(*rule), work, points, packs, open);
        }
    }
}

fn run<G: Gradients<N>, const N: usize, const P: usize>(
    width: Width,
    gradients: G,
    work: &Work<'_>,
    points: &mut impl Points,
    packs: Range<usize>,
    mut open: Option<&mut [[Pack; 2]]>,
) {
    match width {
        Width::One => {
            for (index, pack) in packs.enumerate() {
                let mut open = open.as_deref_mut().map(|open| &mut open[index..=index]);
                for lane in 0..work.batch.lanes_used(pack) {
                    let (pack, open) = (pack..pack + 1, open.as_deref_mut());
                    run_lanes::<_, G, N, P>(One(lane), gradients, work, points, pack, open);
                }
            }
        }
        Width::Packs(level) => {
            dispatch!(level, simd => run_lanes::<_, G, N, P>(Wide(simd), gradients, work, points, packs, open));
        }
    }
}

#[inline(always)]
fn run_lanes<L: Lanes, G: Gradients<N>, const N: usize, const P: usize>(
    lanes: L,
    gradients: G,
    work: &Work<'_>,
    points: &mut impl Points,
    packs: Range<usize>,
    mut open: Option<&mut [[Pack; 2]]>,
) {
    let mut cells = Cells::<L::Lane, N, P>::new(lanes.splat(0.0));
    for (index, pack) in packs.enumerate() {
        let nodes = work.pack_nodes(pack);
        let used = work.lanes_used(lanes, pack);
        cells.nodes.gather(lanes, points, nodes);
        let open = open.as_deref_mut().map(|open| &mut open[index]);
        let leave = open.is_some();
        project(lanes, gradients, work, pack, &mut cells, open);
        if !leave {
            cells.nodes.scatter(lanes, points, nodes, used);
        }
    }
}

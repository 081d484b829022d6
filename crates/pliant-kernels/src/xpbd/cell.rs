//! What the constraint solve needs from the cells of a pack.

use crate::lanes::RestBatch;
use crate::math::{Lanes, Pack, Vec3};

use super::kernel::{Work, project};
use super::nodes::Nodes;
use super::shared::Points;

/// S of the two constraints of a cell, and its volume.
#[derive(Debug, Clone, Copy)]
pub(super) struct Sums<R> {
    pub(super) terms: [R; 2],
    pub(super) volume: R,
}

/// The gradients of both constraints of the cells of a pack, in a form that suits their kind.
///
/// ```text
/// S = Σ V ψ̃        gₐ = ∂S/∂xₐ
/// ```
pub(super) trait Cell<L: Lanes, const N: usize> {
    /// Returns S of the terms of a pass, zero for the other term, and stores the gradients if they are needed.
    fn evaluate(
        &mut self,
        place: (L, RestBatch<'_>, usize),
        x: &[Vec3<L::Lane>; N],
        terms: [bool; 2],
        with_gradients: bool,
    ) -> Sums<L::Lane>;

    /// Returns g_A M⁻¹ g_A, g_A M⁻¹ g_B and g_B M⁻¹ g_B.
    fn products(&self, inverse_masses: &[L::Lane; N]) -> [L::Lane; 3];

    /// Returns g_A · s and g_B · s for displacements s of the nodes.
    fn along(&self, steps: &[Vec3<L::Lane>; N]) -> [L::Lane; 2];

    /// Moves the nodes by M⁻¹ (g_A y_A + g_B y_B).
    fn displace(&self, y: [L::Lane; 2], nodes: &mut Nodes<L::Lane, N>);
}

/// A kind of cell before its lanes are chosen.
pub(super) trait CellKind<const N: usize>: Copy {
    /// Cells in lanes of `L`.
    type Cells<L: Lanes>: Cell<L, N>;

    /// Returns working memory for packs.
    fn cells<L: Lanes>(self, lanes: L) -> Self::Cells<L>;

    /// Projects the constraints of a pack by moving its nodes; or, if `open` is given, moves nothing and writes the residual.
    #[inline(always)]
    fn project<L: Lanes>(
        self,
        (lanes, work, pack): (L, &Work<'_>, usize),
        cells: &mut Self::Cells<L>,
        nodes: &mut Nodes<L::Lane, N>,
        points: &mut impl Points,
        open: Option<&mut [Pack; 2]>,
    ) {
        project_at((lanes, work, pack), cells, nodes, points, open);
    }
}

/// Reads the nodes of a pack, projects its constraints, and writes the nodes back; see [`CellKind::project`].
#[inline(always)]
pub(super) fn project_at<L: Lanes, C: Cell<L, N>, const N: usize>(
    (lanes, work, pack): (L, &Work<'_>, usize),
    cells: &mut C,
    nodes: &mut Nodes<L::Lane, N>,
    points: &mut impl Points,
    open: Option<&mut [Pack; 2]>,
) {
    let (numbers, moves) = (work.batch.pack_nodes(pack), open.is_none());
    nodes.gather(lanes, points, numbers);
    project(lanes, work, pack, cells, nodes, open);
    if moves {
        nodes.scatter(lanes, points, numbers, work.lanes_used(lanes, pack));
    }
}

//! Cells of any kind, with any number of quadrature points.

use crate::lanes::RestBatch;
use crate::math::{Lane, Lanes, Vec3};

use super::cell::{Cell, CellKind, Sums};
use super::evaluate::{Values, evaluate};
use super::gradients::Gradients;
use super::nodes::Nodes;

/// Cells with these gradients of F, with `P` quadrature points passed to a law at once.
#[derive(Debug, Clone, Copy)]
pub(super) struct QuadratureKind<G, const P: usize>(pub(super) G);

/// The gradients of both constraints with respect to the nodes, and working memory for `P` quadrature points at a time.
#[derive(Debug)]
pub(super) struct QuadratureCells<G, R, const N: usize, const P: usize> {
    gradients: G,
    values: Values<R, P>,
    g: [[Vec3<R>; N]; 2],
}

impl<G: Gradients<N>, const N: usize, const P: usize> CellKind<N> for QuadratureKind<G, P> {
    type Cells<L: Lanes> = QuadratureCells<G, L::Lane, N, P>;

    #[inline(always)]
    fn cells<L: Lanes>(self, lanes: L) -> QuadratureCells<G, L::Lane, N, P> {
        let zero = lanes.splat(0.0);
        let g = [[Vec3([zero; 3]); N]; 2];
        QuadratureCells { gradients: self.0, values: Values::new(zero), g }
    }
}

impl<L: Lanes, G: Gradients<N>, const N: usize, const P: usize> Cell<L, N>
    for QuadratureCells<G, L::Lane, N, P>
{
    #[inline(always)]
    fn evaluate(
        &mut self,
        place: (L, RestBatch<'_>, usize),
        x: &[Vec3<L::Lane>; N],
        terms: [bool; 2],
        with_gradients: bool,
    ) -> Sums<L::Lane> {
        let g = with_gradients.then_some(&mut self.g);
        evaluate(self.gradients, place, x, terms, &mut self.values, g)
    }

    #[inline(always)]
    fn products(&self, inverse_masses: &[L::Lane; N]) -> [L::Lane; 3] {
        let ([first, second], zero) = (&self.g, inverse_masses[0].zero());
        let mut sums = [zero; 3];
        for a in 0..N {
            let (g, k, w) = (first[a], second[a], inverse_masses[a]);
            sums[0] = g.fused_dot(g).mul_add(w, sums[0]);
            sums[1] = g.fused_dot(k).mul_add(w, sums[1]);
            sums[2] = k.fused_dot(k).mul_add(w, sums[2]);
        }
        sums
    }

    #[inline(always)]
    fn along(&self, steps: &[Vec3<L::Lane>; N]) -> [L::Lane; 2] {
        let mut sums = [steps[0].0[0].zero(); 2];
        for (step, (a, b)) in steps.iter().zip(self.g[0].iter().zip(&self.g[1])) {
            sums[0] += a.fused_dot(*step);
            sums[1] += b.fused_dot(*step);
        }
        sums
    }

    #[inline(always)]
    fn displace(&self, y: [L::Lane; 2], nodes: &mut Nodes<L::Lane, N>) {
        let Nodes { x, inverse_masses } = nodes;
        for a in 0..N {
            let force = (self.g[0][a] * y[0]).add_scaled(self.g[1][a], y[1]);
            x[a] = x[a].add_scaled(force, inverse_masses[a]);
        }
    }
}

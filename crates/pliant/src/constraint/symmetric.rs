//! Gradients of straight tetrahedra at the points of symmetric rules.

use crate::element::Kind;
use crate::math::{Lane, Lanes, Mat3, Vec3};

use super::form::{Edges, raised_nodes};
use super::gradients::Gradients;
use super::orbits::SymmetricRule;
use super::rest::Rest;

/// F of a straight tetrahedron as a Bernstein form with `M` coefficients, at all `Q` points of a symmetric
/// rule at once:
///
/// ```text
/// F = Σₖ Bₖ p (x[k + eⱼ] − x[k + e₀]) J⁻¹        |k| = p − 1
/// ```
#[derive(Debug, Clone, Copy)]
pub(super) struct Symmetric<'a, S, const M: usize, const Q: usize> {
    edges: Edges<'a, M>,
    rule: S,
    /// p.
    degree: f64,
}

/// The tables of a [`Symmetric`].
#[derive(Debug, Clone)]
pub(super) struct SymmetricTable<S> {
    nodes: Vec<[u8; 4]>,
    rule: S,
    degree: f64,
}

impl<S> SymmetricTable<S> {
    /// The tables of a kind of tetrahedron.
    pub(super) fn new<const M: usize, const Q: usize>(kind: Kind, rule: S) -> Self
    where
        S: SymmetricRule<M, Q>,
    {
        Self { nodes: raised_nodes(kind, &S::INDICES), rule, degree: kind.degree() as f64 }
    }
}

impl<'a, S: Copy, const M: usize, const Q: usize> Symmetric<'a, S, M, Q> {
    pub(super) fn new(table: &'a SymmetricTable<S>) -> Self {
        Self { edges: Edges::new(&table.nodes), rule: table.rule, degree: table.degree }
    }
}

impl<S, const N: usize, const M: usize, const Q: usize> Gradients<N> for Symmetric<'_, S, M, Q>
where
    S: SymmetricRule<M, Q>,
{
    type Space<R: Lane> = [Mat3<R>; M];

    #[inline(always)]
    fn zero<R: Lane>(&self, zero: R) -> [Mat3<R>; M] {
        [Mat3([Vec3([zero; 3]); 3]); M]
    }

    #[inline(always)]
    fn lift<L: Lanes>(
        &self,
        rest: &Rest<'_, L>,
        x: &[Vec3<L::Lane>; N],
        space: &mut [Mat3<L::Lane>; M],
    ) {
        let inverse = rest.inverse(0) * rest.zero().like(self.degree);
        for (k, coefficient) in space.iter_mut().enumerate() {
            *coefficient = self.edges.of(x, k) * inverse;
        }
    }

    #[inline(always)]
    fn at<L: Lanes>(
        &self,
        rest: &Rest<'_, L>,
        space: &[Mat3<L::Lane>; M],
        _start: usize,
        f: &mut [Mat3<L::Lane>],
    ) {
        let f: &mut [Mat3<L::Lane>; Q] = f.first_chunk_mut().expect("all points at once");
        for j in 0..3 {
            for i in 0..3 {
                let mut coefficients = [rest.zero(); M];
                for k in 0..M {
                    coefficients[k] = space[k].0[j].0[i];
                }
                let values = self.rule.values(&coefficients);
                for point in 0..Q {
                    f[point].0[j].0[i] = values[point];
                }
            }
        }
    }

    #[inline(always)]
    fn pull<L: Lanes>(
        &self,
        rest: &Rest<'_, L>,
        space: &mut [Mat3<L::Lane>; M],
        _start: usize,
        stresses: &[Mat3<L::Lane>],
    ) {
        let stresses: &[Mat3<L::Lane>; Q] = stresses.first_chunk().expect("all points at once");
        for j in 0..3 {
            for i in 0..3 {
                let mut values = [rest.zero(); Q];
                for point in 0..Q {
                    values[point] = stresses[point].0[j].0[i];
                }
                let moments = self.rule.moments(&values);
                for k in 0..M {
                    space[k].0[j].0[i] = moments[k];
                }
            }
        }
    }

    #[inline(always)]
    fn lower<L: Lanes>(
        &self,
        rest: &Rest<'_, L>,
        space: &[Mat3<L::Lane>; M],
        sums: &mut [Vec3<L::Lane>; N],
    ) {
        *sums = [Vec3([rest.zero(); 3]); N];
        let back = rest.inverse(0).transpose() * (rest.whole() * self.degree);
        for (k, coefficient) in space.iter().enumerate() {
            self.edges.pull(&(*coefficient * back), k, sums);
        }
    }
}

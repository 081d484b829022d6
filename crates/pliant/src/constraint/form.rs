//! Gradients of tetrahedra as Bernstein forms of one degree less.

use glam::DVec3;

use crate::element::{Kind, bernstein_simplex, lattice, simplex_indices};
use crate::math::{Lane, Lanes, Mat3, Vec3};

use super::gradients::Gradients;
use super::rest::Rest;

/// Gradients of a tetrahedron as a Bernstein form of one degree less, with `M` coefficients:
///
/// ```text
/// ∂x/∂ξⱼ = Σₖ Bₖ p (x[k + eⱼ] − x[k + e₀])        |k| = p − 1
/// ```
///
/// Differences instead of products with a table for every node: of a quadratic cell 36 + 144 instead of
/// 360 multiplications for four points, of a linear one none. For any points; see
/// [`super::symmetric::Symmetric`] for those of symmetric rules.
#[derive(Debug, Clone, Copy)]
pub(super) struct Form<'a, const M: usize> {
    edges: Edges<'a, M>,
    /// p Bₖ at every point.
    values: &'a [[f64; M]],
}

impl<'a, const M: usize> Form<'a, M> {
    pub(super) fn new(table: &'a FormTable) -> Self {
        Self { edges: Edges::new(&table.nodes), values: table.values.as_chunks().0 }
    }
}

impl<const N: usize, const M: usize> Gradients<N> for Form<'_, M> {
    type Space<R: Lane> = [Mat3<R>; M];

    #[inline(always)]
    fn zero<R: Lane>(&self, zero: R) -> [Mat3<R>; M] {
        [Mat3([Vec3([zero; 3]); 3]); M]
    }

    #[inline(always)]
    fn lift<L: Lanes>(
        &self,
        _rest: &Rest<'_, L>,
        x: &[Vec3<L::Lane>; N],
        space: &mut [Mat3<L::Lane>; M],
    ) {
        for (k, coefficient) in space.iter_mut().enumerate() {
            *coefficient = self.edges.of(x, k);
        }
    }

    #[inline(always)]
    fn at<L: Lanes>(
        &self,
        rest: &Rest<'_, L>,
        space: &[Mat3<L::Lane>; M],
        start: usize,
        f: &mut [Mat3<L::Lane>],
    ) {
        for (k, f) in f.iter_mut().enumerate() {
            *f = self.gradient(space, start + k) * rest.inverse(start + k);
        }
    }

    #[inline(always)]
    fn pull<L: Lanes>(
        &self,
        rest: &Rest<'_, L>,
        space: &mut [Mat3<L::Lane>; M],
        start: usize,
        stresses: &[Mat3<L::Lane>],
    ) {
        let zero = rest.zero();
        if start == 0 {
            *space = [Mat3([Vec3([zero; 3]); 3]); M];
        }
        for (point, stress) in stresses.iter().enumerate() {
            let h = rest.pull(stress, start + point);
            if M == 1 {
                space[0] += h;
                continue;
            }
            let values = &self.values[start + point];
            for k in 0..M {
                space[k] += h * zero.like(values[k]);
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
        for (k, coefficient) in space.iter().enumerate() {
            self.edges.pull(coefficient, k, sums);
        }
    }
}

impl<const M: usize> Form<'_, M> {
    /// ∂x/∂ξ at a point.
    #[inline(always)]
    fn gradient<R: Lane>(&self, space: &[Mat3<R>; M], point: usize) -> Mat3<R> {
        if M == 1 {
            return space[0];
        }
        let (values, zero) = (&self.values[point], space[0].at(0, 0).zero());
        let mut sum = Mat3([Vec3([zero; 3]); 3]);
        for k in 0..M {
            sum += space[k] * zero.like(values[k]);
        }
        sum
    }
}

/// The differences of nodes of which the coefficients of a form are made.
#[derive(Debug, Clone, Copy)]
pub(super) struct Edges<'a, const M: usize> {
    /// Nodes `k + e₀` … `k + e₃` of every coefficient k.
    nodes: &'a [[u8; 4]; M],
}

impl<'a, const M: usize> Edges<'a, M> {
    pub(super) fn new(nodes: &'a [[u8; 4]]) -> Self {
        Self { nodes: nodes.first_chunk().expect("M coefficients") }
    }

    /// Coefficient k of the nodes x.
    #[inline(always)]
    pub(super) fn of<R: Lane, const N: usize>(&self, x: &[Vec3<R>; N], k: usize) -> Mat3<R> {
        let [o, a, b, c] = self.nodes[k];
        let origin = x[o as usize];
        Mat3([x[a as usize] - origin, x[b as usize] - origin, x[c as usize] - origin])
    }

    /// Adds what pulls at coefficient k to its nodes.
    #[inline(always)]
    pub(super) fn pull<R: Lane, const N: usize>(
        &self,
        coefficient: &Mat3<R>,
        k: usize,
        sums: &mut [Vec3<R>; N],
    ) {
        let ([a, b, c], [o, i, j, k]) = (coefficient.0, self.nodes[k]);
        sums[o as usize] = sums[o as usize] - (a + b + c);
        sums[i as usize] += a;
        sums[j as usize] += b;
        sums[k as usize] += c;
    }
}

/// The tables of a [`Form`].
#[derive(Debug, Clone, Default)]
pub(super) struct FormTable {
    pub(super) nodes: Vec<[u8; 4]>,
    values: Vec<f64>,
}

impl FormTable {
    /// The tables of a kind of tetrahedron and these quadrature points.
    pub(super) fn new(kind: Kind, points: &[DVec3]) -> Self {
        let p = kind.degree();
        let coefficients = simplex_indices(p - 1);
        let mut values = Vec::new();
        for point in points {
            let lambda = [1.0 - point.element_sum(), point.x, point.y, point.z];
            let value = |index: &[usize; 4]| p as f64 * bernstein_simplex(*index, lambda);
            values.extend(coefficients.iter().map(value));
        }
        Self { nodes: raised_nodes(kind, &coefficients), values }
    }
}

/// Nodes `k + e₀` … `k + e₃` of forms k of one degree less than the cell.
pub(super) fn raised_nodes(kind: Kind, coefficients: &[[usize; 4]]) -> Vec<[u8; 4]> {
    let nodes_of = lattice(kind);
    let node_at = |index: [usize; 3]| nodes_of.iter().position(|other| *other == index);
    let raise = |&[_, x, y, z]: &[usize; 4]| {
        let raised = [[x, y, z], [x + 1, y, z], [x, y + 1, z], [x, y, z + 1]];
        raised.map(|index| node_at(index).expect("a node of the cell") as u8)
    };
    coefficients.iter().map(raise).collect()
}

//! How the gradient of a cell is read from its nodes, and how what pulls at it goes back to them.

use std::fmt::Debug;

use glam::DVec3;

use crate::element::{Kind, bernstein_simplex, lattice, simplex_indices};
use crate::force::{apply_constant, reference_gradient};
use crate::math::{Lane, Mat3, Vec3};

/// The map from nodes to ∂x/∂ξ at quadrature points, and its transpose, by way of a space between.
pub(super) trait Gradients<const N: usize>: Copy + Debug + Sync {
    /// What the gradients at all points are read from.
    type Space<R: Lane>: Copy;

    /// Nothing.
    fn zero<R: Lane>(&self, zero: R) -> Self::Space<R>;

    /// What the gradients of a cell with these nodes are read from.
    fn lift<R: Lane>(&self, x: &[Vec3<R>; N]) -> Self::Space<R>;

    /// ∂x/∂ξ at a point.
    fn at<R: Lane>(&self, space: &Self::Space<R>, point: usize) -> Mat3<R>;

    /// Adds what pulls at the gradient of a point: the transpose of [`Gradients::at`].
    fn pull<R: Lane>(&self, space: &mut Self::Space<R>, point: usize, h: &Mat3<R>);

    /// Adds what then pulls at the nodes: the transpose of [`Gradients::lift`].
    fn lower<R: Lane>(&self, space: &Self::Space<R>, sums: &mut [Vec3<R>; N]);
}

/// Gradients of a tetrahedron as a Bernstein form of one degree less, with `M` coefficients:
///
/// ```text
/// ∂x/∂ξⱼ = Σₖ Bₖ p (x[k + eⱼ] − x[k + e₀])        |k| = p − 1
/// ```
///
/// Differences instead of products with a table for every node: of a quadratic cell 36 + 144 instead of
/// 360 multiplications for four points, of a linear one none.
#[derive(Debug, Clone, Copy)]
pub(super) struct Form<'a, const M: usize> {
    /// Nodes `k + e₀` … `k + e₃` of every coefficient k.
    nodes: &'a [[u8; 4]; M],
    /// p Bₖ at every point.
    values: &'a [[f64; M]],
}

impl<'a, const M: usize> Form<'a, M> {
    pub(super) fn new(table: &'a FormTable) -> Self {
        let nodes = table.nodes.first_chunk().expect("M coefficients");
        Self { nodes, values: table.values.as_chunks().0 }
    }
}

impl<const N: usize, const M: usize> Gradients<N> for Form<'_, M> {
    type Space<R: Lane> = [Mat3<R>; M];

    #[inline(always)]
    fn zero<R: Lane>(&self, zero: R) -> [Mat3<R>; M] {
        [Mat3([Vec3([zero; 3]); 3]); M]
    }

    #[inline(always)]
    fn lift<R: Lane>(&self, x: &[Vec3<R>; N]) -> [Mat3<R>; M] {
        let mut space = [Mat3([x[0]; 3]); M];
        for (coefficient, nodes) in space.iter_mut().zip(self.nodes) {
            let [o, a, b, c] = *nodes;
            let origin = x[o as usize];
            *coefficient =
                Mat3([x[a as usize] - origin, x[b as usize] - origin, x[c as usize] - origin]);
        }
        space
    }

    #[inline(always)]
    fn at<R: Lane>(&self, space: &[Mat3<R>; M], point: usize) -> Mat3<R> {
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

    #[inline(always)]
    fn pull<R: Lane>(&self, space: &mut [Mat3<R>; M], point: usize, h: &Mat3<R>) {
        if M == 1 {
            space[0] += *h;
            return;
        }
        let values = &self.values[point];
        for k in 0..M {
            space[k] += *h * h.at(0, 0).like(values[k]);
        }
    }

    #[inline(always)]
    fn lower<R: Lane>(&self, space: &[Mat3<R>; M], sums: &mut [Vec3<R>; N]) {
        for (coefficient, nodes) in space.iter().zip(self.nodes) {
            let ([a, b, c], [o, i, j, k]) = (coefficient.0, *nodes);
            sums[o as usize] = sums[o as usize] - (a + b + c);
            sums[i as usize] += a;
            sums[j as usize] += b;
            sums[k as usize] += c;
        }
    }
}

/// Gradients of any cell: a table for every node and point.
#[derive(Debug, Clone, Copy)]
pub(super) struct Direct<'a, const N: usize> {
    /// ∂Bₐ/∂ξ at every point.
    tables: &'a [[[f64; 3]; N]],
}

impl<'a, const N: usize> Direct<'a, N> {
    pub(super) fn new(gradients: &'a [[f64; 3]]) -> Self {
        Self { tables: gradients.as_chunks().0 }
    }
}

impl<const N: usize> Gradients<N> for Direct<'_, N> {
    type Space<R: Lane> = [Vec3<R>; N];

    #[inline(always)]
    fn zero<R: Lane>(&self, zero: R) -> [Vec3<R>; N] {
        [Vec3([zero; 3]); N]
    }

    #[inline(always)]
    fn lift<R: Lane>(&self, x: &[Vec3<R>; N]) -> [Vec3<R>; N] {
        *x
    }

    #[inline(always)]
    fn at<R: Lane>(&self, space: &[Vec3<R>; N], point: usize) -> Mat3<R> {
        reference_gradient(space, &self.tables[point])
    }

    #[inline(always)]
    fn pull<R: Lane>(&self, space: &mut [Vec3<R>; N], point: usize, h: &Mat3<R>) {
        let table = &self.tables[point];
        for a in 0..N {
            space[a] += apply_constant(h, &table[a]);
        }
    }

    #[inline(always)]
    fn lower<R: Lane>(&self, space: &[Vec3<R>; N], sums: &mut [Vec3<R>; N]) {
        for a in 0..N {
            sums[a] += space[a];
        }
    }
}

/// The tables of a [`Form`].
#[derive(Debug, Clone, Default)]
pub(super) struct FormTable {
    nodes: Vec<[u8; 4]>,
    values: Vec<f64>,
}

impl FormTable {
    /// The tables of a kind of tetrahedron and these quadrature points.
    pub(super) fn new(kind: Kind, points: &[DVec3]) -> Self {
        let p = kind.degree();
        let nodes_of = lattice(kind);
        let node_at = |index: [usize; 3]| nodes_of.iter().position(|other| *other == index);
        let (mut nodes, mut values) = (Vec::new(), Vec::new());
        let coefficients = simplex_indices(p - 1);
        for &[_, x, y, z] in &coefficients {
            let raised = [[x, y, z], [x + 1, y, z], [x, y + 1, z], [x, y, z + 1]];
            nodes.push(raised.map(|index| node_at(index).expect("a node of the cell") as u8));
        }
        for point in points {
            let lambda = [1.0 - point.element_sum(), point.x, point.y, point.z];
            let value = |index: &[usize; 4]| p as f64 * bernstein_simplex(*index, lambda);
            values.extend(coefficients.iter().map(value));
        }
        Self { nodes, values }
    }
}

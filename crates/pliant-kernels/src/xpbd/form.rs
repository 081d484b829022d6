//! Gradients of tetrahedra in Bernstein form of one degree less.

use glam::DVec3;

use crate::element::{Kind, bernstein_simplex, lattice, simplex_indices};
use crate::math::{Lane, Lanes, Mat3, Vec3};

use super::gradients::Gradients;
use super::rest::Rest;

/// Gradients of a tetrahedron in Bernstein form of one degree less, with `M` coefficients:
///
/// ```text
/// ∂x/∂ξⱼ = Σₖ Bₖ p (x[k + eⱼ] − x[k + e₀])        |k| = p − 1
/// ```
///
/// It uses differences instead of products with a table for every node: for a quadratic cell 36 + 144 instead of 360
/// multiplications for four points. For curved cells and any points; [`super::symmetric::Symmetric`] is faster for
/// straight cells with symmetric rules.
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
    #[inline(always)]
    fn at<L: Lanes>(
        &self,
        rest: &Rest<'_, L>,
        x: &[Vec3<L::Lane>; N],
        start: usize,
        f: &mut [Mat3<L::Lane>],
    ) {
        let form = self.lift(x);
        for (k, f) in f.iter_mut().enumerate() {
            *f = self.gradient(&form, start + k) * rest.inverse(start + k);
        }
    }

    #[inline(always)]
    fn pull<L: Lanes>(
        &self,
        rest: &Rest<'_, L>,
        g: &mut [Vec3<L::Lane>; N],
        start: usize,
        stresses: &[Mat3<L::Lane>],
    ) {
        let zero = rest.zero();
        if start == 0 {
            *g = [Vec3([zero; 3]); N];
        }
        let mut form = [Mat3([Vec3([zero; 3]); 3]); M];
        for (point, stress) in stresses.iter().enumerate() {
            let (h, values) = (rest.pull(stress, start + point), &self.values[start + point]);
            for k in 0..M {
                form[k] += h * zero.like(values[k]);
            }
        }
        self.lower(&form, g);
    }
}

impl<const M: usize> Form<'_, M> {
    /// Returns the coefficients of ∂x/∂ξ, without the factor p.
    #[inline(always)]
    fn lift<R: Lane, const N: usize>(&self, x: &[Vec3<R>; N]) -> [Mat3<R>; M] {
        let mut form = [Mat3([x[0]; 3]); M];
        for (coefficient, nodes) in form.iter_mut().zip(self.nodes) {
            let [o, a, b, c] = *nodes;
            let origin = x[o as usize];
            *coefficient =
                Mat3([x[a as usize] - origin, x[b as usize] - origin, x[c as usize] - origin]);
        }
        form
    }

    /// Returns ∂x/∂ξ at a point.
    #[inline(always)]
    fn gradient<R: Lane>(&self, form: &[Mat3<R>; M], point: usize) -> Mat3<R> {
        let (values, zero) = (&self.values[point], form[0].at(0, 0).zero());
        let mut sum = Mat3([Vec3([zero; 3]); 3]);
        for k in 0..M {
            sum += form[k] * zero.like(values[k]);
        }
        sum
    }

    /// Adds the gradient with respect to the coefficients to that of the nodes: the transpose of [`Form::lift`].
    #[inline(always)]
    fn lower<R: Lane, const N: usize>(&self, form: &[Mat3<R>; M], g: &mut [Vec3<R>; N]) {
        for (coefficient, nodes) in form.iter().zip(self.nodes) {
            let ([a, b, c], [o, i, j, k]) = (coefficient.0, *nodes);
            g[o as usize] = g[o as usize] - (a + b + c);
            g[i as usize] += a;
            g[j as usize] += b;
            g[k as usize] += c;
        }
    }
}

/// The tables of a [`Form`].
#[derive(Debug, Clone)]
pub(super) struct FormTable {
    nodes: Vec<[u8; 4]>,
    values: Vec<f64>,
}

impl FormTable {
    /// Builds the tables for a kind of tetrahedron and these quadrature points.
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

/// Returns nodes `k + e₀` … `k + e₃` for the coefficients k of one degree less than the cell.
pub(super) fn raised_nodes(kind: Kind, coefficients: &[[usize; 4]]) -> Vec<[u8; 4]> {
    let nodes_of = lattice(kind);
    let node_at = |index: [usize; 3]| nodes_of.iter().position(|other| *other == index);
    let raise = |&[_, x, y, z]: &[usize; 4]| {
        let raised = [[x, y, z], [x + 1, y, z], [x, y + 1, z], [x, y, z + 1]];
        raised.map(|index| node_at(index).expect("a node of the cell") as u8)
    };
    coefficients.iter().map(raise).collect()
}

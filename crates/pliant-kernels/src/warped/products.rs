//! Products of Bernstein gradients: the constant part of the stiffness of straight tetrahedra.
//!
//! The gradient of a Bernstein form of degree p has degree p − 1, and its coefficients are differences of control
//! points (Bargteil & Cohen 2014, eq. 6):
//!
//! ```text
//! ∂x/∂ξⱼ = Σₖ Bₖ p (x[k + eⱼ] − x[k + e₀])        |k| = p − 1
//! ```
//!
//! and ∫ Bₖ Bₗ over the cell is its volume times a constant (their eq. 11). So a product with the stiffness needs
//! neither quadrature nor the 30 × 30 matrix of a quadratic cell.

use crate::element::{Kind, lattice, simplex_indices};

use crate::lanes::pair_index;

/// A multi-index of barycentric powers.
type Index = [usize; 4];

/// The tables of one degree, for `N` nodes and `M` coefficients of the gradient.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Products<const N: usize, const M: usize> {
    /// Degree p.
    pub(super) degree: f64,
    /// Nodes `k + e₀` … `k + e₃` of every coefficient k of the gradient.
    pub(super) nodes: [[u8; 4]; M],
    /// ∫ Bₖ Bₗ divided by the volume.
    pub(super) integrals: [[f64; M]; M],
    /// Terms `(i, j, weight)` of the block (a, b), a ≤ b: the block is the sum of each weight times the stiffness
    /// between the gradients of barycentric coordinates i and j.
    pub(super) terms: Vec<(u8, u8, f64)>,
    /// Terms of the pair at `pair_index` are `term_start[pair]..term_start[pair + 1]`.
    pub(super) term_start: Vec<u32>,
}

impl<const N: usize, const M: usize> Products<N, M> {
    /// Builds the tables for a kind of tetrahedron with `N` nodes.
    pub(crate) fn new(kind: Kind) -> Self {
        let p = kind.degree();
        let nodes_of = indices(kind);
        let coefficients = simplex_indices(p - 1);
        let node_at = |index: Index| nodes_of.iter().position(|other| *other == index);
        let mut nodes = [[0; 4]; M];
        let mut integrals = [[0.0; M]; M];
        for (k, index) in coefficients.iter().enumerate() {
            for (corner, node) in nodes[k].iter_mut().enumerate() {
                *node = node_at(raised(*index, corner)).expect("a node of the cell") as u8;
            }
            for (l, other) in coefficients.iter().enumerate() {
                integrals[k][l] = product_integral(*index, *other);
            }
        }
        let (mut terms, mut term_start) = (Vec::new(), vec![0]);
        for b in 0..N {
            for a in 0..=b {
                debug_assert_eq!(term_start.len() - 1, pair_index(a, b));
                add_terms(nodes_of[a], nodes_of[b], p, &mut terms);
                term_start.push(terms.len() as u32);
            }
        }
        Self { degree: p as f64, nodes, integrals, terms, term_start }
    }
}

/// Barycentric powers of the nodes of a kind.
fn indices(kind: Kind) -> Vec<Index> {
    let p = kind.degree();
    lattice(kind).into_iter().map(|[x, y, z]| [p - x - y - z, x, y, z]).collect()
}

fn raised(mut index: Index, corner: usize) -> Index {
    index[corner] += 1;
    index
}

fn lowered(mut index: Index, corner: usize) -> Option<Index> {
    index[corner] = index[corner].checked_sub(1)?;
    Some(index)
}

/// ∫ Bₖ Bₗ / V = Π C(kᵢ + lᵢ, kᵢ) / (C(2q, q) C(2q + 3, 3)) for two forms of degree q.
fn product_integral(k: Index, l: Index) -> f64 {
    let degree: usize = k.iter().sum();
    let choose: f64 = k.iter().zip(&l).map(|(k, l)| binomial(k + l, *k)).product();
    choose / (binomial(2 * degree, degree) * binomial(2 * degree + 3, 3))
}

fn binomial(n: usize, k: usize) -> f64 {
    (1..=k).map(|i| (n + 1 - i) as f64 / i as f64).product()
}

/// ∫ ∇Bₐ ⊗ ∇B_b / V = p² Σᵢⱼ βᵢ ⊗ βⱼ ∫ B_{a − eᵢ} B_{b − eⱼ} / V.
fn add_terms(a: Index, b: Index, p: usize, terms: &mut Vec<(u8, u8, f64)>) {
    for i in 0..4 {
        for j in 0..4 {
            if let (Some(a), Some(b)) = (lowered(a, i), lowered(b, j)) {
                terms.push((i as u8, j as u8, (p * p) as f64 * product_integral(a, b)));
            }
        }
    }
}

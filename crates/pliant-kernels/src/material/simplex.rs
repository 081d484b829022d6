//! Terms of a law on a linear tetrahedron, as functions of its edges.

use crate::material::Term;
use crate::math::{Lane, Mat3};

/// A linear tetrahedron: one deformation gradient in the whole cell.
///
/// ```text
/// D = (x₁ − x₀, x₂ − x₀, x₃ − x₀)        F = D J⁻¹
/// ```
#[derive(Debug, Clone, Copy)]
pub struct Simplex<R = f64> {
    /// The edges D, in m.
    pub edges: Mat3<R>,
    /// J⁻¹ = ∂ξ/∂X, in 1/m.
    pub inverse: Mat3<R>,
    /// Volume at rest, in m³.
    pub volume: R,
    /// V det J⁻¹: 1/6 for a cell filled evenly.
    pub filled: R,
}

/// V ψ̃ of one term of a law on a linear tetrahedron.
#[derive(Debug, Clone, Copy)]
pub struct SimplexTerm<R = f64> {
    /// V ψ̃, in m³.
    pub energy: R,
    /// ∂(V ψ̃)/∂D = V P̃ J⁻ᵀ, in m².
    pub gradient: Mat3<R>,
}

impl<R: Lane> Simplex<R> {
    /// F = D J⁻¹.
    #[inline(always)]
    pub fn deformation(&self) -> Mat3<R> {
        self.edges.fused_mul(&self.inverse)
    }

    /// s V J⁻ᵀ, which makes a stress times s the gradient with respect to D.
    #[inline(always)]
    pub fn to_edges(&self, scale: f64) -> Mat3<R> {
        self.inverse.transpose() * (self.volume * scale)
    }

    /// cof D: times s V det J⁻¹ the gradient of s V J with respect to D. It needs no J⁻¹, since V cof F J⁻ᵀ = V det(J⁻¹) cof D.
    #[inline(always)]
    pub fn cofactor(&self) -> Mat3<R> {
        self.edges.fused_cofactor()
    }

    /// Terms of the energy density, with their stresses, as terms of the cell.
    #[inline(always)]
    pub fn integrated(&self, terms: &[Term<R>; 2]) -> [SimplexTerm<R>; 2] {
        let (to_edges, [a, b]) = (self.to_edges(1.0), terms);
        [
            SimplexTerm { energy: a.energy * self.volume, gradient: a.stress.fused_mul(&to_edges) },
            SimplexTerm { energy: b.energy * self.volume, gradient: b.stress.fused_mul(&to_edges) },
        ]
    }
}

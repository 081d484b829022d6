//! Plastic flow: deformation that remains.
//!
//! ```text
//! F = Fᵉ Fᵖ        Fᵉ = (∂x/∂ξ) G,  G = (∂X/∂ξ)⁻¹ Fᵖ⁻¹
//! ```
//!
//! A law uses the elastic part Fᵉ alone. Kernels read G in the place of (∂X/∂ξ)⁻¹: flow gives every quadrature point
//! its own rest shape, so that all elements, laws and steppers work unchanged. G is the only state of flow; Fᵖ follows
//! from it and the mesh. det Fᵖ is one, so flow does not change the volume.
//!
//! For small strains this is the sum ε = εᵉ + εᵖ of Mezger et al. 2007 and Parker & O'Brien 2009; for large strains,
//! where a sum is wrong, it remains valid.

mod anneal;
mod carry;
pub(crate) mod cell_flow;
mod field;
pub(crate) mod flow;

pub use field::{limit_share, plastic_strain, yield_share};
pub(crate) use flow::Flow;
pub use flow::FlowReport;

//! Matter that stays deformed.
//!
//! ```text
//! F = Fᵉ Fᵖ        Fᵉ = (∂x/∂ξ) G,  G = (∂X/∂ξ)⁻¹ Fᵖ⁻¹
//! ```
//!
//! A law sees the elastic part Fᵉ alone. Kernels read G in the place of (∂X/∂ξ)⁻¹: matter that has flowed is matter with another
//! rest shape at every quadrature point, and every element, law and stepper there is works with it unchanged. G is all that flow
//! remembers; Fᵖ follows from it and the mesh. det Fᵖ is one, so volume is what the mesh and the law say.
//!
//! For small strains this is the sum ε = εᵉ + εᵖ of Mezger et al. 2007 and Parker & O'Brien 2009; for large ones it stays
//! right where sums of strains are not.

mod anneal;
mod field;
mod flow;

pub use field::{limit_share, plastic_strain, yield_share};
pub use flow::{Flow, FlowReport};

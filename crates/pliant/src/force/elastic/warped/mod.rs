//! Warped stiffness: a constant stiffness that turns with the cell.
//!
//! ```text
//! f = −R K (Rᵀ x − X)        ∂f/∂x ≈ −R K Rᵀ
//! ```
//!
//! Müller & Gross 2004; with one rotation per cell for every degree Bargteil & Cohen 2014, section
//! 3.2; with one per quadrature point Mezger et al. 2007, section 4.3. K is stored for cells with
//! contents alone: straight tetrahedra multiply by it through products of Bernstein gradients, other
//! cells by quadrature, both from the rest data of a cell alone.

mod contents;
mod snapshot;
mod warped;

pub use warped::Warped;

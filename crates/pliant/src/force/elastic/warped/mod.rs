//! Warped stiffness: a constant stiffness that rotates with the cell.
//!
//! ```text
//! f = −R K (Rᵀ x − X)        ∂f/∂x ≈ −R K Rᵀ
//! ```
//!
//! Müller & Gross 2004; with one rotation per cell for every degree Bargteil & Cohen 2014, section 3.2; with one per
//! quadrature point Mezger et al. 2007, section 4.3. K is stored only for partly filled cells. Straight tetrahedra
//! multiply by K with products of Bernstein gradients, other cells by quadrature; both need only the rest data of the
//! cell.

mod contents;
mod snapshot;
mod warped;

pub use warped::Warped;

//! Warped stiffness: a constant stiffness that rotates with the cell.
//!
//! ```text
//! f = −R K (Rᵀ x − X)        ∂f/∂x ≈ −R K Rᵀ
//! ```
//!
//! Müller & Gross 2004; with one rotation per cell for every degree Bargteil & Cohen 2014, section 3.2; with one per
//! quadrature point Mezger et al. 2007, section 4.3. K is stored only for partly filled cells. Straight tetrahedra
//! multiply by K through products of Bernstein gradients, other cells by quadrature; both need only the rest data of
//! a cell. In single precision, where it is half as large, K is stored for curved quadratic cells, too.

mod batch;
mod blocks;
mod hierarchy;
mod kernel;
mod partition;
mod product_buffer;
mod products;
mod rest;
mod rotation;
mod single_stored;
mod stored;
mod tiles;

pub use batch::{CellMasses, WarpedBatch, WarpedJob};
pub use kernel::Task;
pub use rotation::{Rotation, unit_pack};
pub use stored::Stored;

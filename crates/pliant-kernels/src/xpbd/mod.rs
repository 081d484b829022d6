//! Position-based constraints (XPBD) of packs of cells: functions C(x) that vanish at rest, each with a compliance.
//!
//! ```text
//! U = C²/(2α)        Δλ = −(C + α̃ λ)/(∇C M⁻¹ ∇Cᵀ + α̃)        Δx = M⁻¹ ∇Cᵀ Δλ        α̃ = α/h²
//! ```
//!
//! Macklin et al. 2016; for elements of any shape and degree Saillant et al. 2024.

mod cell;
mod evaluate;
mod gradients;
mod kernel;
mod linear;
mod local_solve;
mod nodes;
mod orbits;
mod packs;
mod quadrature_cells;
mod rest;
mod shared;
mod symmetric;

pub use kernel::Work;
pub use local_solve::Projection;
pub use packs::{Tables, residual, sweep_alone, sweep_shared};
pub use shared::{SharedPack, SharedPoints};

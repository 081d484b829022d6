//! Position-based constraints: functions C(x) that are zero at rest, each with a compliance.
//!
//! ```text
//! U = C²/(2α)        Δλ = −(C + α̃ λ)/(∇C M⁻¹ ∇Cᵀ + α̃)        Δx = M⁻¹ ∇Cᵀ Δλ        α̃ = α/h²
//! ```
//!
//! Macklin et al. 2016; on elements of any shape and degree Saillant et al. 2024. Nothing is assembled:
//! each constraint moves the nodes of its own cell, and the next one starts from there.

mod cell_constraints;
mod evaluate;
mod form;
mod gradients;
mod kernel;
mod local_solve;
mod nodes;
mod orbits;
mod packs;
mod relay;
mod rest;
mod shared;
mod symmetric;

pub use cell_constraints::{CellConstraints, Sweep};
pub use local_solve::Projection;
pub use shared::SharedPoints;

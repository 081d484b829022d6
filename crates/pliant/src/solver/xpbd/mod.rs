//! Extended position-based dynamics: functions C(x) that are zero at rest, each with a compliance α.
//!
//! ```text
//! U = C²/(2α)        Δλ = −(C + α̃ λ)/(∇C M⁻¹ ∇Cᵀ + α̃)        Δx = M⁻¹ ∇Cᵀ Δλ        α̃ = α/h²
//! ```
//!
//! Macklin et al. 2016; on elements of any shape and degree Saillant et al. 2024. No system is assembled:
//! each constraint moves the nodes of its own cell, and the next one starts from there.

mod cell_constraints;
mod relay;
mod xpbd;

pub use cell_constraints::{CellConstraints, ConstraintSweep};
pub use pliant_kernels::xpbd::{Projection, SharedPoints};
pub(crate) use xpbd::Xpbd;

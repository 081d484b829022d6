//! Pliant: a real-time engine for deformable solids.
#![forbid(unsafe_code)]

pub mod body;
pub mod contact;
pub mod force;
pub mod fracture;
pub mod persist;
pub mod plasticity;
pub mod sleep;
pub mod solver;
pub mod world;

#[doc(inline)]
pub use pliant_kernels::{element, material, math};
#[doc(inline)]
pub use pliant_mesh::{geometry, mesh};

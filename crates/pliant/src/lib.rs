//! Pliant: a real-time engine for deformable solids.

pub mod element;
pub mod math;
pub mod mesh;

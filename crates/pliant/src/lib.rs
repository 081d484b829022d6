//! Pliant: a real-time engine for deformable solids.

pub mod element;
pub mod material;
pub mod math;
pub mod mesh;

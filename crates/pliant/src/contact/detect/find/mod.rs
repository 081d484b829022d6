//! Contacts between two surfaces, or of one with itself, within a step.

mod edges;
pub(crate) mod finder;
pub(crate) mod inside;
mod nearest;
mod own_surface;
mod vertices;

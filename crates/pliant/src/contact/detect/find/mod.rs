//! Contacts between two surfaces, or of one with itself, within a step.

mod edges;
pub(crate) mod finder;
mod nearest;
mod own_surface;
mod vertices;

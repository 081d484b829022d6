//! Bodies of a world that break, and their fragments.

mod break_up;
mod debris;
mod fragments;
pub(crate) mod originals;
mod restore;

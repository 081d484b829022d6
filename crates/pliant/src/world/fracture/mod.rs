//! Bodies of a world that break, and their fragments.

mod break_up;
mod debris;
pub(crate) mod originals;
mod pieces;
mod restore;

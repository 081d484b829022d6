//! The constant part of a body: mesh, materials, masses and rest data.

mod checks;
pub(crate) mod coloured_batch;
pub(crate) mod config;
pub(crate) mod contents;
pub(crate) mod contents_error;
pub(crate) mod error;
mod filling;
mod locate;
pub(crate) mod mass;
pub(crate) mod mass_matrix;
pub(crate) mod model;
mod packing;
pub(crate) mod part;
pub(crate) mod rigid;
mod variants;

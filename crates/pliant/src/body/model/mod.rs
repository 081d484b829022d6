//! The constant part of a body: mesh, materials, masses and rest data.

pub(crate) mod coloured_batch;
pub(crate) mod contents;
pub(crate) mod error;
mod filling;
pub(crate) mod mass;
#[expect(clippy::module_inception, reason = "the model is the concept of this folder")]
pub(crate) mod model;
pub(crate) mod rigid;

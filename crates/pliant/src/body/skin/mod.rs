//! The surface of a body: vertices interpolated from nodes, and triangles on them.

mod boundary;
mod interpolation;
pub(crate) mod motion;
#[expect(clippy::module_inception, reason = "the skin is the concept of this folder")]
pub(crate) mod skin;

//! The surface of a body: vertices interpolated from nodes, and triangles on them.

mod boundary;
mod buffers;
mod interpolation;
pub(crate) mod motion;
pub(crate) mod skin;
pub(crate) mod touching;

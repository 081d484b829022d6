//! How a body starts: its first shape, its place and its motion.

pub(crate) mod initial_shape;
mod placing;

//! Simple shapes, where they are, and how far points are from them.

mod error;
mod pose;
mod shape;

pub use error::ShapeError;
pub use pose::Pose;
pub use shape::{Shape, Touch};

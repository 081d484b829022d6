//! Simple shapes, where they are, and how far points are from them; surfaces of triangles.

mod error;
mod pose;
mod shape;
mod surface;

pub use error::ShapeError;
pub use pose::Pose;
pub use shape::{Shape, Touch};
pub use surface::{Part, Surface, Texture};

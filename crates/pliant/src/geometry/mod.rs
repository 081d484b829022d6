//! Simple shapes, where they are, and how far points are from them; surfaces of triangles.

mod error;
mod mass_properties;
mod pose;
mod shape;
mod surface;
mod triangulate;

pub use error::{ShapeError, SolidError};
pub use mass_properties::MassProperties;
pub use pose::Pose;
pub use shape::{Shape, Touch};
pub use surface::{Part, Surface, Texture};

//! Simple shapes, their poses and distances to them; triangle surfaces, and trees for proximity queries.

mod aabb;
mod coarsen;
mod distance;
mod error;
mod height_field;
mod intersect;
mod mass_properties;
mod pose;
mod shape;
mod shape_features;
mod shape_ray;
mod solid_surface;
mod surface;
mod surface_features;
mod time_of_contact;
mod tree;
mod triangulate;

pub use aabb::Aabb;
pub use coarsen::{CoarseLimits, CoarseSurface};
pub use distance::{nearest_on_triangle, point_segment, point_triangle, segment_segment};
pub use error::{ShapeError, SolidError};
pub use height_field::HeightField;
pub use intersect::{ray_triangle, triangles_intersect};
pub use mass_properties::MassProperties;
pub use pose::Pose;
pub use shape::{Shape, SignedDistance};
pub use shape_features::{ShapeCorner, ShapeEdge};
pub use solid_surface::SolidSurface;
pub use surface::{Surface, SurfaceGroup, Texture};
pub use time_of_contact::{edge_edge_time, vertex_triangle_time};
pub use tree::{Tree, TreeBuilder};

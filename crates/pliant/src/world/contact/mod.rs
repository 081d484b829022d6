//! Contact between the bodies of a world.

mod find;
mod intersections;
pub(crate) mod key;
pub(crate) mod obstacle_pair;
pub(crate) mod pair;
pub(crate) mod point;
pub(crate) mod query;
pub(crate) mod sweep_buffers;
mod thickness;
pub(crate) mod tracker;
pub(crate) mod way_out;

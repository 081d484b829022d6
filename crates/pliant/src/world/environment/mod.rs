//! The surroundings of all bodies: obstacles, friction, wind, fields, and loads on skins.

mod change_obstacles;
pub(crate) mod environment;
mod fields;
pub(crate) mod obstacles;
pub(crate) mod skin_forces;
mod surroundings;

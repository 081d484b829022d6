//! The surroundings of all bodies: obstacles, friction, wind, fields, and loads on skins.

pub(crate) mod environment;
mod fields;
pub(crate) mod skin_forces;
mod surroundings;

//! The surroundings of all bodies: obstacles, friction, wind, fields, and loads on skins.

#[expect(clippy::module_inception, reason = "the environment is the concept of this folder")]
pub(crate) mod environment;
mod fields;
pub(crate) mod skin_forces;
mod surroundings;

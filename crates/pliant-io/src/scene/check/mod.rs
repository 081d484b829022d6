//! Checks a scene file and returns its meaning; everything that needs no mesh.

pub(crate) mod attachment;
pub(crate) mod body;
pub(crate) mod colour;
pub(crate) mod field;
pub(crate) mod fracture;
pub(crate) mod friction;
pub(crate) mod method;
pub(crate) mod motion;
pub(crate) mod obstacle;
pub(crate) mod output;
pub(crate) mod parse;
pub(crate) mod problems;
pub(crate) mod scene_settings;
pub(crate) mod selection;
pub(crate) mod world;

//! The problems of a scene, with their positions in the text.

pub(crate) mod fault;
pub(crate) mod nearest;
pub(crate) mod problem;
pub(crate) mod scene_error;

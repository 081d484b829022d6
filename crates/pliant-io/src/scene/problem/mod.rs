//! The problems of a scene, with their positions in the text.

pub(crate) mod fault;
pub(crate) mod nearest;
#[expect(clippy::module_inception, reason = "one problem is the concept of this folder")]
pub(crate) mod problem;
pub(crate) mod scene_error;

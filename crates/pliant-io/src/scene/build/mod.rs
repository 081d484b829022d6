//! Builds a world from a scene.

pub(crate) mod attachment;
pub(crate) mod body;
pub(crate) mod body_mesh;
pub(crate) mod built_scene;
pub(crate) mod filling;
pub(crate) mod mesher;
pub(crate) mod model;
pub(crate) mod obstacle;
pub(crate) mod point_selector;
pub(crate) mod select;
pub(crate) mod splinters;
pub(crate) mod surface;
pub(crate) mod tetrahedra;
pub(crate) mod toughness;
pub(crate) mod world;

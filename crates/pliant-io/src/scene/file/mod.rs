//! The structure of a scene file as it was typed, before any check.
//!
//! Numbers and names that can be invalid carry their position in the text, so that an error can point at them. The
//! meaning of the file is a [`Scene`](crate::scene::Scene).

pub(crate) mod attachment;
pub(crate) mod body;
pub(crate) mod field;
pub(crate) mod material;
pub(crate) mod mesh;
pub(crate) mod method;
pub(crate) mod motion;
pub(crate) mod obstacle;
pub(crate) mod scene;
pub(crate) mod selection;
pub(crate) mod shape;
pub(crate) mod splinters;
pub(crate) mod toughness;
pub(crate) mod world;

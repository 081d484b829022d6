//! Checks of the bodies of a scene.

pub(crate) mod body;
pub(crate) mod contact;
pub(crate) mod copies;
pub(crate) mod material;
pub(crate) mod mesh;
pub(crate) mod plastic;
pub(crate) mod rigid;
pub(crate) mod shape;
pub(crate) mod splinters;
pub(crate) mod start;
pub(crate) mod strength;
pub(crate) mod surface;
pub(crate) mod toughness;

//! The meaning of a scene file: checked numbers and known names, ready to build.

pub(crate) mod attachment;
pub(crate) mod body;
pub(crate) mod copies;
pub(crate) mod mesh;
pub(crate) mod method_spans;
pub(crate) mod mode;
pub(crate) mod obstacle;
pub(crate) mod output;
pub(crate) mod selection;
pub(crate) mod shape;
pub(crate) mod splinters;
pub(crate) mod surface;
pub(crate) mod toughness;

//! Reads values and tables of a scene file.

pub(crate) mod misread;
pub(crate) mod read;
pub(crate) mod shorthand;
pub(crate) mod table;
pub(crate) mod value;

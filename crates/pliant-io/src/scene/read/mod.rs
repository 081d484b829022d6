//! Reads values and tables of a scene file.

pub(crate) mod key;
pub(crate) mod read;
pub(crate) mod read_error;
pub(crate) mod shorthand;
pub(crate) mod table;
pub(crate) mod value;

//! Reads values and tables of a scene file.

pub(crate) mod misread;
#[expect(clippy::module_inception, reason = "how a type is read is the concept of this folder")]
pub(crate) mod read;
pub(crate) mod shorthand;
pub(crate) mod table;
pub(crate) mod value;

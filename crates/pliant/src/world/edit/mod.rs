//! Changes of bodies while a world runs.

pub(crate) mod commit;
pub(crate) mod error;
mod pulls;
pub(crate) mod replace;

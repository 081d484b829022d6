//! Changes of bodies while a world runs.

pub(crate) mod commit;
pub(crate) mod replace;

//! Plastic rest shapes that models store.

pub(crate) mod anneal;
pub(crate) mod flowed;

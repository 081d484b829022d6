//! Data of fracture that models and bodies store.

mod model;
pub(crate) mod splinters;
pub(crate) mod toughness_map;
pub(crate) mod whole;

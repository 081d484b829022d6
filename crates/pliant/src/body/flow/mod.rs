//! Plastic rest shapes, which states hold.

pub(crate) mod flow_state;
pub(crate) mod flowed_model;
pub(crate) mod rest_shape;

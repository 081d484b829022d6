//! Plastic rest shapes that models store.

pub(crate) mod annealed;
pub(crate) mod flowed;
mod rest_points;

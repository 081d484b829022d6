//! Adaptive degree of quadratic tetrahedra.

mod adaptive;
mod degrees;

pub use adaptive::{Adaptive, Prediction, Ties};

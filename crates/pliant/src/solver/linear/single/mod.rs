//! Corrections in single precision: the same system, with half the bytes and half the registers.

mod single_gradient;
mod single_system;
mod single_vectors;

pub(super) use single_gradient::SingleGradient;

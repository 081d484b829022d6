//! The explicit stepper, and the longest step for which it is stable.

mod stable_step;
mod symplectic_euler;

pub use stable_step::stable_step;
pub use symplectic_euler::SymplecticEuler;

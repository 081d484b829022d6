//! Soft bodies of Pliant among the rigid bodies and joints of Rapier.
//!
//! A game that moves its rigid bodies with Rapier keeps them there: Rapier finds and solves what they do to
//! each other and all joints. A rigid body that is to meet soft ones has a *proxy* in the world of Pliant, a
//! rigid body of the same mass, inertia and shape. In every step the proxies go where Rapier has the bodies,
//! Pliant steps, and what the proxies have gained of momentum, gravity aside, is handed to Rapier as an
//! impulse: whatever soft bodies lose or gain, rigid ones gain or lose, to rounding.
#![forbid(unsafe_code)]

mod convert;
mod coupling;
mod error;
mod skin;

pub use coupling::{Coupling, ProxyConfig};
pub use error::CouplingError;

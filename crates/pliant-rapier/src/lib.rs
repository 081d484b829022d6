//! Soft bodies of Pliant among the rigid bodies and joints of Rapier.
//!
//! The rigid bodies of a game stay in Rapier, which solves the contacts between them and all joints. A rigid body that
//! can touch soft bodies has a *proxy* in the world of Pliant: a rigid body with the same mass, inertia and shape. In
//! every step the proxies take the poses and velocities of their rigid bodies, Pliant steps, and the momentum that each
//! proxy gained, without the part of gravity, is applied to its rigid body in Rapier as an impulse. So momentum
//! is conserved between soft and rigid bodies, to rounding.
#![forbid(unsafe_code)]

mod convert;
mod coupling;
mod error;
mod skin;

pub use coupling::{Coupling, ProxyConfig};
pub use error::CouplingError;

//! Soft bodies of Pliant among the rigid bodies and joints of Rapier.
//!
//! The rigid bodies of a game stay in Rapier, which solves the contacts between them and all joints. A rigid body that
//! can touch soft bodies has a *proxy* in the world of Pliant: a rigid body with the same mass, inertia and shape. In every step
//!
//! 1. the proxies take the poses and velocities of their rigid bodies, and the forces that Rapier keeps putting on them: a box that carries two others
//!    is as heavy as three where it lies on a soft body;
//! 2. Pliant steps;
//! 3. the force and the torque that each proxy got from soft bodies, springs and attachments act on its rigid body during the step of Rapier, as gravity does.
//!
//! So what rests in one world rests in the other: springs and soft bodies carry weights and stacks exactly, and momentum is conserved between soft and rigid bodies,
//! to rounding.
#![forbid(unsafe_code)]

mod convert;
mod coupling;
mod error;
mod skin;

pub use coupling::{Coupling, ProxyConfig};
pub use error::CouplingError;

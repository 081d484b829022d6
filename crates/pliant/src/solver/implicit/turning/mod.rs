//! Steps in a frame that turns with the body.

mod balance;
mod momenta;
mod rigid_motion;
mod turning;
mod turning_base;
mod turning_frame;
mod turning_step;

pub(super) use rigid_motion::StartMotion;
pub(super) use turning::{FrameRule, Turning};

//! Steps in a frame that turns with the body.

mod added_turn;
mod balance;
mod continue_changes;
mod momenta;
mod past_changes;
mod rigid_motion;
mod turning;
mod turning_base;
mod turning_frame;
mod turning_step;

pub(super) use past_changes::PastChanges;
pub(super) use rigid_motion::StartMotion;
pub(super) use turning::{FrameRule, Turning};

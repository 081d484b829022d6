//! Bodies that do not deform.

mod joint_stage;
mod motion;
mod stage;
mod stepper;

pub(crate) use stepper::RigidStepper;

//! The components of a body slot: one struct with one duty in each file.

pub(crate) mod contact;
pub(crate) mod double_step;
pub(crate) mod flow;
pub(crate) mod followed_energy;
pub(crate) mod identity;
pub(crate) mod joint;
pub(crate) mod loads;
pub(crate) mod mass_only;
pub(crate) mod skin_loads;
pub(crate) mod start_state;
pub(crate) mod stepper;
pub(crate) mod stepping;

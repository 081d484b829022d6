//! Keys of contact points.

/// Two bodies and the features in contact: the same from step to step.
pub(crate) type ContactKey = [u32; 6];

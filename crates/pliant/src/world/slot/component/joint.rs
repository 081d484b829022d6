//! The role of a body in the joint solve of its island.

use crate::body::Body;

use super::mass_only::MassOnlyMember;

/// The role of a body in the joint solve of its island.
#[derive(Debug, Clone)]
pub(crate) struct JointRole {
    /// The stand-in of a body that the joint solve does not solve for.
    pub(crate) mass_only: MassOnlyMember,
    /// True if the joint solve solves for a rigid body.
    pub(crate) solves_rigid: bool,
    /// True if the joint solve of this step stopped at the iteration limit: its contact forces may be far off.
    pub(crate) cut_short: bool,
}

impl JointRole {
    pub(crate) fn new(body: &Body) -> Self {
        Self { mass_only: MassOnlyMember::new(body), solves_rigid: false, cut_short: false }
    }
}

//! The friction memory of contacts between bodies.

use glam::DVec3;

/// The friction memory of a contact between bodies, from one step to the next.
///
/// Contact with obstacles keeps its memory in another form, [`FrictionAnchor`](crate::contact::FrictionAnchor): the anchor is a
/// point of the obstacle, in its frame, and follows its motion. Here both sides deform, so the offset itself is kept and grows by the
/// change of the distance between the points. One form for both would round differently.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct FrictionMemory {
    /// The first point, relative to its anchor on the second body, along the surface, in m.
    pub offset: DVec3,
    /// Velocity of the first point relative to the second at the start of the last substep, in m/s.
    pub slip: DVec3,
    /// Unit normal out of the second body.
    pub normal: DVec3,
    /// Depth of the overlap that is ignored ([`OverlapRecovery`](crate::contact::OverlapRecovery)), in m.
    pub ignored_depth: f64,
    /// The distance at which the contact force began, in m.
    pub thickness: f64,
    /// True if the contact pushed in the last substep: the next joint solve starts with the contacts that did.
    pub pushed: bool,
}

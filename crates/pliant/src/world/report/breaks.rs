//! Breaks of a step.

use glam::DVec3;

use crate::fracture::Opening;
use crate::world::slot::handle::BodyHandle;

/// A body that broke in a step.
#[derive(Debug, Clone, PartialEq)]
pub struct Break {
    /// The body, of which the heaviest fragment is left.
    pub body: BodyHandle,
    /// The other fragments, which are bodies of their own now; empty if the body has only cracked.
    pub pieces: Vec<BodyHandle>,
    /// The points that opened, and the stress there.
    pub openings: Vec<Opening>,
    /// The fresh surface, for dust and sound.
    pub faces: Vec<FreshFace>,
}

/// A new face of a fragment.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FreshFace {
    /// The fragment.
    pub body: BodyHandle,
    /// The centre of the face, in m.
    pub point: DVec3,
    /// The velocity of the centre, in m/s.
    pub velocity: DVec3,
    /// Unit normal, out of the fragment.
    pub normal: DVec3,
    /// Its area, in m².
    pub area: f64,
}

//! Lists of continuous contact between the bodies of a world.

use crate::contact::{ContactConfig, ContinuousSurface};

/// Lists of continuous contact that keep their memory from step to step.
#[derive(Debug, Clone, Default)]
pub(crate) struct SweepBuffers {
    /// Pairs of bodies that may pass through each other in the step.
    pub(super) fast: Vec<[u32; 2]>,
    /// The body of every surface, and how it touches others.
    pub(super) touch: Vec<(u32, ContactConfig)>,
    pub(super) surfaces: SurfaceBuffer,
    /// The energy that every surface gained, in J.
    pub(super) gained: Vec<f64>,
}

/// The memory of a list of surfaces, empty between steps.
#[derive(Debug, Default)]
pub(super) struct SurfaceBuffer(pub(super) Vec<ContinuousSurface<'static>>);

impl Clone for SurfaceBuffer {
    fn clone(&self) -> Self {
        Self::default()
    }
}

/// Keeps the memory of a list whose surfaces end here.
pub(super) fn emptied(mut surfaces: Vec<ContinuousSurface<'_>>) -> Vec<ContinuousSurface<'static>> {
    surfaces.clear();
    // An iterator over a list of the same type is collected in place.
    surfaces.into_iter().map_while(|_| None).collect()
}

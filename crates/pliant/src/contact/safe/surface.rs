//! What takes part in a step that lets nothing through.

use std::sync::Arc;

use glam::DVec3;

use crate::body::Skin;
use crate::contact::Facets;

/// A surface on its way from the begin to the end of a step.
#[derive(Debug)]
pub struct SafeSurface<'a> {
    /// What of it never changes.
    pub facets: &'a Arc<Facets>,
    /// How it moves.
    pub moved: Moved<'a>,
}

/// How a surface moves.
#[derive(Debug)]
pub enum Moved<'a> {
    /// With the nodes of a body.
    Nodes {
        /// The skin whose triangles the facets are.
        skin: &'a Skin,
        /// Where nodes were at the begin, in m.
        x0: &'a [DVec3],
        /// Where they are at the end, in m; corrected.
        x1: &'a mut [DVec3],
        /// Their velocities at the end, in m/s; corrected.
        v: &'a mut [DVec3],
        /// One over their masses, in 1/kg; zero for those that are pinned.
        inverse_masses: &'a [f64],
        /// Whether they move as one rigid thing.
        rigid: bool,
    },
    /// As prescribed, whatever is in the way.
    Carried {
        /// Where vertices were at the begin, in m.
        begin: &'a [DVec3],
        /// Where they are at the end, in m.
        end: &'a [DVec3],
    },
}

impl SafeSurface<'_> {
    pub(super) fn is_carried(&self) -> bool {
        matches!(self.moved, Moved::Carried { .. })
    }
}

//! What takes part in a step that lets nothing through.

use std::sync::Arc;

use glam::DVec3;

use crate::body::{Skin, Unknowns};
use crate::contact::detect::collider::facets::Facets;

/// A surface on its way from the begin to the end of a step.
#[derive(Debug)]
pub struct ContinuousSurface<'a> {
    /// What of it never changes.
    pub facets: &'a Arc<Facets>,
    /// How it moves.
    pub motion: SurfaceMotion<'a>,
}

/// How a surface moves.
#[derive(Debug)]
pub enum SurfaceMotion<'a> {
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
        /// One over their masses, in 1/kg; zero for those that are pinned or tied.
        inverse_masses: &'a [f64],
        /// Which of them are tied to the middle of two others, if any are: those follow, and their masses are with the two.
        ties: Option<&'a Unknowns>,
        /// The part of an impulse that nodes feel on their own, from 0 to 1: the less the stiffer the material is. A free
        /// body feels the rest as a whole; what holds one that is pinned bears it.
        give: f64,
        /// Whether they move as one rigid thing.
        rigid: bool,
    },
    /// As prescribed, whatever is in the way.
    Prescribed {
        /// Where vertices were at the begin, in m.
        begin: &'a [DVec3],
        /// Where they are at the end, in m.
        end: &'a [DVec3],
    },
}

/// The nodes that a node follows, with their shares: two if it is tied, else itself.
pub(super) fn followed(ties: Option<&Unknowns>, node: u32) -> impl Iterator<Item = (u32, f64)> {
    let ends = ties.and_then(|ties| ties.ends(node));
    let (nodes, share) = ends.map_or(([node; 2], 1.0), |ends| (ends, 0.5));
    nodes.into_iter().take(if ends.is_some() { 2 } else { 1 }).map(move |node| (node, share))
}

/// Takes tied nodes along.
pub(super) fn place_tied(ties: Option<&Unknowns>, values: &mut [DVec3]) {
    if let Some(ties) = ties {
        ties.place_tied(values);
    }
}

impl ContinuousSurface<'_> {
    pub(super) fn is_prescribed(&self) -> bool {
        matches!(self.motion, SurfaceMotion::Prescribed { .. })
    }
}

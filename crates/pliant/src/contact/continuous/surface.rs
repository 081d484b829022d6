//! Surfaces of continuous contact.

use std::sync::Arc;

use glam::DVec3;

use crate::body::{Skin, Unknowns};
use crate::contact::detect::collider::facets::Facets;

/// A surface with its motion over a step.
#[derive(Debug)]
pub struct ContinuousSurface<'a> {
    /// Its constant part.
    pub facets: &'a Arc<Facets>,
    /// Its motion.
    pub motion: SurfaceMotion<'a>,
}

/// The motion of a surface.
#[derive(Debug)]
pub enum SurfaceMotion<'a> {
    /// With the nodes of a body.
    Nodes {
        /// The skin with the triangles of the facets.
        skin: &'a Skin,
        /// Positions of the nodes at the start, in m.
        x0: &'a [DVec3],
        /// Positions at the end, in m; corrected.
        x1: &'a mut [DVec3],
        /// Velocities at the start, in m/s.
        v0: &'a [DVec3],
        /// Velocities at the end, in m/s; corrected.
        v: &'a mut [DVec3],
        /// Inverse masses, in 1/kg; zero for pinned and tied nodes.
        inverse_masses: &'a [f64],
        /// Nodes tied to the middle of two others, if any: they follow these two, which have their masses.
        ties: Option<&'a Unknowns>,
        /// The part of an impulse that acts on the nodes individually, from 0 to 1: less for stiffer materials. The rest moves
        /// a free body as a whole; for a pinned body it goes into the pins.
        give: f64,
        /// True if the nodes move as one rigid body.
        rigid: bool,
    },
    /// As prescribed; contact does not change it.
    Prescribed {
        /// Positions of the vertices at the start, in m.
        begin: &'a [DVec3],
        /// Positions at the end, in m.
        end: &'a [DVec3],
    },
}

/// How surfaces meet in a step.
#[derive(Clone, Copy)]
pub struct ContinuousRules<'a> {
    /// Coulomb's coefficient of two surfaces that do not pass through each other, or of one that does not pass through itself; `None` for others.
    pub friction: &'a (dyn Fn(u32, u32) -> Option<f64> + Sync),
    /// The distance that surfaces keep, in m: much less than the length of a triangle, and much more than rounding.
    pub separation: f64,
    /// The length of the step, in s.
    pub h: f64,
    /// Gravity, in m/s².
    pub gravity: DVec3,
}

impl std::fmt::Debug for ContinuousRules<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { separation, h, .. } = self;
        f.debug_struct("ContinuousRules").field("separation", separation).field("h", h).finish()
    }
}

impl ContinuousRules<'_> {
    /// True if two surfaces do not pass through each other.
    pub(super) fn meet(&self, a: u32, b: u32) -> bool {
        (self.friction)(a, b).is_some()
    }

    /// Coulomb's coefficient of two surfaces.
    pub(super) fn friction_of(&self, [a, b]: [u32; 2]) -> f64 {
        (self.friction)(a, b).unwrap_or(0.0)
    }
}

/// The nodes that a node follows, with their weights: two for a tied node, else itself.
pub(super) fn followed(ties: Option<&Unknowns>, node: u32) -> impl Iterator<Item = (u32, f64)> {
    let ends = ties.and_then(|ties| ties.ends(node));
    let (nodes, share) = ends.map_or(([node; 2], 1.0), |ends| (ends, 0.5));
    nodes.into_iter().take(if ends.is_some() { 2 } else { 1 }).map(move |node| (node, share))
}

/// True if a node is held: it has no mass, and is not tied.
pub(super) fn is_held(inverse_masses: &[f64], ties: Option<&Unknowns>) -> bool {
    let is_tied = |node: u32| ties.is_some_and(|ties| ties.ends(node).is_some());
    (0u32..).zip(inverse_masses).any(|(node, w)| *w <= 0.0 && !is_tied(node))
}

/// Updates values of tied nodes.
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

//! What all bodies share in a step.

use std::ops::RangeInclusive;

use crate::contact::{Easing, FrictionTable, Obstacle};
use crate::force::PointForces;
use crate::solver::External;

use super::attachment::Attached;
use super::{Effort, WorldConfig};

/// The begin of a step, and what acts on everyone in it.
#[derive(Debug, Clone)]
pub(super) struct Moment<'a> {
    /// When the step begins, in s.
    pub(super) time: f64,
    /// Which of the steps of the world it is; two for who takes them at once, and then twice as long in `config`.
    pub(super) steps: RangeInclusive<u64>,
    pub(super) config: &'a WorldConfig,
    pub(super) effort: Effort,
    pub(super) obstacles: &'a [Obstacle],
    pub(super) frictions: &'a FrictionTable,
    /// How overlaps are let out.
    pub(super) easing: Easing,
    pub(super) attachments: &'a [Option<Attached>],
}

impl Moment<'_> {
    /// What acts from outside on a body with these forces on points of it.
    pub(super) fn external<'p>(&self, points: &'p PointForces) -> External<'p> {
        let WorldConfig { gravity, damping, .. } = *self.config;
        External { gravity, damping, points }
    }
}

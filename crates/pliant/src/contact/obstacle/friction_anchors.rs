//! Anchors of friction on obstacles.

use glam::DVec3;

use crate::persist::{Persist, Reader, SnapshotError, Writer};

/// A point of an obstacle at which friction holds a point of a skin.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FrictionAnchor {
    /// The obstacle, by its index in the world.
    pub obstacle: u32,
    /// The point, in the frame of the obstacle, in m.
    pub point: DVec3,
    /// Velocity relative to the obstacle at the start of the last substep, in its frame, in m/s.
    pub slip: DVec3,
    /// Depth of the overlap that is ignored ([`OverlapRecovery`](crate::contact::OverlapRecovery)), in m.
    pub ignored_depth: f64,
}

impl FrictionAnchor {
    /// Takes the next lower number if an obstacle before its own is removed.
    pub(super) fn move_up(&mut self, removed: u32) {
        self.obstacle -= u32::from(self.obstacle > removed);
    }

    pub(super) fn save(&self, to: &mut Writer) {
        let Self { obstacle, point, slip, ignored_depth } = *self;
        to.u32(obstacle);
        to.vector(point);
        to.vector(slip);
        to.f64(ignored_depth);
    }

    pub(super) fn load(from: &mut Reader<'_>) -> Result<Self, SnapshotError> {
        let (obstacle, point, slip) = (from.u32()?, from.vector()?, from.vector()?);
        Ok(Self { obstacle, point, slip, ignored_depth: from.f64()? })
    }
}

/// Obstacles that one vertex remembers: two, as at an edge between them. Further contacts are new in every substep, which
/// damps their slip but does not hold them.
const ANCHORS_PER_VERTEX: usize = 2;

/// The friction memory of one vertex in contact with obstacles.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct VertexAnchors {
    /// Its anchors, in no order.
    pub anchors: [Option<FrictionAnchor>; ANCHORS_PER_VERTEX],
    /// True for the anchors that were set in this substep.
    updated: [bool; ANCHORS_PER_VERTEX],
}

impl VertexAnchors {
    /// Removes all anchors.
    pub fn clear(&mut self) {
        *self = Self::default();
    }

    /// Forgets an obstacle that is removed; later ones move up.
    pub(super) fn forget_obstacle(&mut self, obstacle: u32) {
        for anchor in &mut self.anchors {
            *anchor = anchor.filter(|anchor| anchor.obstacle != obstacle);
            anchor.iter_mut().for_each(|anchor| anchor.move_up(obstacle));
        }
    }

    /// The anchor at an obstacle.
    pub fn anchor(&self, obstacle: u32) -> Option<&FrictionAnchor> {
        self.anchors.iter().flatten().find(|anchor| anchor.obstacle == obstacle)
    }

    /// Sets an anchor in this substep, in place of an earlier one at the same obstacle.
    pub(super) fn set(&mut self, anchor: FrictionAnchor) {
        let same =
            |slot: &Option<FrictionAnchor>| slot.is_some_and(|old| old.obstacle == anchor.obstacle);
        let place = self.anchors.iter().position(same);
        if let Some(place) = place.or_else(|| self.anchors.iter().position(Option::is_none)) {
            self.anchors[place] = Some(anchor);
            self.updated[place] = true;
        }
    }

    /// Ends a substep: removes anchors that were not set in it.
    pub(super) fn end_substep(&mut self) {
        for (anchor, updated) in self.anchors.iter_mut().zip(&mut self.updated) {
            if !std::mem::take(updated) {
                *anchor = None;
            }
        }
    }
}

/// Between substeps no anchor is marked as set, so marks are not saved.
impl Persist for VertexAnchors {
    fn save(&self, to: &mut Writer) {
        for anchor in self.anchors {
            to.flag(anchor.is_some());
            anchor.iter().for_each(|anchor| anchor.save(to));
        }
    }

    fn load(&mut self, from: &mut Reader<'_>) -> Result<(), SnapshotError> {
        self.clear();
        for slot in &mut self.anchors {
            if from.flag()? {
                *slot = Some(FrictionAnchor::load(from)?);
            }
        }
        Ok(())
    }
}

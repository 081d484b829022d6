//! Contacts between two points of skins.

use glam::DVec3;

use super::feature::Feature;

/// Two points of skins that touch, or will touch within the step.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Contact {
    /// The point of the first skin.
    pub first: Feature,
    /// The point of the second.
    pub second: Feature,
    /// Unit vector from the second to the first: motion of the first along it separates them.
    pub normal: DVec3,
    /// Distance along the normal, in m; negative where they overlap.
    pub gap: f64,
}

impl Contact {
    /// The identity of the contact from step to step. A vertex slides from triangle to triangle, so a vertex contact is named by the
    /// vertex alone; an edge contact by both edges. Keys are unique among the contacts of two skins, or of a skin with itself.
    pub fn key(&self) -> [u32; 4] {
        const NONE: u32 = u32::MAX;
        match (self.first.vertices(), self.second.vertices()) {
            ([vertex], _) => [*vertex, NONE, NONE, NONE],
            (_, [vertex]) => [NONE, NONE, *vertex, NONE],
            (first, second) => [first[0], first[1], second[0], second[1]],
        }
    }

    /// The same contact, seen from the other skin.
    #[must_use]
    pub fn turned(&self) -> Self {
        Self { first: self.second, second: self.first, normal: -self.normal, gap: self.gap }
    }
}

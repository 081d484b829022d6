//! Planes that cut.

use glam::DVec3;

/// Half a space: all points with n · x < o, and those on the plane if it keeps them.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Plane {
    /// n, of unit length, away from what is kept.
    pub(super) normal: DVec3,
    /// o, in m.
    pub(super) offset: f64,
    /// Whether what lies exactly on it is kept. Of two cells with a common side one does and the other does
    /// not, so that every vertex of a solid belongs to one of them.
    pub(super) keeps_zero: bool,
}

impl Plane {
    /// How far a point lies beyond the plane, in m.
    #[inline]
    pub(super) fn distance(&self, x: DVec3) -> f64 {
        self.normal.dot(x) - self.offset
    }

    /// Whether a point so far beyond it is cut off.
    #[inline]
    pub(super) fn drops(&self, distance: f64) -> bool {
        distance > 0.0 || (distance == 0.0 && !self.keeps_zero)
    }

    /// The same plane, seen from the other side.
    pub(super) fn opposite(&self) -> Self {
        Self { normal: -self.normal, offset: -self.offset, keeps_zero: !self.keeps_zero }
    }
}

//! Half spaces that clip.

use glam::DVec3;

/// A half space: all points with n · x < o, and the points on the plane if it keeps them.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Plane {
    /// n, the unit normal, pointing away from the kept side.
    pub(super) normal: DVec3,
    /// o, in m.
    pub(super) offset: f64,
    /// True if points exactly on the plane are kept. Of two cells with a common side one keeps them and the other does
    /// not, so that every vertex of a solid belongs to one of them.
    pub(super) keeps_zero: bool,
}

impl Plane {
    /// The signed distance of a point beyond the plane, in m.
    #[inline]
    pub(super) fn distance(&self, x: DVec3) -> f64 {
        self.normal.dot(x) - self.offset
    }

    /// True if a point at this distance is cut off.
    #[inline]
    pub(super) fn drops(&self, distance: f64) -> bool {
        distance > 0.0 || (distance == 0.0 && !self.keeps_zero)
    }

    /// The complementary half space.
    pub(super) fn opposite(&self) -> Self {
        Self { normal: -self.normal, offset: -self.offset, keeps_zero: !self.keeps_zero }
    }
}

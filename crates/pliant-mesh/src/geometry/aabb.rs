//! Axis-aligned bounding boxes.

use glam::DVec3;

/// An axis-aligned bounding box, closed: its sides belong to it.
///
/// ```
/// use glam::DVec3;
/// use pliant_mesh::geometry::Aabb;
///
/// let cube = Aabb::of([DVec3::ZERO, DVec3::ONE]);
/// assert!(cube.overlaps(&cube.inflated(0.1)) && !cube.overlaps(&Aabb::EMPTY));
/// assert_eq!(cube.distance_squared(DVec3::new(0.5, 3.0, 0.5)), 4.0);
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Aabb {
    /// Smallest coordinates, in m.
    pub low: DVec3,
    /// Largest coordinates, in m.
    pub high: DVec3,
}

impl Default for Aabb {
    fn default() -> Self {
        Self::EMPTY
    }
}

impl Aabb {
    /// The empty box: it overlaps no box, and its union with another box is that box.
    pub const EMPTY: Self = Self { low: DVec3::INFINITY, high: DVec3::NEG_INFINITY };

    /// Returns the smallest box that contains these points.
    pub fn of(points: impl IntoIterator<Item = DVec3>) -> Self {
        points.into_iter().fold(Self::EMPTY, |bounds, point| bounds.with(point))
    }

    /// Returns the smallest box that contains these points and their straight paths over `h` seconds at these
    /// velocities.
    pub fn swept<const N: usize>(x: [DVec3; N], v: [DVec3; N], h: f64) -> Self {
        x.into_iter().zip(v).fold(Self::EMPTY, |bounds, (x, v)| bounds.with(x).with(x + h * v))
    }

    /// Returns the smallest box that contains this one and a point.
    #[inline]
    #[must_use]
    pub fn with(&self, point: DVec3) -> Self {
        Self { low: self.low.min(point), high: self.high.max(point) }
    }

    /// Returns the smallest box that contains both.
    #[inline]
    #[must_use]
    pub fn union(&self, other: &Self) -> Self {
        Self { low: self.low.min(other.low), high: self.high.max(other.high) }
    }

    /// Returns the box with every side moved outward by `by`, in m.
    #[inline]
    #[must_use]
    pub fn inflated(&self, by: f64) -> Self {
        Self { low: self.low - by, high: self.high + by }
    }

    /// Returns true if the boxes have a point in common. A box with a NaN coordinate overlaps nothing.
    #[inline]
    pub fn overlaps(&self, other: &Self) -> bool {
        self.low.cmple(other.high).all() && other.low.cmple(self.high).all()
    }

    /// Returns true if the box contains a point.
    #[inline]
    pub fn contains(&self, point: DVec3) -> bool {
        self.low.cmple(point).all() && point.cmple(self.high).all()
    }

    /// Returns the centre, in m; NaN for the empty box.
    pub fn centre(&self) -> DVec3 {
        0.5 * (self.low + self.high)
    }

    /// Returns half the surface area, in m²; zero for the empty box.
    pub fn half_area(&self) -> f64 {
        let side = (self.high - self.low).max(DVec3::ZERO);
        side.x * side.y + side.y * side.z + side.z * side.x
    }

    /// Returns the squared distance of a point from the box, in m²; zero inside.
    #[inline]
    pub fn distance_squared(&self, point: DVec3) -> f64 {
        (self.low - point).max(point - self.high).max(DVec3::ZERO).length_squared()
    }

    /// Returns true if a ray from `origin` meets the box within `reach`, in units of its direction. `inverse` holds
    /// the reciprocals of the components of that direction.
    ///
    /// A ray in the plane of a side meets the box.
    #[inline]
    pub fn meets_ray(&self, origin: DVec3, inverse: DVec3, reach: f64) -> bool {
        let (a, b) = ((self.low - origin) * inverse, (self.high - origin) * inverse);
        let (mut enter, mut leave) = (0.0f64, reach);
        for axis in 0..3 {
            // Across the direction the ray is at one place, and 0 · ∞ would tell nothing.
            if inverse[axis].is_infinite() {
                if !(self.low[axis]..=self.high[axis]).contains(&origin[axis]) {
                    return false;
                }
                continue;
            }
            enter = enter.max(a[axis].min(b[axis]));
            leave = leave.min(a[axis].max(b[axis]));
        }
        // A tolerance of a few units in the last place, for flat boxes.
        enter <= leave * (1.0 + 1e-14)
    }
}

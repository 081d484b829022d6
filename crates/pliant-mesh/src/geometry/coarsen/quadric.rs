//! Sums of squared distances to planes.

use glam::{DMat3, DVec3};

/// The weighted sum of the squared distances of a point to some planes (Garland & Heckbert 1997, section 5).
///
/// ```text
/// Q(x) = Σ w (n·x − d)² = xᵀ A x − 2 b·x + c
/// ```
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Quadric {
    a: DMat3,
    b: DVec3,
    c: f64,
}

impl Quadric {
    /// Adds the plane through `point` with this unit normal.
    pub(super) fn add_plane(&mut self, point: DVec3, normal: DVec3, weight: f64) {
        let d = normal.dot(point);
        let scaled = weight * normal;
        self.a += DMat3::from_cols(scaled * normal.x, scaled * normal.y, scaled * normal.z);
        self.b += d * scaled;
        self.c += weight * d * d;
    }

    /// The sum of two.
    pub(super) fn plus(&self, other: &Self) -> Self {
        Self { a: self.a + other.a, b: self.b + other.b, c: self.c + other.c }
    }

    /// Its value at a point; never negative.
    pub(super) fn at(&self, x: DVec3) -> f64 {
        (x.dot(self.a * x) - 2.0 * self.b.dot(x) + self.c).max(0.0)
    }
}

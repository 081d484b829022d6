//! Solids described by signed distances, and their combinations.

use std::fmt;
use std::sync::Arc;

use glam::{DMat3, DVec3};

/// A solid as a function: negative inside, positive outside, and close to the distance in m near the surface.
///
/// Away from the surface the value may be less than the true distance, for example for smooth unions and ellipsoids;
/// only the zero set matters.
///
/// ```
/// use glam::DVec3;
/// use pliant_mesher::gallery::Solid;
///
/// let dumbbell = Solid::sphere(DVec3::X, 0.5)
///     .union(Solid::sphere(DVec3::NEG_X, 0.5))
///     .union(Solid::capsule(DVec3::NEG_X, DVec3::X, 0.2));
/// assert!((dumbbell.distance(DVec3::Y) - 0.8).abs() < 1e-12);
/// ```
#[derive(Clone)]
pub struct Solid {
    distance: Arc<dyn Fn(DVec3) -> f64 + Send + Sync>,
    low: DVec3,
    high: DVec3,
}

impl fmt::Debug for Solid {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Solid").field("low", &self.low).field("high", &self.high).finish()
    }
}

/// Queries of a solid.
impl Solid {
    /// Makes a solid from any function that is positive outside the box from `low` to `high`.
    pub fn new(
        low: DVec3,
        high: DVec3,
        distance: impl Fn(DVec3) -> f64 + Send + Sync + 'static,
    ) -> Self {
        Self { distance: Arc::new(distance), low, high }
    }

    /// Returns the signed distance of a point, in m.
    #[inline]
    pub fn distance(&self, x: DVec3) -> f64 {
        (self.distance)(x)
    }

    /// Returns the corners of a box that contains the solid.
    pub fn bounds(&self) -> (DVec3, DVec3) {
        (self.low, self.high)
    }

    /// Returns the value and the gradient of the distance, by differences at the corners of a tiny tetrahedron.
    ///
    /// The corners are at x + h eₖ, where Σ eₖ = 0 and Σ eₖ eₖᵀ = 4 I. The mean of the values is d(x), and the gradient
    /// is Σ d(x + h eₖ) eₖ / (4 h), both up to terms of order h². Derived here.
    pub fn slope(&self, x: DVec3) -> (f64, DVec3) {
        const STEP: f64 = 1e-5;
        const CORNERS: [DVec3; 4] = [
            DVec3::new(1.0, 1.0, 1.0),
            DVec3::new(1.0, -1.0, -1.0),
            DVec3::new(-1.0, 1.0, -1.0),
            DVec3::new(-1.0, -1.0, 1.0),
        ];
        let values = CORNERS.map(|corner| self.distance(x + corner * STEP));
        let gradient: DVec3 = CORNERS.iter().zip(values).map(|(corner, v)| *corner * v).sum();
        (values.iter().sum::<f64>() / 4.0, gradient / (4.0 * STEP))
    }

    /// Returns the unit normal of the surface through `x`; up where the gradient is zero.
    pub fn normal(&self, x: DVec3) -> DVec3 {
        self.slope(x).1.normalize_or(DVec3::Y)
    }

    /// Returns the nearest point of the surface, by Newton's method along the gradient.
    ///
    /// No step is longer than `reach`, in m: where the gradient vanishes the point stays close.
    pub fn projected(&self, mut x: DVec3, reach: f64) -> DVec3 {
        for _ in 0..6 {
            let (value, slope) = self.slope(x);
            x -= (slope * (value / slope.length_squared().max(1e-6))).clamp_length_max(reach);
            if value.abs() < 1e-7 {
                break;
            }
        }
        x
    }

    /// The distance to the box around the solid; 0 inside.
    fn distance_from_bounds(&self, x: DVec3) -> f64 {
        (self.low - x).max(x - self.high).max(DVec3::ZERO).length()
    }
}

/// Combinations of solids.
impl Solid {
    /// The union of both solids.
    pub fn union(self, other: Self) -> Self {
        self.smooth_union(other, 0.0)
    }

    /// The union of both solids, with the crease between them filled.
    ///
    /// ```text
    /// min(a, b) − h²/(4 k)        h = max(k − |a − b|, 0)
    /// ```
    ///
    /// with k = `blend`: nothing changes where the distances (m) differ by more than that.
    pub fn smooth_union(self, other: Self, blend: f64) -> Self {
        let margin = DVec3::splat(blend / 4.0);
        let (low, high) = (self.low.min(other.low) - margin, self.high.max(other.high) + margin);
        Self::new(low, high, move |x| {
            let near = self.distance(x);
            // A solid that is much farther need not be evaluated; the factor 2 allows for values below the true
            // distance.
            if other.distance_from_bounds(x) > 2.0 * (near.max(0.0) + blend) {
                return near;
            }
            smooth_min(near, other.distance(x), blend)
        })
    }

    /// The intersection of both solids, with the edge between them rounded.
    pub fn smooth_intersection(self, other: Self, blend: f64) -> Self {
        let low = self.low.max(other.low);
        let high = self.high.min(other.high).max(low);
        let (a, b) = (self.distance, other.distance);
        Self::new(low, high, move |x| -smooth_min(-a(x), -b(x), blend))
    }

    /// The first solid without the other, with the edge between them rounded.
    pub fn smooth_difference(self, other: Self, blend: f64) -> Self {
        let (a, b) = (self.distance, other.distance);
        Self::new(self.low, self.high, move |x| -smooth_min(-a(x), b(x), blend))
    }

    /// The solid's half with x > 0, and its mirror image for x < 0.
    pub fn mirrored(self) -> Self {
        let reach = self.high.x.max(0.0);
        let low = self.low.with_x(-reach);
        let high = self.high.with_x(reach);
        let inner = self.distance;
        Self::new(low, high, move |x| inner(x.with_x(x.x.abs())))
    }

    /// The solid, translated.
    pub fn moved(self, by: DVec3) -> Self {
        let inner = self.distance;
        Self::new(self.low + by, self.high + by, move |x| inner(x - by))
    }

    /// The solid, rotated about the origin: the columns of `turn` are its new axes.
    pub fn turned(self, turn: DMat3) -> Self {
        let (middle, half) = ((self.low + self.high) / 2.0, (self.high - self.low) / 2.0);
        let reach =
            turn.x_axis.abs() * half.x + turn.y_axis.abs() * half.y + turn.z_axis.abs() * half.z;
        let middle = turn * middle;
        let (inner, back) = (self.distance, turn.transpose());
        Self::new(middle - reach, middle + reach, move |x| inner(back * x))
    }
}

/// The smaller of two numbers, smoothed where they are nearly equal.
pub(super) fn smooth_min(a: f64, b: f64, blend: f64) -> f64 {
    if blend <= 0.0 {
        return a.min(b);
    }
    let h = (blend - (a - b).abs()).max(0.0);
    a.min(b) - h * h / (4.0 * blend)
}

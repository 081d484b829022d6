//! Primitive solids.

use glam::{DVec2, DVec3};

use super::solid::Solid;

/// Primitive solids.
impl Solid {
    /// A ball.
    pub fn sphere(centre: DVec3, radius: f64) -> Self {
        let reach = DVec3::splat(radius);
        Self::new(centre - reach, centre + reach, move |x| x.distance(centre) - radius)
    }

    /// An ellipsoid with its axes along x, y and z.
    ///
    /// ```text
    /// d ≈ k (k − 1) / ‖p/r²‖        k = ‖p/r‖
    /// ```
    ///
    /// is exact on the surface with its first derivative, and has the right sign everywhere.
    pub fn ellipsoid(centre: DVec3, radii: DVec3) -> Self {
        Self::new(centre - radii, centre + radii, move |x| {
            let p = (x - centre) / radii;
            let (k, slope) = (p.length(), (p / radii).length());
            if slope < 1e-12 { -radii.min_element() } else { k * (k - 1.0) / slope }
        })
    }

    /// All points within `radius` of a segment.
    pub fn capsule(a: DVec3, b: DVec3, radius: f64) -> Self {
        Self::rounded_cone(a, radius, b, radius)
    }

    /// The volume swept by a ball that moves straight from `a` to `b` while its radius changes.
    ///
    /// ```text
    /// d = min over t in [0, l] of ‖p − a − t u‖ − r(t)        r(t) = r_a − s t
    /// ```
    ///
    /// with l = ‖b − a‖, u the unit axis and s = (r_a − r_b)/l. With p at height y along the axis and at distance x
    /// from it, the minimum lies at t = y − x s/√(1 − s²), clamped: the function is convex in t. Derived here.
    pub fn rounded_cone(a: DVec3, radius_a: f64, b: DVec3, radius_b: f64) -> Self {
        let length = a.distance(b).max(1e-9);
        let axis = (b - a) / length;
        let s = ((radius_a - radius_b) / length).clamp(-0.999, 0.999);
        let lean = s / (1.0 - s * s).sqrt();
        let (reach_a, reach_b) = (DVec3::splat(radius_a), DVec3::splat(radius_b));
        let low = (a - reach_a).min(b - reach_b);
        let high = (a + reach_a).max(b + reach_b);
        Self::new(low, high, move |p| {
            let y = (p - a).dot(axis);
            let x = (p - a - axis * y).length();
            let t = (y - x * lean).clamp(0.0, length);
            x.hypot(y - t) - (radius_a - s * t)
        })
    }

    /// Rounded cones end to end, one for each pair of successive beads.
    pub fn chain(beads: &[(DVec3, f64)], blend: f64) -> Self {
        let link =
            |pair: &[(DVec3, f64)]| Self::rounded_cone(pair[0].0, pair[0].1, pair[1].0, pair[1].1);
        let links = beads.windows(2).map(link);
        links.reduce(|a, b| a.smooth_union(b, blend)).unwrap_or_else(Self::nothing)
    }

    /// A box with edges rounded by `rounding`; the half sizes include the rounding.
    pub fn cuboid(centre: DVec3, half: DVec3, rounding: f64) -> Self {
        Self::new(centre - half, centre + half, move |x| {
            let q = (x - centre).abs() - (half - DVec3::splat(rounding));
            q.max(DVec3::ZERO).length() + q.max_element().min(0.0) - rounding
        })
    }

    /// A ring around an axis through `centre`.
    pub fn torus(centre: DVec3, axis: DVec3, ring: f64, tube: f64) -> Self {
        let axis = axis.normalize_or(DVec3::Y);
        let reach = DVec3::splat(ring + tube);
        Self::new(centre - reach, centre + reach, move |x| {
            let y = (x - centre).dot(axis);
            let away = (x - centre - axis * y).length();
            (away - ring).hypot(y) - tube
        })
    }

    /// A profile in the x-y plane, extruded to a thickness of `2 half` along z, with rounded edges.
    ///
    /// `profile` is the signed distance in the plane, positive beyond `reach` from the origin.
    pub fn extrusion(
        profile: impl Fn(DVec2) -> f64 + Send + Sync + 'static,
        reach: f64,
        half: f64,
        rounding: f64,
    ) -> Self {
        let size = DVec3::new(reach, reach, half);
        Self::new(-size, size, move |x| {
            let flat = DVec2::new(profile(x.truncate()), x.z.abs() - half) + rounding;
            flat.max(DVec2::ZERO).length() + flat.max_element().min(0.0) - rounding
        })
    }

    /// A solid of revolution: a profile in the radius-height half plane around the y axis.
    ///
    /// `profile` takes (distance from the axis, y); `reach` and `heights` bound it.
    pub fn turned_profile(
        profile: impl Fn(DVec2) -> f64 + Send + Sync + 'static,
        reach: f64,
        heights: [f64; 2],
    ) -> Self {
        let low = DVec3::new(-reach, heights[0], -reach);
        let high = DVec3::new(reach, heights[1], reach);
        Self::new(low, high, move |x| profile(DVec2::new(x.x.hypot(x.z), x.y)))
    }

    /// An empty solid.
    pub fn nothing() -> Self {
        Self::new(DVec3::ZERO, DVec3::ZERO, |_| f64::MAX)
    }
}

/// The signed distance to a polygon in the plane, in either orientation.
pub(super) fn polygon(corners: &[DVec2], x: DVec2) -> f64 {
    let mut nearest = f64::MAX;
    let mut inside = false;
    for (k, a) in corners.iter().enumerate() {
        let b = corners[(k + 1) % corners.len()];
        let edge = b - *a;
        let t = ((x - *a).dot(edge) / edge.length_squared()).clamp(0.0, 1.0);
        nearest = nearest.min(x.distance_squared(*a + edge * t));
        if (a.y > x.y) != (b.y > x.y) && x.x < a.x + (x.y - a.y) / edge.y * edge.x {
            inside = !inside;
        }
    }
    nearest.sqrt() * if inside { -1.0 } else { 1.0 }
}

/// The signed distance to a rectangle in the plane around the origin.
pub(super) fn rectangle(half: DVec2, x: DVec2) -> f64 {
    let q = x.abs() - half;
    q.max(DVec2::ZERO).length() + q.max_element().min(0.0)
}

//! Queries of a surface: rays and nearest points.

use glam::DVec3;

use pliant_mesh::geometry::{point_triangle, ray_triangle};

use super::collider::collider::Collider;
use super::feature::Feature;

/// A point of a surface, as the result of a query.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SkinPoint {
    /// Its triangle, as numbered in the skin.
    pub triangle: u32,
    /// Its vertices and barycentric coordinates.
    pub feature: Feature,
    /// Its position, in m.
    pub point: DVec3,
    /// Unit vector out of the surface.
    pub normal: DVec3,
    /// Distance from the origin of the query, in m; the result of a nearest-point query is negative if the query point is inside.
    pub distance: f64,
}

impl Collider {
    /// The first intersection with a ray, from either side, no farther than `reach`, in m. It uses the present positions of the
    /// vertices, and the tree must have been refitted to them.
    ///
    /// ```
    /// use std::sync::Arc;
    /// use glam::DVec3;
    /// use pliant::internals::{Collider, Facets};
    ///
    /// let corners = vec![DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::Z];
    /// let sides = [[0, 2, 1], [0, 1, 3], [1, 2, 3], [0, 3, 2]];
    /// let solid = Collider::new(Arc::new(Facets::new(corners, &sides)?));
    /// let hit = solid.ray(DVec3::new(0.2, 0.2, -3.0), 5.0 * DVec3::Z, 10.0).expect("it is in the way");
    /// assert_eq!((hit.triangle, hit.distance, hit.normal), (0, 3.0, -DVec3::Z));
    /// assert!((solid.nearest(DVec3::new(0.2, 0.2, 0.05), 1.0).expect("near").distance + 0.05).abs() < 1e-15);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn ray(&self, origin: DVec3, direction: DVec3, reach: f64) -> Option<SkinPoint> {
        let direction = direction.try_normalize()?;
        let mut found = None;
        self.tree().along_ray(origin, direction, reach, |triangle, reach| {
            let hit = ray_triangle(origin, direction, self.corners(triangle));
            let Some((distance, weights)) = hit.filter(|(distance, _)| *distance <= reach) else {
                return reach;
            };
            found = Some((triangle, weights, distance));
            distance
        });
        let (triangle, weights, distance) = found?;
        let normal = self.triangle_normal(triangle);
        Some(self.skin_point(triangle, weights, normal, distance))
    }

    /// The point of the surface that is nearest to `point`, no farther than `reach`, in m; conditions as for [`Collider::ray`]. On an
    /// open border, where inside and outside are not defined, the distance is positive.
    pub fn nearest(&self, point: DVec3, reach: f64) -> Option<SkinPoint> {
        let squared = |triangle: u32| point_triangle(point, self.corners(triangle)).1;
        let (triangle, squared) = self.tree().nearest(point, reach * reach, squared)?;
        let (weights, _) = point_triangle(point, self.corners(triangle));
        let known = self.facets().normal_at(self.x(), triangle, weights);
        let normal = known.unwrap_or_else(|| self.triangle_normal(triangle));
        let place = self.skin_point(triangle, weights, normal, squared.sqrt());
        let inside = known.is_some() && normal.dot(point - place.point) < 0.0;
        Some(if inside { SkinPoint { distance: -place.distance, ..place } } else { place })
    }

    fn skin_point(
        &self,
        triangle: u32,
        weights: [f64; 3],
        normal: DVec3,
        distance: f64,
    ) -> SkinPoint {
        let feature = Feature::triangle(self.facets().triangles()[triangle as usize], weights);
        let (point, triangle) = (feature.blend(self.x()), self.facets().number(triangle));
        SkinPoint { triangle, feature, point, normal, distance }
    }
}

/// The first of several surfaces along a ray: its index and the intersection. The first of equal distances wins.
pub fn first_along_ray<'a>(
    colliders: impl IntoIterator<Item = &'a Collider>,
    origin: DVec3,
    direction: DVec3,
    reach: f64,
) -> Option<(usize, SkinPoint)> {
    let mut found: Option<(usize, SkinPoint)> = None;
    for (number, collider) in colliders.into_iter().enumerate() {
        let left = found.map_or(reach, |(_, place)| place.distance);
        let hit = collider.ray(origin, direction, left);
        let nearer = hit.filter(|place| found.is_none() || place.distance < left);
        found = nearer.map(|place| (number, place)).or(found);
    }
    found
}

/// The nearest of several surfaces to a point: its index and the nearest point. If the point is inside of several, the surface
/// in which it is deepest.
pub fn nearest_of<'a>(
    colliders: impl IntoIterator<Item = &'a Collider>,
    point: DVec3,
    reach: f64,
) -> Option<(usize, SkinPoint)> {
    let numbered = colliders.into_iter().enumerate();
    let places = numbered.filter_map(|(k, collider)| Some((k, collider.nearest(point, reach)?)));
    places.min_by(|(_, a), (_, b)| a.distance.total_cmp(&b.distance))
}

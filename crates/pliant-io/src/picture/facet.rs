//! Triangles prepared for drawing.

use glam::Vec3;

use super::camera::{Camera, Projected};
use super::normals::corner_normals;
use super::{Colour, Paint, SurfaceView};

/// A triangle in the camera's coordinates, with its normals and colours.
#[derive(Debug, Clone)]
pub(crate) struct Facet {
    pub(crate) points: [Vec3; 3],
    pub(crate) screen: [Projected; 3],
    normals: [Vec3; 3],
    colours: [Colour; 3],
}

/// A point of a facet, ready for lighting.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ShadingPoint {
    pub(crate) point: Vec3,
    pub(crate) normal: Vec3,
    pub(crate) colour: Colour,
}

/// Maximum distance of similar shading points, in radii, and the cosine of the maximum angle of their normals, about 14°.
const SIMILAR_DISTANCE: f32 = 0.03;
const SIMILAR_COSINE: f32 = 0.97;

/// Returns the drawable facets of a surface.
pub(crate) fn facets(camera: &Camera, view: &SurfaceView<'_>) -> Vec<Facet> {
    let points: Vec<Vec3> = view.vertices.iter().map(|vertex| camera.unit(*vertex)).collect();
    let screen: Vec<_> = points.iter().map(|point| camera.project(*point)).collect();
    let normals = corner_normals(&points, view.triangles);
    let facet = |(triangle, normals): (&[u32; 3], &[Vec3; 3])| {
        let [a, b, c] = triangle.map(|vertex| vertex as usize);
        let projected = |vertex: usize| screen.get(vertex).copied().flatten();
        Some(Facet {
            screen: [projected(a)?, projected(b)?, projected(c)?],
            points: [points[a], points[b], points[c]],
            normals: toward_eye(camera, points[a], *normals),
            colours: [a, b, c].map(|vertex| colour(&view.paint, vertex)),
        })
    };
    view.triangles.iter().zip(&normals).filter_map(facet).collect()
}

/// Turns the normals to the visible side. All three turn by the orientation of the whole facet, because near a
/// silhouette single normals correctly point away.
fn toward_eye(camera: &Camera, point: Vec3, normals: [Vec3; 3]) -> [Vec3; 3] {
    let mean: Vec3 = normals.iter().sum();
    let away = mean.dot(camera.eye() - point) < 0.0;
    normals.map(|normal| if away { -normal } else { normal })
}

fn colour(paint: &Paint<'_>, vertex: usize) -> Colour {
    match paint {
        Paint::Plain(colour) => *colour,
        Paint::PerVertex(colours) => {
            colours.get(vertex).copied().unwrap_or(Colour::new(0.3, 0.3, 0.3))
        }
    }
}

impl ShadingPoint {
    /// Returns true if two shading points are so similar that one lighting suffices for both.
    #[inline]
    pub(crate) fn is_similar(&self, other: &Self) -> bool {
        let apart = self.point.distance_squared(other.point);
        apart < SIMILAR_DISTANCE * SIMILAR_DISTANCE
            && self.normal.dot(other.normal) > SIMILAR_COSINE
    }

    /// Returns the weighted mean of two shading points.
    #[inline]
    pub(crate) fn blend(&self, other: &Self, weight: f32, other_weight: f32) -> Self {
        let t = other_weight / (weight + other_weight);
        Self {
            point: self.point.lerp(other.point, t),
            normal: self.normal.lerp(other.normal, t).normalize_or_zero(),
            colour: self.colour.mix(other.colour, t),
        }
    }
}

impl Facet {
    /// Returns the point of the facet visible at a position of the picture; for a position just outside, the nearest
    /// point inside.
    pub(crate) fn shading_point(&self, x: f32, y: f32) -> ShadingPoint {
        let [a, b, c] = &self.screen;
        let across = |p: &Projected, q: &Projected| (p.x - x) * (q.y - y) - (p.y - y) * (q.x - x);
        let signed = [across(b, c), across(c, a), across(a, b)];
        let orientation = (signed[0] + signed[1] + signed[2]).signum();
        // Barycentric coordinates on the picture; multiplied by nearness they become those on the facet.
        let seen = |k: usize| (signed[k] * orientation).max(0.0) * self.screen[k].nearness;
        let [a, b, c] = [seen(0), seen(1), seen(2)];
        let sum = a + b + c;
        let [a, b, c] = if sum > 0.0 { [a / sum, b / sum, c / sum] } else { [1.0 / 3.0; 3] };
        let mix = |[p, q, r]: [Vec3; 3]| p * a + q * b + r * c;
        let [p, q, r] = self.colours;
        ShadingPoint {
            point: mix(self.points),
            normal: mix(self.normals).normalize_or_zero(),
            colour: p * a + q * b + r * c,
        }
    }
}

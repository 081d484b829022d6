//! Triangles made ready for drawing.

use glam::Vec3;

use super::camera::{Camera, Projected};
use super::normals::corner_normals;
use super::{Colour, Paint, SurfaceView};

/// A triangle in the camera's coordinates, with all that its colour depends on.
#[derive(Debug, Clone)]
pub(crate) struct Facet {
    pub(crate) points: [Vec3; 3],
    pub(crate) screen: [Projected; 3],
    normals: [Vec3; 3],
    colours: [Colour; 3],
}

/// A point of a facet, ready to be lit.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Spot {
    pub(crate) point: Vec3,
    pub(crate) normal: Vec3,
    pub(crate) colour: Colour,
}

/// Spots within this distance, in radii, and with normals within about 14° are alike.
const ALIKE_DISTANCE: f32 = 0.03;
const ALIKE_COSINE: f32 = 0.97;

/// The facets of a surface that can be drawn.
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

/// The normals of the side that is seen: all three are turned by the orientation of the whole
/// facet, since near a silhouette single ones may point away and should.
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

impl Spot {
    /// Whether two spots are so much alike that one lighting does for both.
    #[inline]
    pub(crate) fn is_like(&self, other: &Self) -> bool {
        let apart = self.point.distance_squared(other.point);
        apart < ALIKE_DISTANCE * ALIKE_DISTANCE && self.normal.dot(other.normal) > ALIKE_COSINE
    }

    /// The mean of two spots of these weights.
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
    /// The point of the facet seen at a place of the picture; just outside, the nearest inside.
    pub(crate) fn spot(&self, x: f32, y: f32) -> Spot {
        let [a, b, c] = &self.screen;
        let across = |p: &Projected, q: &Projected| (p.x - x) * (q.y - y) - (p.y - y) * (q.x - x);
        let signed = [across(b, c), across(c, a), across(a, b)];
        let orientation = (signed[0] + signed[1] + signed[2]).signum();
        // Barycentric on the picture; times nearness they are so on the facet.
        let seen = |k: usize| (signed[k] * orientation).max(0.0) * self.screen[k].nearness;
        let [a, b, c] = [seen(0), seen(1), seen(2)];
        let sum = a + b + c;
        let [a, b, c] = if sum > 0.0 { [a / sum, b / sum, c / sum] } else { [1.0 / 3.0; 3] };
        let mix = |[p, q, r]: [Vec3; 3]| p * a + q * b + r * c;
        let [p, q, r] = self.colours;
        Spot {
            point: mix(self.points),
            normal: mix(self.normals).normalize_or_zero(),
            colour: p * a + q * b + r * c,
        }
    }
}

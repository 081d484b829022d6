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

impl Facet {
    /// The point of the facet seen at a place of the picture; just outside, the nearest inside.
    pub(crate) fn spot(&self, x: f32, y: f32) -> Spot {
        let [a, b, c] = &self.screen;
        let across = |p: &Projected, q: &Projected| (p.x - x) * (q.y - y) - (p.y - y) * (q.x - x);
        let signed = [across(b, c), across(c, a), across(a, b)];
        let orientation = signed.iter().sum::<f32>().signum();
        // Barycentric on the picture; times nearness they are so on the facet.
        let seen: [f32; 3] =
            std::array::from_fn(|k| (signed[k] * orientation).max(0.0) * self.screen[k].nearness);
        let sum: f32 = seen.iter().sum();
        let weights = if sum > 0.0 { seen.map(|w| w / sum) } else { [1.0 / 3.0; 3] };
        let mix = |values: &[Vec3; 3]| (0..3).map(|k| values[k] * weights[k]).sum::<Vec3>();
        let [r, s, t] = self.colours;
        Spot {
            point: mix(&self.points),
            normal: mix(&self.normals).normalize_or_zero(),
            colour: r * weights[0] + s * weights[1] + t * weights[2],
        }
    }
}

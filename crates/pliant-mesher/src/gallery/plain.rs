//! Simple shapes: ball, ring, box.

use std::collections::BTreeMap;

use glam::DVec3;
use pliant::geometry::Surface;

use super::figure_shape::{FigureShape, TextureProjection};
use super::solid::Solid;

/// A ball of 0.5 m radius.
pub(super) fn ball() -> FigureShape {
    FigureShape::closed(
        Solid::sphere(DVec3::new(0.0, 0.5, 0.0), 0.5),
        0.1,
        TextureProjection::Around,
    )
}

/// A ring of 0.8 m across lying on the ground.
pub(super) fn torus() -> FigureShape {
    let centre = DVec3::new(0.0, 0.1, 0.0);
    FigureShape::closed(Solid::torus(centre, DVec3::Y, 0.3, 0.1), 0.05, TextureProjection::Top)
}

/// Half sizes of the box, in m.
const HALF: DVec3 = DVec3::new(0.4, 0.2, 0.3);

/// A box with sharp edges: a grid on each face, with its own normal.
pub(super) fn block(edge: f64) -> Surface {
    let counts = (2.0 * HALF / edge).ceil().to_array().map(|count| (count as i64).max(1));
    let mut grid =
        Grid { counts, ids: BTreeMap::new(), surface: Surface::default(), normals: vec![] };
    for (axis, count) in counts.into_iter().enumerate() {
        grid.face(axis, 0);
        grid.face(axis, count);
    }
    let Grid { mut surface, normals, .. } = grid;
    surface.normals = Some(normals);
    surface.texcoords = Some(TextureProjection::Front.texcoords(&surface));
    surface
}

struct Grid {
    counts: [i64; 3],
    ids: BTreeMap<[i64; 3], u32>,
    surface: Surface,
    normals: Vec<[DVec3; 3]>,
}

impl Grid {
    /// Adds the face across `axis` at one end of the box.
    fn face(&mut self, axis: usize, end: i64) {
        let (u, v) = ((axis + 1) % 3, (axis + 2) % 3);
        let normal = DVec3::AXES[axis] * if end == 0 { -1.0 } else { 1.0 };
        for i in 0..self.counts[u] {
            for j in 0..self.counts[v] {
                let [a, b, c, d] = [[0, 0], [1, 0], [1, 1], [0, 1]].map(|[di, dj]| {
                    let mut place = [end; 3];
                    (place[u], place[v]) = (i + di, j + dj);
                    self.vertex(place)
                });
                let pair = if end == 0 { [[a, c, b], [a, d, c]] } else { [[a, b, c], [a, c, d]] };
                self.surface.triangles.extend(pair);
                self.normals.extend([[normal; 3]; 2]);
            }
        }
    }

    fn vertex(&mut self, place: [i64; 3]) -> u32 {
        let Self { counts, ids, surface, .. } = self;
        *ids.entry(place).or_insert_with(|| {
            let part = DVec3::from_array([0, 1, 2].map(|k| place[k] as f64 / counts[k] as f64));
            surface.vertices.push((2.0 * part - 1.0) * HALF + DVec3::Y * HALF.y);
            surface.vertices.len() as u32 - 1
        })
    }
}

//! Open surfaces: the part of a surface inside an outline.

use std::collections::HashMap;

use glam::DVec3;
use pliant::geometry::Surface;

use super::solid::Solid;

/// Vertices closer to the outline than this many edge lengths are moved onto it.
const SNAP_DISTANCE: f64 = 0.35;

/// The part of a surface of `sheet` inside `outline`, with a smooth border.
pub(super) fn cut(surface: Surface, sheet: &Solid, outline: &Solid, edge: f64) -> Surface {
    let mut cut = Cut::new(surface, sheet, outline, edge);
    for triangle in std::mem::take(&mut cut.surface.triangles) {
        cut.triangle(triangle);
    }
    used(cut.surface, &cut.kept)
}

struct Cut<'a> {
    sheet: &'a Solid,
    outline: &'a Solid,
    edge: f64,
    surface: Surface,
    /// The distances of the vertices to the outline; 0 for those on it.
    values: Vec<f64>,
    /// New vertices by the edge they split. Only looked up, never iterated, so that order does not matter.
    splits: HashMap<(u32, u32), u32>,
    kept: Vec<[u32; 3]>,
}

impl<'a> Cut<'a> {
    fn new(mut surface: Surface, sheet: &'a Solid, outline: &'a Solid, edge: f64) -> Self {
        let mut values: Vec<f64> = surface.vertices.iter().map(|x| outline.distance(*x)).collect();
        for (x, value) in surface.vertices.iter_mut().zip(&mut values) {
            if value.abs() < SNAP_DISTANCE * edge {
                *x = onto_both(sheet, outline, *x, edge);
                *value = 0.0;
            }
        }
        let (splits, kept) = (HashMap::new(), Vec::new());
        Self { sheet, outline, edge, surface, values, splits, kept }
    }

    fn triangle(&mut self, triangle: [u32; 3]) {
        let values = triangle.map(|vertex| self.values[vertex as usize]);
        let mut polygon = Vec::with_capacity(4);
        for k in 0..3 {
            let next = (k + 1) % 3;
            if values[k] <= 0.0 {
                polygon.push(triangle[k]);
            }
            if values[k] * values[next] < 0.0 {
                polygon.push(self.split(triangle[k], triangle[next]));
            }
        }
        let inside = values.iter().any(|value| *value < 0.0) || self.middle_inside(triangle);
        if inside && polygon.len() >= 3 {
            let fan = (1..polygon.len() - 1).map(|k| [polygon[0], polygon[k], polygon[k + 1]]);
            self.kept.extend(fan);
        }
    }

    fn middle_inside(&self, triangle: [u32; 3]) -> bool {
        let corners = triangle.map(|vertex| self.surface.vertices[vertex as usize]);
        self.outline.distance(corners.iter().sum::<DVec3>() / 3.0) < 0.0
    }

    fn split(&mut self, a: u32, b: u32) -> u32 {
        let (a, b) = (a.min(b), a.max(b));
        if let Some(vertex) = self.splits.get(&(a, b)) {
            return *vertex;
        }
        let [x, y] = [a, b].map(|vertex| self.surface.vertices[vertex as usize]);
        let [at_x, at_y] = [a, b].map(|vertex| self.values[vertex as usize]);
        let start = x.lerp(y, at_x / (at_x - at_y));
        let vertex = self.surface.vertices.len() as u32;
        self.surface.vertices.push(onto_both(self.sheet, self.outline, start, self.edge / 4.0));
        self.values.push(0.0);
        self.splits.insert((a, b), vertex);
        vertex
    }
}

/// A point on both the outline and the sheet, near `x`.
fn onto_both(sheet: &Solid, outline: &Solid, mut x: DVec3, edge: f64) -> DVec3 {
    for _ in 0..4 {
        x = outline.projected(x, edge / 4.0);
        x = sheet.projected(x, edge / 4.0);
    }
    x
}

/// The triangles with only the vertices they use.
fn used(surface: Surface, triangles: &[[u32; 3]]) -> Surface {
    let mut new = vec![u32::MAX; surface.vertices.len()];
    let mut result = Surface::default();
    for triangle in triangles {
        result.triangles.push(triangle.map(|vertex| {
            let index = &mut new[vertex as usize];
            if *index == u32::MAX {
                *index = result.vertices.len() as u32;
                result.vertices.push(surface.vertices[vertex as usize]);
            }
            *index
        }));
    }
    result
}

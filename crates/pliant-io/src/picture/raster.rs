//! Which samples of a grid lie inside a triangle, exactly.

use std::ops::RangeInclusive;

/// A grid of samples at half-integer coordinates.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Grid {
    pub(crate) width: usize,
    pub(crate) height: usize,
}

/// Corners are rounded to this part of a sample, and everything after is whole numbers, so that
/// two triangles with a common edge leave no hole between them.
const FRACTION: f32 = 64.0;

/// Triangles with a corner farther out than this, in samples, are not drawn: their edge functions
/// would no longer fit.
const FARTHEST: f32 = 1e6;

/// Calls `each(index, [b₀, b₁, b₂])` with the barycentric coordinates of every sample inside the
/// triangle or on its edge.
pub(crate) fn fill(grid: Grid, corners: [[f32; 2]; 3], mut each: impl FnMut(usize, [f32; 3])) {
    if corners.iter().flatten().any(|c| c.is_nan() || c.abs() > FARTHEST) {
        return;
    }
    let Some(edges) = Edges::new(corners.map(|corner| corner.map(fixed))) else { return };
    let Some(columns) = span(corners.map(|c| c[0]), grid.width) else { return };
    let Some(rows) = span(corners.map(|c| c[1]), grid.height) else { return };
    for row in rows {
        let mut values = edges.at(*columns.start(), row);
        for column in columns.clone() {
            if values[0] | values[1] | values[2] >= 0 {
                each(row * grid.width + column, edges.weights(values));
            }
            values = std::array::from_fn(|k| values[k] + edges.step[k]);
        }
    }
}

fn fixed(coordinate: f32) -> i64 {
    (coordinate * FRACTION).round() as i64
}

/// The samples between the smallest and the largest of three coordinates.
fn span(coordinates: [f32; 3], size: usize) -> Option<RangeInclusive<usize>> {
    let [a, b, c] = coordinates;
    let first = (a.min(b).min(c) - 1.0).floor().max(0.0) as usize;
    let last = a.max(b).max(c).ceil();
    (last >= 0.0 && first < size).then(|| first..=(last as usize).min(size - 1))
}

/// The three edge functions, positive inside: eₖ is twice the area of the sample and edge k.
struct Edges {
    corners: [[i64; 2]; 3],
    /// Change of each from one column to the next.
    step: [i64; 3],
    orientation: i64,
    scale: f32,
}

impl Edges {
    fn new(corners: [[i64; 2]; 3]) -> Option<Self> {
        let area = cross(corners[0], corners[1], corners[2]);
        let orientation = area.signum();
        let step = std::array::from_fn(|k| {
            let (a, b) = (corners[(k + 1) % 3], corners[(k + 2) % 3]);
            orientation * (a[1] - b[1]) * FRACTION as i64
        });
        let scale = 1.0 / area.abs() as f32;
        (area != 0).then_some(Self { corners, step, orientation, scale })
    }

    fn at(&self, column: usize, row: usize) -> [i64; 3] {
        let sample = [column, row].map(|c| fixed(c as f32 + 0.5));
        let [a, b, c] = self.corners;
        [cross(b, c, sample), cross(c, a, sample), cross(a, b, sample)]
            .map(|e| e * self.orientation)
    }

    fn weights(&self, values: [i64; 3]) -> [f32; 3] {
        values.map(|value| value as f32 * self.scale)
    }
}

/// Twice the signed area of a triangle.
fn cross(a: [i64; 2], b: [i64; 2], c: [i64; 2]) -> i64 {
    (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
}

#[cfg(test)]
mod tests {
    use super::*;

    const GRID: Grid = Grid { width: 40, height: 30 };

    fn covered(corners: [[f32; 2]; 3]) -> Vec<usize> {
        let mut indices = Vec::new();
        fill(GRID, corners, |index, _| indices.push(index));
        indices
    }

    #[test]
    fn two_halves_of_a_rectangle_cover_it_without_a_hole() {
        let [a, b, c, d] = [[3.3, 4.1], [35.7, 4.1], [35.7, 22.9], [3.3, 22.9]];
        let mut all = covered([a, b, c]);
        all.extend(covered([c, a, d]));
        all.sort_unstable();
        all.dedup();
        // Sample centres from 3.5 to 35.5 across and from 4.5 to 22.5 down.
        assert_eq!(all.len(), 33 * 19);
    }

    #[test]
    fn weights_interpolate_the_corners() {
        let corners = [[2.0, 3.0], [31.0, 5.0], [9.0, 27.0]];
        let mut count = 0;
        fill(GRID, corners, |index, b| {
            let x: f32 = (0..3).map(|k| b[k] * corners[k][0]).sum();
            let y: f32 = (0..3).map(|k| b[k] * corners[k][1]).sum();
            assert!((x - (index % GRID.width) as f32 - 0.5).abs() < 1e-3);
            assert!((y - (index / GRID.width) as f32 - 0.5).abs() < 1e-3);
            count += 1;
        });
        let area = 0.5 * (29.0 * 24.0 - 2.0 * 7.0);
        assert!((count as f32 / area - 1.0).abs() < 0.05, "{count} samples for an area of {area}");
    }

    #[test]
    fn flat_far_and_undefined_triangles_cover_nothing() {
        assert!(covered([[1.0, 1.0], [5.0, 5.0], [9.0, 9.0]]).is_empty());
        assert!(covered([[-9.0, 1.0], [-5.0, 5.0], [-2.0, 9.0]]).is_empty());
        assert!(covered([[1.0, 1.0], [f32::NAN, 5.0], [9.0, 2.0]]).is_empty());
        assert!(covered([[1.0, 1.0], [f32::INFINITY, 5.0], [9.0, 2.0]]).is_empty());
    }
}

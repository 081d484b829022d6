//! Rasterises triangles exactly: finds the samples of a grid inside each triangle.

use std::ops::RangeInclusive;

/// A grid of samples at half-integer coordinates.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Grid {
    pub(crate) width: usize,
    pub(crate) height: usize,
}

/// Corners are rounded to 1/64 of a sample. All later arithmetic is in integers, so that two triangles with a common
/// edge leave no hole between them.
const FIXED_POINT_SCALE: f32 = 64.0;

/// Maximum coordinate of a corner, in samples: farther triangles are not drawn, because their edge functions would
/// overflow.
const MAX_COORDINATE: f32 = 1e6;

/// Calls `each(index, value)` for every sample inside the triangle or on its edge; the value is interpolated linearly
/// between the corners.
pub(crate) fn fill(
    grid: Grid,
    corners: [[f32; 2]; 3],
    values: [f32; 3],
    mut each: impl FnMut(usize, f32),
) {
    if corners.iter().flatten().any(|c| c.is_nan() || c.abs() > MAX_COORDINATE) {
        return;
    }
    let Some(edges) = Edges::new(corners) else { return };
    let [a, b, c] = corners;
    let Some(columns) = span([a[0], b[0], c[0]], grid.width) else { return };
    let Some(rows) = span([a[1], b[1], c[1]], grid.height) else { return };
    let slope = edges.interpolate(edges.step, values);
    for row in rows {
        let mut distances = edges.at(*columns.start(), row);
        let first = edges.interpolate(distances, values);
        let start = row * grid.width + columns.start();
        let mut inside = false;
        for column in 0..=columns.end() - columns.start() {
            // The sign bit of the bitwise OR is clear only if all three edge functions are non-negative.
            if distances[0] | distances[1] | distances[2] >= 0 {
                each(start + column, first + slope * column as f32);
                inside = true;
            } else if inside {
                // A triangle is convex: after the first sample outside, no other sample of this row is inside.
                break;
            }
            let ([a, b, c], [da, db, dc]) = (distances, edges.step);
            distances = [a + da, b + db, c + dc];
        }
    }
}

/// Converts a coordinate to integer fractions of a sample. Adding a large positive number rounds to nearest without a
/// call into the math library.
#[inline]
fn fixed_point(coordinate: f32) -> i64 {
    const SHIFT: i64 = 1 << 32;
    (f64::from(coordinate) * f64::from(FIXED_POINT_SCALE) + (SHIFT as f64 + 0.5)) as i64 - SHIFT
}

/// Returns the samples between the smallest and the largest of three coordinates.
#[inline]
fn span(coordinates: [f32; 3], size: usize) -> Option<RangeInclusive<usize>> {
    let [a, b, c] = coordinates;
    // Samples are at half-integers; corners may be rounded by half a fraction.
    let reach = 0.5 - 1.0 / FIXED_POINT_SCALE;
    let first = (a.min(b).min(c) + reach).max(0.0) as usize;
    let last = a.max(b).max(c) - reach;
    let samples = first..=(last.max(0.0) as usize).min(size - 1);
    (last >= 0.0 && !samples.is_empty()).then_some(samples)
}

/// The three edge functions, positive inside: eₖ is twice the area of the triangle of the sample and edge k.
struct Edges {
    corners: [[i64; 2]; 3],
    /// Change of each edge function from one column to the next.
    step: [i64; 3],
    orientation: i64,
    scale: f32,
}

impl Edges {
    #[inline]
    fn new(corners: [[f32; 2]; 3]) -> Option<Self> {
        let [a, b, c] = corners;
        let corners = [fixed_point_2(a), fixed_point_2(b), fixed_point_2(c)];
        let area = cross(corners[0], corners[1], corners[2]);
        let orientation = area.signum();
        let [a, b, c] = corners;
        let step =
            |p: [i64; 2], q: [i64; 2]| orientation * (p[1] - q[1]) * FIXED_POINT_SCALE as i64;
        let step = [step(b, c), step(c, a), step(a, b)];
        let scale = 1.0 / area.abs() as f32;
        (area != 0).then_some(Self { corners, step, orientation, scale })
    }

    #[inline]
    fn at(&self, column: usize, row: usize) -> [i64; 3] {
        let half = FIXED_POINT_SCALE as i64 / 2;
        let sample = [(2 * column as i64 + 1) * half, (2 * row as i64 + 1) * half];
        let [a, b, c] = self.corners;
        let side = |p, q| cross(p, q, sample) * self.orientation;
        [side(b, c), side(c, a), side(a, b)]
    }

    #[inline]
    fn interpolate(&self, distances: [i64; 3], values: [f32; 3]) -> f32 {
        let part = |k: usize| distances[k] as f32 * values[k];
        (part(0) + part(1) + part(2)) * self.scale
    }
}

#[inline]
fn fixed_point_2(point: [f32; 2]) -> [i64; 2] {
    [fixed_point(point[0]), fixed_point(point[1])]
}

/// Returns twice the signed area of a triangle.
#[inline]
fn cross(a: [i64; 2], b: [i64; 2], c: [i64; 2]) -> i64 {
    (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
}

#[cfg(test)]
mod tests {
    use super::*;

    const GRID: Grid = Grid { width: 40, height: 30 };

    fn covered(corners: [[f32; 2]; 3]) -> Vec<usize> {
        let mut indices = Vec::new();
        fill(GRID, corners, [0.0; 3], |index, _| indices.push(index));
        indices
    }

    /// Two triangles of a rectangle together cover all its sample centres.
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

    /// Values are interpolated linearly, to single precision, and the number of samples is the area within 5 %.
    #[test]
    fn values_are_linear_between_the_corners() {
        let corners = [[2.0, 3.0], [31.0, 5.0], [9.0, 27.0]];
        let mut count = 0;
        fill(GRID, corners, corners.map(|corner| corner[0] + 10.0 * corner[1]), |index, value| {
            let (x, y) = ((index % GRID.width) as f32 + 0.5, (index / GRID.width) as f32 + 0.5);
            assert!((value - x - 10.0 * y).abs() < 1e-3, "{value} at ({x}, {y})");
            count += 1;
        });
        let area = 0.5 * (29.0 * 24.0 - 2.0 * 7.0);
        assert!((count as f32 / area - 1.0).abs() < 0.05, "{count} samples for an area of {area}");
    }

    /// A triangle between sample centres covers none, and one around a centre covers it.
    #[test]
    fn a_triangle_between_samples_covers_none() {
        assert!(covered([[3.6, 3.6], [4.4, 3.7], [4.1, 4.4]]).is_empty());
        assert_eq!(covered([[3.4, 3.4], [3.6, 3.4], [3.5, 3.6]]), [3 * GRID.width + 3]);
    }

    /// Degenerate, distant and invalid triangles cover nothing.
    #[test]
    fn flat_far_and_undefined_triangles_cover_nothing() {
        assert!(covered([[1.0, 1.0], [5.0, 5.0], [9.0, 9.0]]).is_empty());
        assert!(covered([[-9.0, 1.0], [-5.0, 5.0], [-2.0, 9.0]]).is_empty());
        assert!(covered([[1.0, 1.0], [f32::NAN, 5.0], [9.0, 2.0]]).is_empty());
        assert!(covered([[1.0, 1.0], [f32::INFINITY, 5.0], [9.0, 2.0]]).is_empty());
    }
}

//! Height maps along a direction, for shadows.

use glam::Vec3;

use super::raster::{Grid, fill};

/// Half of the extent of a map, in radii of the subject, with a small margin.
const MAP_EXTENT: f32 = 1.06;

/// The surfaces in orthographic projection along a direction: the height of the nearest one to the viewer at each
/// sample.
#[derive(Debug, Clone)]
pub(crate) struct HeightMap {
    size: usize,
    /// Right and up directions of the map, in samples per radius.
    u: Vec3,
    v: Vec3,
    toward: Vec3,
    heights: Vec<f32>,
}

impl HeightMap {
    /// Creates a map of `size` samples across, seen from far away in the direction `toward`, a unit vector.
    pub(crate) fn new(
        size: usize,
        toward: Vec3,
        triangles: impl Iterator<Item = [Vec3; 3]>,
    ) -> Self {
        let (u, v) = toward.any_orthonormal_pair();
        let scale = size as f32 / 2.0 / MAP_EXTENT;
        let heights = vec![f32::NEG_INFINITY; size * size];
        let mut map = Self { size, u: u * scale, v: v * scale, toward, heights };
        let grid = Grid { width: size, height: size };
        for [a, b, c] in triangles {
            let heights = [a.dot(toward), b.dot(toward), c.dot(toward)];
            let corners = [map.place(a), map.place(b), map.place(c)];
            fill(grid, corners, heights, |index, height| {
                map.heights[index] = map.heights[index].max(height);
            });
        }
        map
    }

    /// The direction towards the viewer of the map.
    pub(crate) fn toward(&self) -> Vec3 {
        self.toward
    }

    /// Returns the coordinates of a point on the map, in samples.
    #[inline]
    fn place(&self, point: Vec3) -> [f32; 2] {
        let middle = self.size as f32 / 2.0;
        [point.dot(self.u) + middle, point.dot(self.v) + middle]
    }

    /// Returns the fraction of light that reaches a point, 0 to 1, with a soft edge: the fraction of a square of
    /// `SOFTNESS` samples around it with lower heights.
    #[inline]
    pub(crate) fn lit<const SOFTNESS: usize>(&self, point: Vec3) -> f32 {
        let height = point.dot(self.toward);
        let [x, y] = self.place(point);
        let shift = 0.5 + SOFTNESS as f32 / 2.0;
        let (x, y) = (x - shift, y - shift);
        let last = (self.size - SOFTNESS - 1) as f32;
        if !(x >= 0.0 && y >= 0.0 && x < last && y < last) {
            // There are no surfaces near the edge of the map.
            return 1.0;
        }
        let (column, row) = (x as usize, y as usize);
        let (wx, wy) = (weights(x - column as f32), weights(y - row as f32));
        let mut lit = 0.0;
        for (j, wy) in box_filter_weights::<SOFTNESS>(wy).enumerate() {
            let start = (row + j) * self.size + column;
            let heights = &self.heights[start..=start + SOFTNESS];
            for (sample, wx) in heights.iter().zip(box_filter_weights::<SOFTNESS>(wx)) {
                lit += if *sample <= height { wx * wy } else { 0.0 };
            }
        }
        lit / (SOFTNESS * SOFTNESS) as f32
    }

    /// Returns a blurred map of `weight(height)` where there is a surface and 0 elsewhere.
    pub(crate) fn blurred(&self, radius: usize, weight: impl Fn(f32) -> f32) -> ShadowMap {
        let value = |height: &f32| if height.is_finite() { weight(*height) } else { 0.0 };
        let mut values: Vec<f32> = self.heights.iter().map(value).collect();
        let mut other = vec![0.0; values.len()];
        // Two row blurs with transposed output blur both directions; three box blurs approximate a Gaussian.
        for _ in 0..6 {
            blur_rows_transposed(&values, &mut other, self.size, radius);
            std::mem::swap(&mut values, &mut other);
        }
        ShadowMap { values }
    }
}

/// Weights of the first and last sample under a box filter that starts at `fraction` of the first sample.
#[inline]
fn weights(fraction: f32) -> (f32, f32) {
    (1.0 - fraction, fraction)
}

/// Weights of `SOFTNESS + 1` samples: the end samples count partly, the others fully.
#[inline]
fn box_filter_weights<const SOFTNESS: usize>(ends: (f32, f32)) -> impl Iterator<Item = f32> {
    (0..=SOFTNESS).map(move |k| match k {
        0 => ends.0,
        k if k == SOFTNESS => ends.1,
        _ => 1.0,
    })
}

/// Writes the running mean of each row as a column.
fn blur_rows_transposed(from: &[f32], to: &mut [f32], size: usize, radius: usize) {
    let scale = 1.0 / (2 * radius + 1) as f32;
    for (row, values) in from.chunks_exact(size).enumerate() {
        let mut sum: f32 = values[..radius].iter().sum();
        for column in 0..size {
            sum += values.get(column + radius).copied().unwrap_or(0.0);
            to[column * size + row] = sum * scale;
            sum -= if column >= radius { values[column - radius] } else { 0.0 };
        }
    }
}

/// Blurred values on the grid of a height map.
#[derive(Debug, Clone)]
pub(crate) struct ShadowMap {
    values: Vec<f32>,
}

impl ShadowMap {
    /// Returns the value at a point, interpolated between the four samples around it; 0 outside the map.
    #[inline]
    pub(crate) fn at(&self, map: &HeightMap, point: Vec3) -> f32 {
        let [x, y] = map.place(point);
        let (x, y) = (x - 0.5, y - 0.5);
        let last = (map.size - 1) as f32;
        if !(x >= 0.0 && y >= 0.0 && x < last && y < last) {
            return 0.0;
        }
        let (column, row) = (x as usize, y as usize);
        let (fx, fy) = (x - column as f32, y - row as f32);
        let corner = row * map.size + column;
        let mix = |start: usize| self.values[start] * (1.0 - fx) + self.values[start + 1] * fx;
        mix(corner) * (1.0 - fy) + mix(corner + map.size) * fy
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the map from above of a square with half side 0.5 at height 0.3.
    fn roof() -> HeightMap {
        let corner = |x: f32, z: f32| Vec3::new(x, 0.3, z);
        let [a, b, c, d] =
            [corner(-0.5, -0.5), corner(0.5, -0.5), corner(0.5, 0.5), corner(-0.5, 0.5)];
        HeightMap::new(400, Vec3::Y, [[a, b, c], [c, d, a]].into_iter())
    }

    /// Points below a roof are dark, points beside and above it are lit, and points at its edge are half lit
    /// (±0.2, from the few samples).
    #[test]
    fn below_the_roof_is_dark_and_beside_it_is_light() {
        let map = roof();
        assert_eq!(map.lit::<4>(Vec3::ZERO), 0.0);
        assert_eq!(map.lit::<4>(Vec3::new(0.8, 0.0, 0.0)), 1.0);
        assert_eq!(
            map.lit::<4>(Vec3::new(0.0, 0.31, 0.0)),
            1.0,
            "points above the roof must be lit"
        );
        let edge = map.lit::<4>(Vec3::new(0.5, 0.0, 0.0));
        assert!((edge - 0.5).abs() < 0.2, "the edge must be half lit, {edge}");
    }

    /// Blurring conserves the sum of the map, to 1e-3 (single precision).
    #[test]
    fn a_blur_keeps_the_amount_of_shadow() {
        let map = roof();
        let sum = |radius| map.blurred(radius, |_| 1.0).values.iter().sum::<f32>();
        assert!((sum(9) / sum(0) - 1.0).abs() < 1e-3, "the blur must conserve the sum");
    }

    /// Points far outside the map are lit.
    #[test]
    fn far_points_are_lit() {
        let map = roof();
        assert_eq!(map.lit::<4>(Vec3::splat(1e30)), 1.0);
        assert_eq!(map.blurred(3, |_| 1.0).at(&map, Vec3::splat(1e30)), 0.0);
    }
}

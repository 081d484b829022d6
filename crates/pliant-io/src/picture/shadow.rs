//! Heights seen along a direction: who is in whose light.

use glam::Vec3;

use super::raster::{Grid, fill};

/// Samples across the map.
const SIZE: usize = 448;
/// Half of the extent of the map, in radii of the subject: a little more than all of it.
const EXTENT: f32 = 1.06;
const GRID: Grid = Grid { width: SIZE, height: SIZE };
/// Width of the soft edge of shadows on surfaces, in samples.
const SOFTNESS: i32 = 4;

/// The surfaces as seen from a direction, without perspective: for each sample the height of the
/// one nearest to the viewer.
#[derive(Debug, Clone)]
pub(crate) struct HeightMap {
    u: Vec3,
    v: Vec3,
    toward: Vec3,
    heights: Vec<f32>,
}

impl HeightMap {
    /// The map as seen from far away in the direction `toward`, a unit vector.
    pub(crate) fn new(toward: Vec3, triangles: impl Iterator<Item = [Vec3; 3]>) -> Self {
        let (u, v) = toward.any_orthonormal_pair();
        let mut map = Self { u, v, toward, heights: vec![f32::NEG_INFINITY; SIZE * SIZE] };
        for triangle in triangles {
            let heights = triangle.map(|point| point.dot(toward));
            let corners = triangle.map(|point| map.place(point));
            fill(GRID, corners, |index, b| {
                let height = b[0] * heights[0] + b[1] * heights[1] + b[2] * heights[2];
                map.heights[index] = map.heights[index].max(height);
            });
        }
        map
    }

    /// Coordinates of a point on the map, in samples.
    fn place(&self, point: Vec3) -> [f32; 2] {
        [point.dot(self.u), point.dot(self.v)].map(|c| (c / EXTENT + 1.0) * SIZE as f32 / 2.0)
    }

    /// How much of the light reaches a point, 0 to 1, with a soft edge: the part of a square of
    /// samples around it that lies lower.
    pub(crate) fn lit(&self, point: Vec3, bias: f32) -> f32 {
        let height = point.dot(self.toward) + bias;
        let [x, y] = self.place(point).map(|c| c - 0.5 - SOFTNESS as f32 / 2.0);
        let (column, row) = (x.floor(), y.floor());
        let (fx, fy) = (x - column, y - row);
        let mut lit = 0.0;
        for j in 0..=SOFTNESS {
            let wy = edge_weight(j, fy);
            for i in 0..=SOFTNESS {
                if self.height(column as i32 + i, row as i32 + j) <= height {
                    lit += wy * edge_weight(i, fx);
                }
            }
        }
        lit / (SOFTNESS * SOFTNESS) as f32
    }

    fn height(&self, column: i32, row: i32) -> f32 {
        let inside = (0..SIZE as i32).contains(&column) && (0..SIZE as i32).contains(&row);
        if inside { self.heights[row as usize * SIZE + column as usize] } else { f32::NEG_INFINITY }
    }

    /// A blurred map of `weight(height)` where there is a surface and 0 elsewhere.
    pub(crate) fn blurred(&self, radius: usize, weight: impl Fn(f32) -> f32) -> ShadowMap {
        let value = |height: &f32| if height.is_finite() { weight(*height) } else { 0.0 };
        let mut values: Vec<f32> = self.heights.iter().map(value).collect();
        let mut other = vec![0.0; values.len()];
        // A blur of rows that writes columns, twice, is one of both; three boxes make a bell.
        for _ in 0..6 {
            blur_rows_transposed(&values, &mut other, radius);
            std::mem::swap(&mut values, &mut other);
        }
        ShadowMap { values }
    }
}

/// Weight of the i-th of `SOFTNESS + 1` samples under a box that starts `fraction` into the first.
fn edge_weight(i: i32, fraction: f32) -> f32 {
    match i {
        0 => 1.0 - fraction,
        SOFTNESS => fraction,
        _ => 1.0,
    }
}

/// A running mean along each row, written as a column.
fn blur_rows_transposed(from: &[f32], to: &mut [f32], radius: usize) {
    let scale = 1.0 / (2 * radius + 1) as f32;
    for (row, values) in from.chunks_exact(SIZE).enumerate() {
        let mut sum: f32 = values[..radius].iter().sum();
        for column in 0..SIZE {
            sum += values.get(column + radius).copied().unwrap_or(0.0);
            to[column * SIZE + row] = sum * scale;
            sum -= if column >= radius { values[column - radius] } else { 0.0 };
        }
    }
}

/// Blurred darkness on a plane.
#[derive(Debug, Clone)]
pub(crate) struct ShadowMap {
    values: Vec<f32>,
}

impl ShadowMap {
    /// The value at a point, between the four samples around it; 0 outside the map.
    pub(crate) fn at(&self, map: &HeightMap, point: Vec3) -> f32 {
        let [x, y] = map.place(point).map(|c| c - 0.5);
        let last = (SIZE - 1) as f32;
        if !(x >= 0.0 && y >= 0.0 && x < last && y < last) {
            return 0.0;
        }
        let (fx, fy) = (x.fract(), y.fract());
        let corner = y as usize * SIZE + x as usize;
        let row = |start: usize| self.values[start] * (1.0 - fx) + self.values[start + 1] * fx;
        row(corner) * (1.0 - fy) + row(corner + SIZE) * fy
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A square of half side 0.5 at height 0.3.
    fn roof() -> [[Vec3; 3]; 2] {
        let corner = |x: f32, z: f32| Vec3::new(x, 0.3, z);
        let [a, b, c, d] =
            [corner(-0.5, -0.5), corner(0.5, -0.5), corner(0.5, 0.5), corner(-0.5, 0.5)];
        [[a, b, c], [c, d, a]]
    }

    #[test]
    fn below_the_roof_is_dark_and_beside_it_is_light() {
        let map = HeightMap::new(Vec3::Y, roof().into_iter());
        assert_eq!(map.lit(Vec3::ZERO, 0.01), 0.0);
        assert_eq!(map.lit(Vec3::new(0.8, 0.0, 0.0), 0.01), 1.0);
        assert_eq!(map.lit(Vec3::new(0.0, 0.3, 0.0), 0.01), 1.0, "a roof does not shade itself");
        let edge = map.lit(Vec3::new(0.5, 0.0, 0.0), 0.01);
        assert!((edge - 0.5).abs() < 0.2, "the edge is half lit, {edge}");
    }

    #[test]
    fn a_blur_keeps_the_amount_of_shadow() {
        let map = HeightMap::new(Vec3::Y, roof().into_iter());
        let sum = |radius| map.blurred(radius, |_| 1.0).values.iter().sum::<f32>();
        assert!((sum(9) / sum(0) - 1.0).abs() < 1e-3, "the blur ends inside the map");
    }

    #[test]
    fn far_points_are_lit() {
        let map = HeightMap::new(Vec3::Y, roof().into_iter());
        assert_eq!(map.lit(Vec3::splat(1e30), 0.0), 1.0);
        assert_eq!(map.blurred(3, |_| 1.0).at(&map, Vec3::splat(1e30)), 0.0);
    }
}

//! Thin lines on surfaces.

use glam::{DVec3, Vec2};

use super::camera::{Camera, Projected};
use super::raster::Grid;

/// Distance behind a surface at which a line is still visible, in radii: lines of a curved cell deviate slightly from
/// its triangles.
const TOLERANCE: f32 = 0.008;

/// Marks the samples covered by visible parts of polylines.
///
/// `nearness` is that of the surfaces, 0 where there is none; `samples` is the number of samples per pixel.
pub(crate) fn mark_lines(
    camera: &Camera,
    lines: &[&[DVec3]],
    width: f32,
    grid: Grid,
    samples: f32,
    nearness: &[f32],
) -> Vec<bool> {
    let mut marked = vec![false; nearness.len()];
    let project = |point: &DVec3| {
        let p = camera.project(camera.unit(*point))?;
        Some(Projected { x: p.x * samples, y: p.y * samples, nearness: p.nearness })
    };
    for pair in lines.iter().flat_map(|line| line.windows(2)) {
        let (Some(a), Some(b)) = (project(&pair[0]), project(&pair[1])) else { continue };
        for_each_near(a, b, width * samples / 2.0, grid, |index, line| {
            let surface = nearness[index];
            marked[index] |= line * (1.0 + TOLERANCE * surface) >= surface;
        });
    }
    marked
}

/// Calls `each(index, nearness)` for the samples within `radius` of a segment.
fn for_each_near(
    a: Projected,
    b: Projected,
    radius: f32,
    grid: Grid,
    mut each: impl FnMut(usize, f32),
) {
    let (start, end) = (Vec2::new(a.x, a.y), Vec2::new(b.x, b.y));
    let reach = Vec2::splat(radius + 1.0);
    let limit = Vec2::new(grid.width as f32, grid.height as f32);
    let low = (start.min(end) - reach).max(Vec2::ZERO);
    let high = (start.max(end) + reach).min(limit);
    let along = (end - start) / (end - start).length_squared().max(1e-12);
    for row in low.y as usize..high.y.max(0.0) as usize {
        for column in low.x as usize..high.x.max(0.0) as usize {
            let sample = Vec2::new(column as f32 + 0.5, row as f32 + 0.5);
            let t = (sample - start).dot(along).clamp(0.0, 1.0);
            if sample.distance_squared(start.lerp(end, t)) <= radius * radius {
                each(row * grid.width + column, a.nearness + (b.nearness - a.nearness) * t);
            }
        }
    }
}

//! Between the faces of the grid and the triangles of a skin.

use glam::DVec3;
use pliant::body::SkinMotion;

use crate::grid::{DX, N, at, before, places};

/// The triangle whose middle is nearest.
pub(crate) fn nearest(triangles: &[[u32; 3]], skin: &SkinMotion, x: DVec3) -> usize {
    let distance = |k: &usize| skin.centre(triangles[*k]).distance_squared(x);
    (0..triangles.len()).min_by(|a, b| distance(a).total_cmp(&distance(b))).unwrap_or(0)
}

/// Cells whose middle is inside a closed skin: a line along the channel enters and leaves it by turns.
pub(crate) fn inside(triangles: &[[u32; 3]], skin: &SkinMotion) -> Vec<bool> {
    let mut crossings = vec![0; at(N) + 1];
    for triangle in triangles {
        let [a, b, c] = triangle.map(|vertex| skin.x[vertex as usize]);
        let side =
            |p: DVec3, q: DVec3, y: f64, z: f64| (q.y - p.y) * (z - p.z) - (q.z - p.z) * (y - p.y);
        let whole = side(a, b, c.y, c.z);
        let row = |axis: usize| {
            let clamp = |x: f64| (x / DX).clamp(0.0, N[axis] as f64) as usize;
            let [low, high] = [a.min(b).min(c), a.max(b).max(c)].map(|x| x[axis]);
            clamp(low)..(clamp(high) + 1).min(N[axis])
        };
        for (j, k) in row(1).flat_map(|j| row(2).map(move |k| (j, k))) {
            // A little off the middle, so that no line of a ball in the middle meets an edge.
            let [y, z] = [(j, 0.500_003), (k, 0.500_007)].map(|(i, half)| DX * (i as f64 + half));
            let weights = [side(b, c, y, z), side(c, a, y, z), side(a, b, y, z)].map(|w| w / whole);
            if weights.iter().all(|weight| *weight >= 0.0) {
                let x = weights[0] * a.x + weights[1] * b.x + weights[2] * c.x;
                let first = (x / DX + 0.5).clamp(0.0, N[0] as f64) as usize;
                crossings[at([first, j, k])] += if whole < 0.0 { 1 } else { -1 };
            }
        }
    }
    for cell in places(N).filter(|cell| cell[0] > 0) {
        crossings[at(cell)] += crossings[at(before(cell, 0))];
    }
    crossings.into_iter().map(|count| count > 0).collect()
}

/// Shares the force on every face of the grid out among the triangles before it: tractions with the same sum, in Pa.
pub(crate) fn tractions(
    triangles: &[[u32; 3]],
    skin: &SkinMotion,
    pushed: &[(DVec3, DVec3)],
) -> Vec<DVec3> {
    let mut tractions = vec![DVec3::ZERO; triangles.len()];
    let mut weights = vec![0.0; triangles.len()];
    for (x, force) in pushed.iter().filter(|(_, force)| *force != DVec3::ZERO) {
        for ((weight, triangle), area) in weights.iter_mut().zip(triangles).zip(&skin.areas) {
            let near = (-skin.centre(*triangle).distance_squared(*x) / (DX * DX)).exp();
            *weight = near * area.dot(*force).abs();
        }
        let sum: f64 = weights.iter().sum();
        for ((traction, weight), area) in tractions.iter_mut().zip(&weights).zip(&skin.areas) {
            *traction += weight / (sum * area.length()) * *force;
        }
    }
    tractions
}

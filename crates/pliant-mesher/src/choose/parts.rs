//! The parts of a surface.

use glam::DVec3;
use pliant::geometry::Surface;
use pliant_kernels::math::DisjointSets;

use crate::open_edges::welded_vertices;

/// The smallest volume of a part that counts, relative to that of the largest.
const SMALLEST: f64 = 1e-4;

/// The number of pieces that a body of a surface can have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Parts {
    /// Parts whose bounding boxes are apart: as many pieces at least.
    pub(super) apart: usize,
    /// Shells, connected through common corners: as many pieces at most. Those that overlap or lie within each other
    /// belong to one piece, and one with a neck is one.
    pub(super) shells: usize,
}

/// A connected part of a surface.
#[derive(Debug, Clone, Copy)]
struct Shell {
    low: DVec3,
    high: DVec3,
    /// Signed volume, in m³.
    volume: f64,
}

impl Parts {
    pub(super) fn of(surface: &Surface) -> Self {
        let mut shells = shells(surface);
        let largest =
            shells.iter().fold(0.0, |largest: f64, shell| largest.max(shell.volume.abs()));
        shells.retain(|shell| shell.volume.abs() >= SMALLEST * largest);
        let mut joined = DisjointSets::new(shells.len());
        for (k, a) in shells.iter().enumerate() {
            for (l, b) in shells.iter().enumerate().skip(k + 1) {
                if a.low.cmple(b.high).all() && b.low.cmple(a.high).all() {
                    joined.join(k as u32, l as u32);
                }
            }
        }
        let apart = (0..shells.len() as u32).filter(|shell| joined.find(*shell) == *shell).count();
        Self { apart, shells: shells.len() }
    }
}

fn shells(surface: &Surface) -> Vec<Shell> {
    let welded = welded_vertices(surface);
    let mut sets = DisjointSets::new(surface.vertices.len());
    for [a, b, c] in &surface.triangles {
        let [a, b, c] = [a, b, c].map(|vertex| welded[*vertex as usize]);
        sets.join(a, b);
        sets.join(a, c);
    }
    let (low, high) = surface.bounds();
    let (centre, empty) = (low.midpoint(high), DVec3::INFINITY);
    let mut of_root = vec![None; surface.vertices.len()];
    let mut shells = Vec::new();
    for triangle in &surface.triangles {
        let root = sets.find(welded[triangle[0] as usize]) as usize;
        let shell = *of_root[root].get_or_insert_with(|| {
            shells.push(Shell { low: empty, high: -empty, volume: 0.0 });
            shells.len() - 1
        });
        let corners = triangle.map(|vertex| surface.vertices[vertex as usize]);
        let [a, b, c] = corners.map(|corner| corner - centre);
        let shell: &mut Shell = &mut shells[shell];
        shell.volume += a.dot(b.cross(c)) / 6.0;
        for corner in corners {
            (shell.low, shell.high) = (shell.low.min(corner), shell.high.max(corner));
        }
    }
    shells
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gallery::Figure;

    fn with_ball_at(offset: DVec3, scale: f64) -> Surface {
        let ball = Figure::Ball.surface(0.1);
        let count = ball.vertices.len() as u32;
        let moved = ball.vertices.iter().map(|vertex| scale * *vertex + offset);
        let vertices = ball.vertices.iter().copied().chain(moved).collect();
        let more = ball.triangles.iter().map(|triangle| triangle.map(|vertex| vertex + count));
        Surface::new(vertices, ball.triangles.iter().copied().chain(more).collect())
    }

    /// Two balls that are apart are two pieces; balls that overlap are one or two, as is a ball within another.
    #[test]
    fn pieces_of_two_balls() {
        let parts = |offset, scale| Parts::of(&with_ball_at(offset, scale));
        assert_eq!(parts(3.0 * DVec3::X, 1.0), Parts { apart: 2, shells: 2 });
        assert_eq!(parts(0.4 * DVec3::X, 1.0), Parts { apart: 1, shells: 2 });
        assert_eq!(parts(DVec3::ZERO, 0.5), Parts { apart: 1, shells: 2 });
    }

    /// A crumb of a millionth of the volume is not a part.
    #[test]
    fn crumbs_do_not_count() {
        let parts = Parts::of(&with_ball_at(3.0 * DVec3::X, 0.01));
        assert_eq!(parts, Parts { apart: 1, shells: 1 });
    }
}

//! The overlap test of a triangle and a box.

use glam::DVec3;

/// The distance beyond a box, in leaves, at which a triangle still touches it. Far above rounding, so that no triangle
/// is missed and a closed surface never leaks.
const TOUCH_TOLERANCE: f64 = 1e-9;

/// A triangle prepared for many separating-axis tests against boxes.
///
/// A triangle and a box are disjoint if and only if their projections are disjoint on one of thirteen axes: the three
/// of the box, the triangle's normal, and the nine cross products of an edge with an axis of the box (Akenine-Möller
/// 2001). Contact counts as overlap: if a triangle lies in a face, the leaves on both sides are boundary. A degenerate
/// triangle has fewer distinct axes and is tested as a line, so `[a, b, b]` is a line.
#[derive(Debug, Clone, Copy)]
pub(super) struct Overlap {
    corners: [DVec3; 3],
    /// The axes other than the box's, each with the error of a projection on it per unit of position.
    axes: [(DVec3, f64); 10],
}

impl Overlap {
    pub(super) fn new(corners: [DVec3; 3]) -> Self {
        let [a, b, c] = corners;
        let edges = [b - a, c - b, a - c];
        let normal = edges[0].cross(edges[1]);
        let mut axes = [(normal, edges[0].length() * edges[1].length()); 10];
        for (k, edge) in edges.into_iter().enumerate() {
            for (axis, unit) in DVec3::AXES.into_iter().enumerate() {
                axes[3 * k + axis] = (unit.cross(edge), edge.length());
            }
        }
        Self { corners, axes }
    }

    /// True if the triangle touches the box between two corners.
    pub(super) fn touches(&self, low: DVec3, high: DVec3) -> bool {
        let (least, most) = bounds(&self.corners);
        if most.cmplt(low).any() || least.cmpgt(high).any() {
            return false;
        }
        let (centre, half) = (0.5 * (low + high), 0.5 * (high - low));
        let corners = self.corners.map(|corner| corner - centre);
        !self.axes.iter().any(|axis| separates(axis, corners, half))
    }
}

/// The bounding box of a triangle, with slack.
pub(super) fn bounds([a, b, c]: &[DVec3; 3]) -> (DVec3, DVec3) {
    (a.min(*b).min(*c) - TOUCH_TOLERANCE, a.max(*b).max(*c) + TOUCH_TOLERANCE)
}

/// True if the projections of the corners and of a box around the origin on an axis are disjoint.
fn separates((axis, error): &(DVec3, f64), corners: [DVec3; 3], half: DVec3) -> bool {
    let [a, b, c] = corners.map(|corner| axis.dot(corner));
    let radius = axis.abs().dot(half) + TOUCH_TOLERANCE * error;
    a.min(b).min(c) > radius || a.max(b).max(c) < -radius
}

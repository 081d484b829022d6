//! Groups of nearby points.

use glam::DVec3;

use super::envelope::LostPoint;

/// A part of the surface that cells of the size asked for do not hold.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ThinPart {
    /// A point of it, in m.
    pub at: DVec3,
    /// The thickness of the solid there, in m: the most of its points.
    pub thickness: f64,
}

/// One point for each group of points: points nearer than `reach` to the first point of a group belong to it.
pub(super) fn groups(points: &[LostPoint], reach: f64) -> Vec<ThinPart> {
    let mut groups: Vec<ThinPart> = Vec::new();
    for LostPoint { point, thickness } in points {
        match groups.iter_mut().find(|group| group.at.distance(*point) < reach) {
            Some(group) => group.thickness = group.thickness.max(*thickness),
            None => groups.push(ThinPart { at: *point, thickness: *thickness }),
        }
    }
    groups
}

//! Coordinates in which every surface has size one.

use glam::DVec3;
use pliant::geometry::Surface;

/// A frame with the centre of the bounding box at the origin and its longest side as unit.
///
/// Rounding and tolerances then do not depend on the position and unit of a surface.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct UnitFrame {
    pub(super) middle: DVec3,
    /// Length of one unit, in m.
    pub(super) scale: f64,
}

impl UnitFrame {
    /// The frame of a surface with finite vertices that are not all at one position.
    pub(super) fn of(surface: &Surface) -> Self {
        let (low, high) = surface.bounds();
        // Halves first: the sum of the largest floats is infinite.
        Self { middle: low / 2.0 + high / 2.0, scale: (high - low).max_element() }
    }

    /// The triangles of a surface in units, flipped if the enclosed volume is negative.
    pub(super) fn surface_to_unit(&self, surface: &Surface) -> Surface {
        let vertices = surface.vertices.iter().map(|x| self.in_units(*x)).collect();
        let mut unit = Surface::new(vertices, surface.triangles.clone());
        if unit.volume() < 0.0 {
            unit.triangles.iter_mut().for_each(|corners| corners.swap(1, 2));
        }
        unit
    }

    /// Converts a point from m to units.
    pub(super) fn in_units(&self, point: DVec3) -> DVec3 {
        (point - self.middle) / self.scale
    }

    /// Converts a point from units to m.
    pub(super) fn in_metres(&self, point: DVec3) -> DVec3 {
        self.middle + self.scale * point
    }
}

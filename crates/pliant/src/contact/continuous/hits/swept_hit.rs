//! Hits of continuous detection.

use glam::DVec3;

use crate::contact::continuous::swept_surface::SweptSurface;
use crate::contact::detect::feature::Feature;

/// The kind of hits of two triangles in [`SweptHit::key`].
pub(super) const CROSSING: u32 = 3;

/// Two features that come too near to each other within a step, or two triangles that intersect at its end.
#[derive(Debug, Clone, Copy)]
pub(in crate::contact::continuous) struct SweptHit {
    /// Surfaces, kind (vertex of the first, vertex of the second, edges, triangles) and vertices, or the two triangles: the identity of the hit from round to round.
    pub(in crate::contact::continuous) key: [u32; 7],
    pub(in crate::contact::continuous) surfaces: [u32; 2],
    pub(in crate::contact::continuous) features: [Feature; 2],
    /// Unit vector from the second to the first at the time of the hit; zero for two triangles.
    pub(in crate::contact::continuous) normal: DVec3,
    /// True if the two features face each other and did not touch at the start.
    pub(in crate::contact::continuous) from_outside: bool,
    /// Distance at the start, in m.
    pub(in crate::contact::continuous) distance: f64,
    /// The time of the hit, as a part of the step.
    pub(in crate::contact::continuous) time: f64,
}

impl SweptHit {
    /// True if it is known to be there still: its surfaces are searched again, and none of its vertices moved since the last search.
    pub(in crate::contact::continuous) fn remains(&self, swept_surfaces: &[SweptSurface]) -> bool {
        let [first, second] = self.surfaces.map(|surface| &swept_surfaces[surface as usize]);
        if SweptSurface::are_idle(first, second) {
            return false;
        }
        let mut sides = self.surfaces.iter().zip(&self.features);
        self.key[2] != CROSSING
            && sides.all(|(surface, feature)| {
                !swept_surfaces[*surface as usize].moved.any(feature.vertices())
            })
    }

    /// Its vertex or its edges, by surface and vertices.
    pub(in crate::contact::continuous) fn stoppable(&self) -> impl Iterator<Item = [u32; 3]> {
        let sides = self.surfaces.iter().zip(&self.features);
        sides.filter_map(|(surface, feature)| match *feature.vertices() {
            [vertex] => Some([*surface, vertex, vertex]),
            [from, to] => Some([*surface, from, to]),
            _ => None,
        })
    }
}

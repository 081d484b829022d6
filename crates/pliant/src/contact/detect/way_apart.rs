//! The way by which two bodies that are inside each other part.

use glam::DVec3;
use pliant_kernels::math::{Mat3, symmetric_eigen};

use super::collider::collider::Collider;
use super::contact::Contact;

/// The shortest way by which the first of two surfaces has to move until a plane is between them.
///
/// Of all directions the axes of space and of both surfaces are tried, and the line between their centres: on other ways surfaces part too, if
/// not on the shortest one. Of equal ways the first counts, so that bodies at the same place part as well.
#[derive(Debug, Clone, Copy)]
pub(crate) struct WayApart {
    /// Its unit vector.
    pub(crate) direction: DVec3,
    /// Its length, in m.
    pub(crate) length: f64,
    /// The smallest extents of both surfaces together, in m.
    thickness: f64,
}

/// Relative difference of lengths below which they are the same.
const SAME: f64 = 1e-6;

/// Length of the way over that of the deepest point up to which the two are deep inside each other. Two links of a chain that
/// overlap a little have a far longer one.
const DIRECT: f64 = 1.5;

impl WayApart {
    /// The way of two surfaces with vertices.
    pub(crate) fn of(first: &Collider, second: &Collider) -> Option<Self> {
        let mut best: Option<Self> = None;
        let mut thickness = [f64::INFINITY; 2];
        for axis in directions(first, second) {
            let [own, other] = [first, second].map(|collider| extent(collider, axis));
            thickness[0] = thickness[0].min(own[1] - own[0]);
            thickness[1] = thickness[1].min(other[1] - other[0]);
            for (direction, length) in [(axis, other[1] - own[0]), (-axis, own[1] - other[0])] {
                let is_shorter = |best: &Self| length < (1.0 - SAME) * best.length;
                if length.is_finite() && best.as_ref().is_none_or(is_shorter) {
                    best = Some(Self { direction, length, thickness: 0.0 });
                }
            }
        }
        let thickness = thickness[0] + thickness[1];
        best.filter(|best| best.length > 0.0).map(|best| Self { thickness, ..best })
    }

    /// True if the surfaces, which are inside each other at these points, are deep in each other, so that this is their way out.
    pub(crate) fn leads_out_of(&self, contacts: &[Contact]) -> bool {
        let deepest = contacts.iter().map(|contact| -contact.gap).fold(0.0, f64::max);
        // Points of edges in triangles have no depth.
        let depth = if deepest > 0.0 { DIRECT * deepest } else { self.thickness };
        !contacts.is_empty() && self.length <= depth
    }
}

/// The least and the greatest coordinate of a surface along an axis, in m.
fn extent(collider: &Collider, axis: DVec3) -> [f64; 2] {
    let along = collider.x().iter().map(|x| x.dot(axis));
    along.fold([f64::INFINITY, f64::NEG_INFINITY], |[low, high], x| [low.min(x), high.max(x)])
}

/// Unit vectors to try.
fn directions(first: &Collider, second: &Collider) -> impl Iterator<Item = DVec3> {
    let between = (centre(first) - centre(second)).try_normalize();
    let axes = [DVec3::X, DVec3::Y, DVec3::Z].into_iter();
    axes.chain(own_axes(first)).chain(own_axes(second)).chain(between)
}

fn centre(collider: &Collider) -> DVec3 {
    collider.x().iter().sum::<DVec3>() / collider.x().len().max(1) as f64
}

/// The principal axes of the vertices of a surface.
fn own_axes(collider: &Collider) -> [DVec3; 3] {
    let middle = centre(collider);
    let mut spread = Mat3::ZERO;
    for x in collider.x() {
        let r = (*x - middle).into();
        spread += Mat3::outer(r, r);
    }
    symmetric_eigen(&spread).vectors.0.map(DVec3::from)
}

//! Joins slivers: splinters that are too small.

use glam::DVec3;
use pliant_mesh::geometry::{Aabb, point_triangle};

use super::fuse::fused;
use super::shell::{Facet, Shell};

/// Joins every splinter below a volume, in m³, to the neighbour at its largest cut face.
///
/// If that face matches a whole face of the neighbour, both become one closed surface; else the sliver is added as a
/// separate closed surface, so that no volume is lost.
pub(super) fn join_slivers(shells: Vec<Shell>, least: f64, size: f64) -> Vec<Shell> {
    let is_sliver: Vec<bool> = shells.iter().map(|shell| shell.volume() < least).collect();
    let bounds: Vec<Aabb> = shells.iter().map(|s| s.bounds().inflated(1e-6 * size)).collect();
    let host = |k: usize| {
        let face = largest_cut(&shells[k])?;
        let near = (0..shells.len()).filter(|j| !is_sliver[*j] && bounds[*j].contains(face.middle));
        let gap = |j: &usize| face.gap(&shells[*j]);
        near.min_by(|a, b| gap(a).total_cmp(&gap(b)))
    };
    let hosts: Vec<Option<usize>> =
        (0..shells.len()).map(|k| if is_sliver[k] { host(k) } else { None }).collect();
    let mut joined: Vec<Option<Shell>> = shells.into_iter().map(Some).collect();
    for (k, host) in hosts.iter().enumerate() {
        let Some(host) = host else { continue };
        if let (Some(sliver), Some(host)) = (joined[k].take(), &mut joined[*host]) {
            match fused(host, &sliver, 1e-9 * size) {
                Some(one) => *host = one,
                None => host.absorb(sliver),
            }
        }
    }
    joined.into_iter().flatten().collect()
}

/// A cut face.
struct Face {
    middle: DVec3,
    normal: DVec3,
}

/// The largest cut triangle of a shell.
fn largest_cut(shell: &Shell) -> Option<Face> {
    let face = |facet: &Facet| {
        let [a, b, c] = shell.at(facet);
        let normal = (b - a).cross(c - a);
        (
            normal.length_squared(),
            Face { middle: (a + b + c) / 3.0, normal: normal.normalize_or_zero() },
        )
    };
    let cut = shell.facets.iter().filter(|facet| facet.is_inside()).map(face);
    cut.max_by(|a, b| a.0.total_cmp(&b.0)).map(|(_, face)| face)
}

impl Face {
    /// The squared distance to cut faces of another shell with the opposite normal, in m².
    fn gap(&self, other: &Shell) -> f64 {
        let opposite = |facet: &&Facet| {
            let [a, b, c] = other.at(facet);
            facet.is_inside() && (b - a).cross(c - a).normalize_or_zero().dot(self.normal) < -0.99
        };
        let facets = other.facets.iter().filter(opposite);
        let distance = |facet: &Facet| point_triangle(self.middle, other.at(facet)).1;
        facets.map(distance).fold(f64::INFINITY, f64::min)
    }
}

//! The strength of every corner of a mesh.

use glam::DVec3;

use crate::body::{Model, Seam};
use pliant_kernels::math::Mat3;

use super::stars::{Ray, Stars};

/// The strength of a corner at rest: a tensor T such that nᵀ T n is the tensile stress along n, in Pa, at which it
/// opens.
///
/// ```text
/// T = Σ V τ (I + (r − 1) g gᵀ) / Σ V        T ← T − (1 − s) (mᵀ T m) m mᵀ
/// ```
///
/// - `V`, `τ`, `g`, `r` volume of a breakable cell around the corner, its strength, its grain, and the ratio of
///   strength along it
/// - `m`, `s` normal of a seam through the corner, and the share of strength that remains across it
///
/// Derived here.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Strength {
    /// The corner never opens.
    Endless,
    /// Isotropic strength, in Pa.
    Even(f64),
    /// T.
    Directed(Mat3),
}

/// The strengths of all corners, in the order of the stars.
pub(super) fn strengths(model: &Model, stars: &Stars) -> Vec<Strength> {
    let volumes = model.mesh().cell_volumes();
    let corners = 0..stars.len();
    corners.map(|corner| strength(model, &volumes, stars.star(corner))).collect()
}

fn strength(model: &Model, volumes: &[f64], star: &[Ray]) -> Strength {
    // The mean over breakable cells, by volume. Unbreakable cells do not count, so that matter can break off from them.
    let (mut sum, mut total, mut directed) = (Mat3::ZERO, 0.0, false);
    for cell in star.iter().map(|ray| ray.cell as usize) {
        let Some(toughness) = model.material(cell).breaks() else { continue };
        let strength = toughness.strength * model.toughness().factor(cell);
        let mut own = Mat3::IDENTITY * strength;
        if let Some(grain) = toughness.grain {
            let along = grain.along.normalize_or_zero();
            own += projector(along) * (strength * (grain.ratio - 1.0));
            directed = true;
        }
        sum += own * volumes[cell];
        total += volumes[cell];
    }
    if total <= 0.0 {
        return Strength::Endless;
    }
    let mut strength = sum * (1.0 / total);
    let rest = model.mesh().nodes[star[0].node as usize];
    for seam in &model.toughness().seams {
        let normal = seam.normal.normalize_or_zero();
        if is_on(seam, normal, rest, reach(model, star)) {
            // Only the strength across the seam is reduced.
            let across = normal.dot(strength.mul_vec(normal.into()).into());
            strength += projector(normal) * (-(1.0 - seam.share) * across);
            directed = true;
        }
    }
    // Without grain and seams T is a multiple of the identity, and a check needs no decomposition of T.
    if directed { Strength::Directed(strength) } else { Strength::Even(strength.at(0, 0)) }
}

fn projector(n: DVec3) -> Mat3 {
    Mat3::outer(n.into(), n.into())
}

fn is_on(seam: &Seam, normal: DVec3, rest: DVec3, reach: f64) -> bool {
    normal.dot(rest - seam.point).abs() <= reach
}

/// The largest distance from a seam, in m, at which a corner counts as on it: half of its shortest edge, so that at
/// least one layer of corners is on it.
fn reach(model: &Model, star: &[Ray]) -> f64 {
    let mesh = model.mesh();
    let here = star[0].node;
    let edge = |ray: &Ray| {
        let (kind, nodes) = mesh.cell(ray.cell as usize);
        let others = nodes[..kind.corner_count()].iter().filter(|node| **node != here);
        let lengths =
            others.map(|node| mesh.nodes[*node as usize].distance(mesh.nodes[here as usize]));
        lengths.fold(f64::INFINITY, f64::min)
    };
    0.5 * star.iter().map(edge).fold(f64::INFINITY, f64::min)
}

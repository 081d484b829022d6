//! What every corner of a mesh bears.

use glam::DVec3;

use crate::body::{Model, Seam};
use crate::math::Mat3;

use super::stars::{Ray, Stars};

/// What a corner bears: T, of which nᵀ T n is the tensile stress along n that parts it, in Pa; at rest.
///
/// ```text
/// T = Σ V τ (I + (r − 1) g gᵀ) / Σ V        T ← T − (1 − s) (mᵀ T m) m mᵀ
/// ```
///
/// - `V`, `τ`, `g`, `r` volume of a cell around it that may break, its strength, its grain and the ratio of that
/// - `m`, `s` normal of a seam through it, and the share of strength that is left across it
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Strength {
    /// Nothing parts it.
    Endless,
    /// The same in all directions, in Pa.
    Even(f64),
    /// T.
    Directed(Mat3),
}

/// What every corner bears, in the order of the stars.
pub(super) fn strengths(model: &Model, stars: &Stars) -> Vec<Strength> {
    let volumes = model.mesh().cell_volumes();
    let corners = 0..stars.len();
    corners.map(|corner| strength(model, &volumes, stars.star(corner))).collect()
}

fn strength(model: &Model, volumes: &[f64], star: &[Ray]) -> Strength {
    let (mut sum, mut total, mut directed) = (Mat3::ZERO, 0.0, false);
    for cell in star.iter().map(|ray| ray.cell as usize) {
        let Some(toughness) = model.material(cell).breaks() else { continue };
        let strength = toughness.strength * model.toughness().share(cell);
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
            let across = normal.dot(strength.mul_vec(normal.into()).into());
            strength += projector(normal) * (-(1.0 - seam.share) * across);
            directed = true;
        }
    }
    if directed { Strength::Directed(strength) } else { Strength::Even(strength.at(0, 0)) }
}

fn projector(n: DVec3) -> Mat3 {
    Mat3::outer(n.into(), n.into())
}

fn is_on(seam: &Seam, normal: DVec3, rest: DVec3, reach: f64) -> bool {
    normal.dot(rest - seam.point).abs() <= reach
}

/// How far from a seam a corner may lie and still be on it, in m: half of its shortest edge, so that some layer of corners is.
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

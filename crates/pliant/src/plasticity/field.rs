//! Fields of plastic strain and of its share of the limits.

use glam::DVec3;
use pliant_kernels::plastic::{Matter, deviator, norm, plastic_log};

use crate::body::{Model, RestBatch, RestShape};
use crate::force::extrapolated;
use pliant_kernels::material::Plastic;
use pliant_kernels::math::{Mat3, One, svd};

use super::flow::plastic_inverse;

/// The plastic strain ‖ln Vᵖ‖ at the nodes: extrapolated from quadrature points and averaged over cells (Mezger et al.
/// 2007, section 6.2). Zero in elastic material.
pub fn plastic_strain(rest: RestShape<'_>) -> Vec<f64> {
    let everywhere = |_: usize| true;
    positive(extrapolated(rest, everywhere, |batch, place| {
        if batch.plastic { plastic_norm(rest, batch, place) } else { 0.0 }
    }))
}

/// The share of the yield stress or strain at the nodes, for node positions `x`: one at the onset of flow.
///
/// ```text
/// hardening   ‖dev M − κ‖ / (√(2/3) σʸ)        creep   ‖dev ln Uᵉ‖ / y
/// ```
///
/// - `M` Mandel's stress and `κ` the backstress, in Pa: before the first flow the share is von Mises stress over yield
///   stress
/// - `Uᵉ` the elastic stretch
///
/// Evaluated at quadrature points of cells that can flow, and extrapolated as [`plastic_strain`] is; zero elsewhere.
pub fn yield_share(rest: RestShape<'_>, x: &[DVec3]) -> Vec<f64> {
    positive(extrapolated(rest, flows(rest.model()), |batch, place| {
        let [pack, lane, _] = place;
        let elastic = batch.jacobian_now(x, place) * batch.rest_point(place).inverse;
        match rest.material(batch.pack_cells(pack)[lane] as usize).flow() {
            Some(Plastic::Hardening { yield_stress, hardening, .. }) => {
                let matter = Matter::new(batch.law, batch.pack_constants(pack));
                let backstress =
                    plastic_log(One(lane), &plastic_inverse(rest, batch, place)) * hardening;
                let relative = deviator(&matter.mandel(One(lane), &elastic)) - backstress;
                1.5_f64.sqrt() * norm(&relative) / yield_stress
            }
            Some(Plastic::Creep { yield_strain, .. }) => stretch_norm(&elastic) / yield_strain,
            None => 0.0,
        }
    }))
}

/// The plastic strain at the nodes divided by the largest that the material allows: one where the material is elastic
/// again. Zero for material without a limit, and for elastic material.
pub fn limit_share(rest: RestShape<'_>) -> Vec<f64> {
    positive(extrapolated(rest, flows(rest.model()), |batch, place| {
        let material = rest.material(batch.pack_cells(place[0])[place[1]] as usize);
        let largest = material.flow().map(|flow| flow.largest_strain(material.small_strain().mu));
        largest.map_or(0.0, |largest| plastic_norm(rest, batch, place) / largest)
    }))
}

fn flows(model: &Model) -> impl Fn(usize) -> bool {
    |cell| model.material(cell).flow().is_some()
}

fn plastic_norm(rest: RestShape<'_>, batch: &RestBatch<'_>, place: [usize; 3]) -> f64 {
    norm(&plastic_log(One(0), &plastic_inverse(rest, batch, place)))
}

/// ‖dev ln U‖; zero for a flat or inverted F, which has no logarithm.
fn stretch_norm(f: &Mat3) -> f64 {
    let logarithms = DVec3::from(svd(f).sigma.map(|stretch| stretch.max(1e-12).ln()));
    if f.det() > 0.0 { (logarithms - logarithms.element_sum() / 3.0).length() } else { 0.0 }
}

/// Replaces negative values by zero: extrapolation can make a norm negative.
fn positive(values: Vec<f64>) -> Vec<f64> {
    values.into_iter().map(|value| value.max(0.0)).collect()
}

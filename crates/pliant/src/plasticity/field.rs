//! Plastic strain as a field.

use crate::body::Model;
use crate::force::extrapolated;

use super::flow::point_of;
use super::return_map::plastic_log;
use super::symmetric::norm;

/// The plastic strain ‖ln Vᵖ‖ at the nodes: extrapolated from quadrature points and averaged over cells (Mezger et al. 2007,
/// section 6.2). Zero where nothing flows.
pub fn plastic_strain(model: &Model) -> Vec<f64> {
    let x = &model.mesh().nodes;
    let strains = extrapolated(model, |batch, place| {
        if !batch.plastic {
            return 0.0;
        }
        norm(&plastic_log(&point_of(model, batch, x, place).0.inverse))
    });
    // A line through a norm may fall below zero; a norm does not.
    strains.into_iter().map(|strain| strain.max(0.0)).collect()
}

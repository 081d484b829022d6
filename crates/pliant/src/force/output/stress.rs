//! Stress as a field over a body.

use glam::DVec3;

use crate::body::RestShape;
use pliant_kernels::material::{Lame, Material};
use pliant_kernels::math::Mat3;

use super::node_field::{averaged, extrapolated};

/// Von Mises stress of Cauchy's stress σ = P Fᵀ/J, in Pa.
///
/// ```text
/// σ_vM = √(3/2 s : s)        s = σ − tr(σ)/3 I
/// ```
///
/// After plastic flow only quadrature points have a rest shape, so that σ is extrapolated from them.
pub fn von_mises(rest: RestShape<'_>, x: &[DVec3]) -> Vec<f64> {
    let equivalent = |cell: usize, f: &Mat3| {
        let material = rest.material(cell);
        if material.rigid {
            return 0.0;
        }
        let stress = cauchy_stress(material, f).symmetric();
        let deviator = stress.add_diagonal(-stress.trace() / 3.0);
        (1.5 * deviator.norm_squared()).sqrt()
    };
    if !rest.is_plastic() {
        return averaged(&rest, x, equivalent);
    }
    let everywhere = |_: usize| true;
    let values = extrapolated(rest, everywhere, |batch, place| {
        let [pack, lane, _] = place;
        let f = batch.jacobian_now(x, place) * batch.rest_point(place).inverse;
        equivalent(batch.pack_cells(pack)[lane] as usize, &f)
    });
    values.into_iter().map(|stress| stress.max(0.0)).collect()
}

/// Cauchy's stress P Fᵀ/J, in Pa.
fn cauchy_stress(material: &Material, f: &Mat3) -> Mat3 {
    let Lame { mu, lambda } = material.constants();
    let (p, j) = (material.law.stress(mu, lambda, f), f.det());
    // A flat cell has no Cauchy stress: a lower limit of |J| keeps the result finite.
    let j = if j.abs() < 1e-12 { 1e-12_f64.copysign(j) } else { j };
    p * f.transpose() * (1.0 / j)
}

//! The precision in which factors are applied.

use crate::solver::linear::nodes::{Scales, SystemParts};

use super::factored_rows::Precision;

/// The largest ratio of stiffness and inertia of a node whose factor is applied in single precision: rounding of 6e-8 is then a few
/// per cent of the softest motion.
const LARGEST_RATIO: f64 = 1e5;

/// The precision in which a factor of a system with this inverse diagonal may be applied.
pub(in crate::solver::linear) fn precision_for(
    weights: &[f64],
    scales: &Scales,
    parts: &SystemParts<'_>,
) -> Precision {
    let is_soft = |(weight, node): (&f64, &u32)| {
        let mass = scales.mass * parts.masses.diagonal(*node as usize);
        weight * mass * LARGEST_RATIO > 1.0 || *weight == 0.0
    };
    match weights.iter().zip(parts.unknowns.nodes()).all(is_soft) {
        true => Precision::Single,
        false => Precision::Double,
    }
}

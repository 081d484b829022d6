//! How far the matter at one point flows in a step.

use crate::material::{Law, LawFamily, LawKind, LawVisitor, Material, Plastic};
use crate::math::{Mat3, svd};

use super::symmetric::{Eigen, deviator, norm};

/// What flows: law, constants and thresholds.
#[derive(Debug, Clone, Copy)]
pub struct Matter {
    law: LawKind,
    /// As they stand in the formula of the law.
    constants: [f64; 2],
    /// Shear modulus at small strain, in Pa.
    mu: f64,
    plastic: Plastic,
    /// The largest norm of plastic strain.
    largest: f64,
}

/// The matter at a point: Fᵉ, and Fᵖ⁻¹.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Point {
    /// The elastic part of the deformation.
    pub elastic: Mat3,
    /// The inverse of the plastic part.
    pub inverse: Mat3,
}

/// Steps of the search for how far it flows: each gains a digit or more.
const MOST_TRIES: usize = 40;

/// Part of the yield stress by which stress may miss the yield surface.
const ENOUGH: f64 = 1e-8;

/// Most that flows in a step: stretches change by e².
const MOST_FLOW: f64 = 2.0;

impl Matter {
    /// Of a material that flows.
    pub fn of(material: &Material) -> Option<Self> {
        let plastic = material.plastic?;
        let (constants, mu) = (material.constants(), material.small_strain().mu);
        let largest = plastic.largest_strain(mu);
        let constants = [constants.mu, constants.lambda];
        Some(Self { law: material.law, constants, mu, plastic, largest })
    }

    /// Where a point is after it has flowed for `h` seconds; none if it does not.
    pub fn flow(&self, point: &Point, h: f64) -> Option<Point> {
        // What is flat or inside out has no strain to lose; elasticity opens it first.
        if !(point.elastic.det() > 0.0 && point.elastic.norm_squared().is_finite()) {
            return None;
        }
        let change = match self.plastic {
            Plastic::Hardening { yield_stress, hardening, .. } => {
                self.harden(point, yield_stress, hardening)?
            }
            Plastic::Creep { yield_strain, rate, .. } => creep(point, yield_strain, rate * h)?,
        };
        let inverse = self.limited(point.inverse * change);
        // Fᵉ = F Fᵖ⁻¹, of the same F.
        let elastic = point.elastic * point.inverse.inverse() * inverse;
        let sound = elastic.norm_squared().is_finite() && inverse.norm_squared().is_finite();
        sound.then_some(Point { elastic, inverse })
    }

    /// exp(−γ N) such that stress comes back to the yield surface:
    ///
    /// ```text
    /// ξ = dev M − κ        N = ξ/‖ξ‖        (dev M(Fᵉ exp(−γ N)) − κ − γ H N) : N = √(2/3) σʸ
    /// ```
    ///
    /// - `M = Fᵉᵀ P(Fᵉ)` Mandel's stress, `κ = H ln Vᵖ` the backstress, in Pa: both belong to the shape between Fᵖ and Fᵉ
    ///
    /// For small strains γ = (‖ξ‖ − √(2/3) σʸ)/(2μ + H): Mezger et al. 2007, section 5.2, with the denominator as it must be.
    fn harden(&self, point: &Point, yield_stress: f64, hardening: f64) -> Option<Mat3> {
        let radius = (2.0_f64 / 3.0).sqrt() * yield_stress;
        let backstress = plastic_log(&point.inverse) * hardening;
        let relative = deviator(&self.mandel(&point.elastic)) - backstress;
        let size = norm(&relative);
        // Not so if it is no number.
        if !(size > radius * (1.0 + ENOUGH)) {
            return None;
        }
        let direction = relative * (1.0 / size);
        let frame = Eigen::of(&direction);
        let change = |flow: f64| frame.map(|n| (-flow * n).exp());
        let excess = |flow: f64| {
            let stress = deviator(&self.mandel(&(point.elastic * change(flow)))) - backstress;
            stress.ddot(&direction) - flow * hardening - radius
        };
        let first = (size - radius) / (2.0 * self.mu + hardening);
        let flow = zero_of(excess, size - radius, first, ENOUGH * radius);
        Some(change(flow))
    }

    /// M = Fᵉᵀ P, symmetric for laws that do not know of directions.
    fn mandel(&self, elastic: &Mat3) -> Mat3 {
        let [mu, lambda] = self.constants;
        let stress = self.law.visit(Stress { mu, lambda, f: *elastic });
        (elastic.transpose() * stress).symmetric()
    }

    /// Fᵖ⁻¹ with the plastic strain shortened to the largest there may be, and its rotation kept.
    fn limited(&self, inverse: Mat3) -> Mat3 {
        let frame = svd(&inverse);
        let strain = frame.sigma.map(f64::ln);
        let size = strain.iter().map(|e| e * e).sum::<f64>().sqrt();
        if size <= self.largest || !size.is_finite() {
            return inverse;
        }
        let shortened = strain.map(|e| (e * (self.largest / size)).exp());
        frame.u * Mat3::diagonal(shortened) * frame.v.transpose()
    }
}

/// ln Vᵖ of Fᵖ = Vᵖ Rᵖ: the plastic strain, in the shape between Fᵖ and Fᵉ.
pub(super) fn plastic_log(inverse: &Mat3) -> Mat3 {
    let frame = svd(inverse);
    let strain = frame.sigma.map(|sigma| -sigma.ln());
    frame.v * Mat3::diagonal(strain) * frame.v.transpose()
}

/// exp(−γ N) along the elastic strain dev ln Uᵉ, with γ = (‖dev ln Uᵉ‖ − y)(1 − e^(−c h)): the exact flow while F stays.
fn creep(point: &Point, threshold: f64, time: f64) -> Option<Mat3> {
    let frame = svd(&point.elastic);
    let strain = frame.sigma.map(f64::ln);
    let mean = strain.iter().sum::<f64>() / 3.0;
    let strain = strain.map(|e| e - mean);
    let size = strain.iter().map(|e| e * e).sum::<f64>().sqrt();
    if !(size > threshold && size.is_finite()) {
        return None;
    }
    let flow = ((size - threshold) * -(-time).exp_m1()).min(MOST_FLOW);
    let change = strain.map(|e| (-flow * e / size).exp());
    Some(frame.v * Mat3::diagonal(change) * frame.v.transpose())
}

/// Where a falling function is zero: from zero on, where it is `at_zero`, by the rule of false position in the form that
/// halves the side that stays (Dowell & Jarratt 1971).
fn zero_of(function: impl Fn(f64) -> f64, at_zero: f64, first: f64, enough: f64) -> f64 {
    let (mut low, mut above) = (0.0, at_zero);
    let mut high = first.min(MOST_FLOW);
    let mut below = function(high);
    while below > enough && high < MOST_FLOW {
        (low, above) = (high, below);
        high = (2.0 * high).min(MOST_FLOW);
        below = function(high);
    }
    // Nor is there more to find where it is no number.
    if !(below < -enough) {
        return if below.is_nan() { low } else { high };
    }
    for _ in 0..MOST_TRIES {
        let middle = (low * below - high * above) / (below - above);
        let value = function(middle);
        if value.abs() <= enough || !value.is_finite() {
            return middle;
        }
        if value > 0.0 {
            (low, above) = (middle, value);
            below *= 0.5;
        } else {
            (high, below) = (middle, value);
            above *= 0.5;
        }
    }
    low
}

struct Stress {
    mu: f64,
    lambda: f64,
    f: Mat3,
}

impl LawVisitor for Stress {
    type Output = Mat3;

    fn visit<F: LawFamily>(self) -> Mat3 {
        F::law(self.mu, self.lambda).stress(&self.f)
    }
}

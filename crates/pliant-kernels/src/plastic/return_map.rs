//! The plastic return map: flow of the points of a pack of cells in one step, one point per lane.

use crate::lanes::stress;
use crate::material::{LawKind, Material, Plastic};
use crate::math::{LANES, Lane, Lanes, Mat3, Pack, svd};

use super::search::Search;
use super::symmetric::{Exponential, decomposed, deviator, norm, spread};

/// The plastic material of the cells of a pack: law, constants and thresholds, one of each per lane.
#[derive(Debug, Clone, Copy)]
pub struct Matter {
    law: LawKind,
    /// Constants μ and λ of the law's formula.
    constants: [Pack; 2],
    /// True if some lane hardens; true if some lane creeps.
    hardens: bool,
    creeps: bool,
    /// √(2/3) σʸ, in Pa; infinite in lanes that do not harden.
    radius: Pack,
    /// H, in Pa.
    hardening: Pack,
    /// 2μ + H, in Pa: decrease of the stress per unit of flow at small strain.
    slope: Pack,
    /// Yield strain y; infinite in lanes that do not creep.
    threshold: Pack,
    /// 1 − e^(−c h): the share of the strain beyond the threshold that flows in a step.
    share: Pack,
    /// The largest norm of plastic strain.
    largest: Pack,
}

/// The deformation at a point: Fᵉ and Fᵖ⁻¹.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct FlowPoint<R = f64> {
    /// The elastic part of the deformation.
    pub(super) elastic: Mat3<R>,
    /// The inverse of the plastic part.
    pub(super) inverse: Mat3<R>,
}

/// Tolerance of the distance to the yield surface, relative to the yield stress.
pub(super) const YIELD_TOLERANCE: f64 = 1e-8;

/// Largest flow in a step: stretches change by a factor of e².
pub(super) const MAX_FLOW: f64 = 2.0;

/// Value of ‖Fᵖ⁻¹ − I‖² up to which the plastic strain is only rounding.
const NO_PLASTIC_STRAIN: f64 = 1e-26;

/// A result for all lanes, and a flag: one in the lanes where it is valid, zero elsewhere.
type Where<R> = (Mat3<R>, R);

/// Plastic flow of all lanes.
#[derive(Clone, Copy)]
struct FlowStep<R> {
    /// exp(−γ N).
    matrix: Mat3<R>,
    /// An upper bound of the plastic strain afterwards.
    reach: R,
    /// One in lanes that flow, zero elsewhere.
    flows: R,
}

impl Matter {
    /// Creates a material without plastic flow, for a law with these constants.
    pub fn new(law: LawKind, constants: &[Pack; 2]) -> Self {
        let (none, endless) = ([0.0; LANES], [f64::INFINITY; LANES]);
        Self {
            law,
            constants: *constants,
            hardens: false,
            creeps: false,
            radius: endless,
            hardening: none,
            slope: [1.0; LANES],
            threshold: endless,
            share: none,
            largest: endless,
        }
    }

    /// Sets the plastic material of a lane, for steps of `h` seconds.
    pub fn set(&mut self, lane: usize, material: &Material, h: f64) {
        let Some(plastic) = material.flow() else { return };
        let mu = material.small_strain().mu;
        self.largest[lane] = plastic.largest_strain(mu);
        match plastic {
            Plastic::Hardening { yield_stress, hardening, .. } => {
                self.hardens = true;
                self.radius[lane] = (2.0_f64 / 3.0).sqrt() * yield_stress;
                self.hardening[lane] = hardening;
                self.slope[lane] = 2.0 * mu + hardening;
            }
            Plastic::Creep { yield_strain, rate, .. } => {
                self.creeps = true;
                self.threshold[lane] = yield_strain;
                self.share[lane] = -(-rate * h).exp_m1();
            }
        }
    }

    /// Returns Fᵖ⁻¹ after the flow of a step, and the lanes that flow; `None` if there are none.
    #[inline(always)]
    pub(super) fn flow<L: Lanes>(
        &self,
        lanes: L,
        point: &FlowPoint<L::Lane>,
    ) -> Option<Where<L::Lane>> {
        let (zero, endless) = (lanes.splat(0.0), lanes.splat(f64::INFINITY));
        // A flat or inverted point has no logarithmic strain; elastic forces open it first.
        let finite = point.elastic.norm_squared().if_less(endless, zero.one(), zero);
        let sound = zero.if_less(point.elastic.det(), finite, zero);
        let hardened = if self.hardens { self.harden(lanes, point, sound) } else { None };
        let crept = if self.creeps { self.creep(lanes, point, sound) } else { None };
        let change = match (hardened, crept) {
            (Some(one), Some(other)) => one.or(&other, lanes.splat(0.5)),
            (one, other) => one.or(other)?,
        };
        let mut inverse = point.inverse * change.matrix;
        if lanes.load(&self.largest).any_less(change.reach) {
            inverse = self.limited(lanes, &inverse);
        }
        // Fᵉ = F Fᵖ⁻¹ with an unchanged F. Flow that would give a result that is not finite is dropped.
        let elastic = point.elastic * point.inverse.inverse() * inverse;
        let size = elastic.norm_squared() + inverse.norm_squared();
        Some((inverse, size.if_less(endless, change.flows, zero)))
    }

    /// Returns exp(−γ N) such that the stress returns to the yield surface:
    ///
    /// ```text
    /// ξ = dev M − κ        N = ξ/‖ξ‖        (dev M(Fᵉ exp(−γ N)) − κ − γ H N) : N = √(2/3) σʸ
    /// ```
    ///
    /// - `M = Fᵉᵀ P(Fᵉ)` Mandel stress, `κ = H ln Vᵖ` backstress, in Pa: both refer to the intermediate configuration
    ///   between Fᵖ and Fᵉ
    ///
    /// For small strains γ = (‖ξ‖ − √(2/3) σʸ)/(2μ + H): Mezger et al. 2007, section 5.2, with the denominator
    /// corrected.
    #[inline(always)]
    fn harden<L: Lanes>(
        &self,
        lanes: L,
        point: &FlowPoint<L::Lane>,
        sound: L::Lane,
    ) -> Option<FlowStep<L::Lane>> {
        let (zero, half) = (lanes.splat(0.0), lanes.splat(0.5));
        let (radius, hardening) = (lanes.load(&self.radius), lanes.load(&self.hardening));
        let strain = plastic_log(lanes, &point.inverse);
        let backstress = strain * hardening;
        let relative = deviator(&self.mandel(lanes, &point.elastic)) - backstress;
        let size = half.if_less(sound, norm(&relative), zero);
        // Written so that a NaN stress does not flow.
        let bound = radius * (1.0 + YIELD_TOLERANCE);
        if !bound.any_less(size) {
            return None;
        }
        let flows = bound.if_less(size, zero.one(), zero);
        let direction = relative * (zero.one() / size);
        let (exponential, elastic) = (Exponential::of(&direction), point.elastic);
        let search =
            Search { matter: self, elastic, backstress, direction, exponential, radius, hardening };
        let first = (size - radius) / lanes.load(&self.slope);
        let flow = search.zero(lanes, (size - radius, first), flows);
        let flow = half.if_less(flows, flow, zero);
        // The logarithmic stretches of a product are bounded by the sums of those of its factors (Horn 1950).
        Some(FlowStep { matrix: exponential.at(-flow), reach: norm(&strain) + flow, flows })
    }

    /// Returns exp(−γ N) along the elastic strain dev ln Uᵉ, with γ = (‖dev ln Uᵉ‖ − y)(1 − e^(−c h)): the exact flow
    /// for constant F.
    #[inline(always)]
    fn creep<L: Lanes>(
        &self,
        lanes: L,
        point: &FlowPoint<L::Lane>,
        sound: L::Lane,
    ) -> Option<FlowStep<L::Lane>> {
        let (zero, half) = (lanes.splat(0.0), lanes.splat(0.5));
        let threshold = lanes.load(&self.threshold);
        let frame = decomposed(lanes, &(point.elastic.transpose() * point.elastic));
        let [a, b, c] = half_logarithms(&frame.values);
        let mean = (a + b + c) / 3.0;
        let [a, b, c] = [a - mean, b - mean, c - mean];
        let size = half.if_less(sound, (a * a + b * b + c * c).sqrt(), zero);
        if !threshold.any_less(size) {
            return None;
        }
        let flows = threshold.if_less(size, zero.one(), zero);
        let flow = ((size - threshold) * lanes.load(&self.share)).min(lanes.splat(MAX_FLOW));
        let s = half.if_less(flows, -flow / size, zero);
        let change = [(s * a).exp(), (s * b).exp(), (s * c).exp()];
        let strain = norm(&plastic_log(lanes, &point.inverse));
        let matrix = spread(&frame.vectors, change, &frame.vectors);
        Some(FlowStep { matrix, reach: strain + flow.abs(), flows })
    }

    /// Returns the Mandel stress M = Fᵉᵀ P, which is symmetric for isotropic laws.
    #[inline(always)]
    pub fn mandel<L: Lanes>(&self, lanes: L, elastic: &Mat3<L::Lane>) -> Mat3<L::Lane> {
        let constants = [lanes.load(&self.constants[0]), lanes.load(&self.constants[1])];
        let stress = stress(lanes, self.law, constants, elastic);
        (elastic.transpose() * stress).symmetric()
    }

    /// Returns Fᵖ⁻¹ with the plastic strain scaled down to its limit, and the rotation kept.
    #[inline(always)]
    fn limited<L: Lanes>(&self, lanes: L, inverse: &Mat3<L::Lane>) -> Mat3<L::Lane> {
        let frame = svd(inverse);
        let [a, b, c] = frame.sigma;
        let [a, b, c] = [a.ln(), b.ln(), c.ln()];
        let size = (a * a + b * b + c * c).sqrt();
        let largest = lanes.load(&self.largest);
        let s = largest / size;
        let shortened = [(s * a).exp(), (s * b).exp(), (s * c).exp()];
        Mat3::if_less(largest, size, spread(&frame.u, shortened, &frame.v), *inverse)
    }
}

impl<R: Lane> FlowStep<R> {
    /// Selects this flow in its lanes, the other elsewhere.
    #[inline(always)]
    fn or(&self, other: &Self, half: R) -> Self {
        Self {
            matrix: Mat3::if_less(half, self.flows, self.matrix, other.matrix),
            reach: half.if_less(self.flows, self.reach, other.reach),
            flows: self.flows + other.flows,
        }
    }
}

/// Returns ln Vᵖ of Fᵖ = Vᵖ Rᵖ: the plastic strain, in the intermediate configuration. Vᵖ⁻² = Fᵖ⁻ᵀ Fᵖ⁻¹.
#[inline(always)]
pub fn plastic_log<L: Lanes>(lanes: L, inverse: &Mat3<L::Lane>) -> Mat3<L::Lane> {
    let (zero, nothing) = (lanes.splat(0.0), lanes.splat(NO_PLASTIC_STRAIN));
    let none = Mat3::diagonal([zero; 3]);
    let off = inverse.add_diagonal(-zero.one()).norm_squared();
    if off.all_less(nothing) {
        return none;
    }
    let frame = decomposed(lanes, &(inverse.transpose() * *inverse));
    let [a, b, c] = half_logarithms(&frame.values);
    Mat3::if_less(off, nothing, none, spread(&frame.vectors, [-a, -b, -c], &frame.vectors))
}

/// Logarithms of the square roots.
#[inline(always)]
fn half_logarithms<R: Lane>([a, b, c]: &[R; 3]) -> [R; 3] {
    [a.ln() * 0.5, b.ln() * 0.5, c.ln() * 0.5]
}

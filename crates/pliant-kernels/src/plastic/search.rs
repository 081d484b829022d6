//! Root search for the flow of a hardening material: the stress must lie on the yield surface.

use crate::math::{Lane, Lanes, Mat3};

use super::return_map::{MAX_FLOW, Matter, YIELD_TOLERANCE};
use super::symmetric::{Exponential, deviator};

/// Largest number of steps of the search; each gains a digit or more.
const MAX_TRIES: usize = 40;

/// The excess of the stress over the yield surface, as a function of the flow along a direction.
#[derive(Debug)]
pub(super) struct Search<'a, R> {
    pub(super) matter: &'a Matter,
    pub(super) elastic: Mat3<R>,
    pub(super) backstress: Mat3<R>,
    /// Flow direction N.
    pub(super) direction: Mat3<R>,
    /// exp(s N).
    pub(super) exponential: Exponential<R>,
    pub(super) radius: R,
    pub(super) hardening: R,
}

impl<R: Lane> Search<'_, R> {
    /// (dev M(Fᵉ exp(−γ N)) − κ − γ H N) : N − √(2/3) σʸ.
    #[inline(always)]
    fn excess<L: Lanes<Lane = R>>(&self, lanes: L, flow: R) -> R {
        let elastic = self.elastic * self.exponential.at(-flow);
        let stress = deviator(&self.matter.mandel(lanes, &elastic)) - self.backstress;
        stress.ddot(&self.direction) - flow * self.hardening - self.radius
    }

    /// Finds the flow where the excess is zero, in the lanes where `flows` is one. Without flow the excess is
    /// `at_zero`; `first` is the first guess.
    ///
    /// The upper end is doubled until the root is bracketed; then the regula falsi in the Illinois form, which halves
    /// the value at the end that stays (Dowell & Jarratt 1971). The result of a lane does not depend on the others.
    #[inline(always)]
    pub(super) fn zero<L: Lanes<Lane = R>>(
        &self,
        lanes: L,
        (at_zero, first): (R, R),
        flows: R,
    ) -> R {
        let (zero, half) = (lanes.splat(0.0), lanes.splat(0.5));
        let (most, endless) = (lanes.splat(MAX_FLOW), lanes.splat(f64::INFINITY));
        let enough = self.radius * YIELD_TOLERANCE;
        let (mut low, mut above) = (zero, at_zero);
        let mut high = first.min(most);
        let mut below = self.excess(lanes, high);
        loop {
            // Double the upper end in lanes whose excess is still positive.
            let short = enough.if_less(below, high.if_less(most, flows, zero), zero);
            if !half.any_less(short) {
                break;
            }
            (low, above) = (half.if_less(short, high, low), half.if_less(short, below, above));
            high = half.if_less(short, (high + high).min(most), high);
            below = half.if_less(short, self.excess(lanes, high), below);
        }
        // If the excess is NaN, stop at the last valid flow.
        let mut found = below.if_less(endless, high, low);
        let mut open = below.if_less(-enough, flows, zero);
        for _ in 0..MAX_TRIES {
            if !half.any_less(open) {
                return found;
            }
            // The root of the chord. The end that stays gets half its value, so that it does not stay forever.
            let middle = (low * below - high * above) / (below - above);
            let value = self.excess(lanes, middle);
            found = half.if_less(open, middle, found);
            open = enough.if_less(value.abs(), value.abs().if_less(endless, open, zero), zero);
            let (halved_above, halved_below) = (above * 0.5, below * 0.5);
            low = zero.if_less(value, middle, low);
            high = zero.if_less(value, high, middle);
            above = zero.if_less(value, value, halved_above);
            below = zero.if_less(value, halved_below, value);
        }
        half.if_less(open, low, found)
    }
}

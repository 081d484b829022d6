//! Variation of wind in space and time.

use glam::DVec3;

use pliant_kernels::math::SplitMix;

/// A pattern that is added to a steady wind and carried along with it (Taylor 1938).
///
/// ```text
/// w(x, t) = V + s |V| N((x − V t)/ℓ)
/// ```
///
/// - `V` the steady wind, in m/s; `s` the strength, `ℓ` the length of a gust, in m
/// - `N` values at the corners of a lattice of unit cells, each component between −1 and 1, and smooth between them
///   (value noise with the blend 6u⁵ − 15u⁴ + 10u³, Perlin 2002)
///
/// The same position and time have the same gust in every run, on every machine: N consists of sums and products of
/// hashed numbers. It is not free of divergence, which has no visible effect on bodies.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Gusts {
    /// Speed of the strongest gusts relative to that of the wind (default `0`: a steady wind).
    pub strength: f64,
    /// Size of a gust, in m (default `2`): it takes ℓ/|V| to pass.
    pub length: f64,
    /// Seed of the pattern (default `0`).
    pub seed: u64,
}

impl Default for Gusts {
    fn default() -> Self {
        Self { strength: 0.0, length: 2.0, seed: 0 }
    }
}

impl Gusts {
    /// The velocity of a wind with mean `steady` at a position and time, in m/s.
    pub fn wind(&self, steady: DVec3, x: DVec3, t: f64) -> DVec3 {
        if self.strength == 0.0 {
            return steady;
        }
        let gust = self.noise((x - t * steady) / self.length);
        steady + self.strength * steady.length() * gust
    }

    /// N at a position in lattice units.
    fn noise(&self, place: DVec3) -> DVec3 {
        let corner = place.floor();
        let u = place - corner;
        let [low, high] = [DVec3::ONE - blend(u), blend(u)];
        let corner = corner.to_array().map(|x| x as i64);
        let mut sum = DVec3::ZERO;
        for k in 0..8 {
            let bits = [k & 1, k >> 1 & 1, k >> 2];
            let weight = |axis: usize| if bits[axis] == 1 { high[axis] } else { low[axis] };
            let at = [0, 1, 2].map(|axis| corner[axis].wrapping_add(bits[axis]));
            sum += weight(0) * weight(1) * weight(2) * self.value(at);
        }
        sum
    }

    /// N at a corner.
    fn value(&self, corner: [i64; 3]) -> DVec3 {
        let mix = |hash: u64, x: i64| SplitMix::new(hash ^ x as u64).bits();
        let mut random = SplitMix::new(corner.into_iter().fold(self.seed, mix));
        DVec3::new(random.signed_unit(), random.signed_unit(), random.signed_unit())
    }
}

/// 6u⁵ − 15u⁴ + 10u³: from 0 to 1 with zero slope and curvature at both ends.
fn blend(u: DVec3) -> DVec3 {
    u * u * u * (u * (u * 6.0 - DVec3::splat(15.0)) + DVec3::splat(10.0))
}

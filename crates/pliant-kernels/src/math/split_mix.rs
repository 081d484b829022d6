//! Pseudorandom numbers, equal on every machine.

/// The generator SplitMix64 (Steele et al. 2014): small, accepts any seed.
///
/// ```
/// use pliant_kernels::math::SplitMix;
///
/// let [mut one, mut other] = [7, 7].map(SplitMix::new);
/// assert_eq!(one.bits(), other.bits());
/// assert!(one.signed_unit().abs() <= 1.0);
/// ```
#[derive(Debug, Clone)]
pub struct SplitMix(u64);

impl SplitMix {
    /// Creates a generator; the same seed gives the same sequence.
    pub const fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// Returns the next 64 bits.
    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// Returns a number uniformly distributed in [−1, 1).
    pub fn signed_unit(&mut self) -> f64 {
        // The upper 53 bits are the mantissa of a number in [0, 1).
        const UNIT: f64 = 1.0 / (1u64 << 53) as f64;
        2.0 * (self.bits() >> 11) as f64 * UNIT - 1.0
    }
}

//! Random numbers for tests; the tests of other crates include this file too.
#![allow(dead_code, reason = "every test program takes what it needs")]
#![allow(unreachable_pub, reason = "a module of helpers is no crate")]

use glam::DVec3;

/// True if this run may take long: `PLIANT_HEAVY` is set (see CONTRIBUTING.md).
pub fn heavy() -> bool {
    std::env::var_os("PLIANT_HEAVY").is_some()
}

/// The number of cases that a run takes: all `full` in a heavy run, otherwise an eighth of them.
pub fn cases(full: usize) -> usize {
    if heavy() { full } else { full.div_ceil(8) }
}

/// Calls `check` `count` times, each time with its own random numbers; if it panics, the number of the case is printed.
pub fn for_cases(count: usize, check: &mut dyn FnMut(&mut Random)) {
    for case in 0..count {
        let _told = Case(case);
        check(&mut Random::new(case as u64));
    }
}

struct Case(usize);

impl Drop for Case {
    fn drop(&mut self) {
        if std::thread::panicking() {
            eprintln!(
                "in random case {}: `Random::new({})` gives its numbers again",
                self.0, self.0
            );
        }
    }
}

/// Random numbers that are the same in every run (SplitMix64, Steele et al. 2014).
#[derive(Debug)]
pub struct Random(u64);

impl Random {
    /// A separate sequence for every seed.
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// Random 64 bits.
    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// Uniform in [−1, 1).
    pub fn signed(&mut self) -> f64 {
        (self.bits() >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
    }

    /// Uniform in [low, high).
    pub fn within(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * (0.5 + 0.5 * self.signed())
    }

    /// One of 0, 1, … `count` − 1.
    pub fn below(&mut self, count: usize) -> usize {
        (self.bits() % count as u64) as usize
    }

    /// Uniform in the cube [−1, 1)³.
    pub fn vector(&mut self) -> DVec3 {
        DVec3::new(self.signed(), self.signed(), self.signed())
    }

    /// Uniform in the cube [low, high)³.
    pub fn vector_within(&mut self, low: f64, high: f64) -> DVec3 {
        DVec3::new(self.within(low, high), self.within(low, high), self.within(low, high))
    }

    /// `count` random bytes.
    pub fn bytes(&mut self, count: usize) -> Vec<u8> {
        (0..count).map(|_| self.bits() as u8).collect()
    }
}

//! A 64-bit hash that is the same on every machine.

use std::fmt;

use glam::DVec3;

/// A digest of 64 bits, computed word by word.
///
/// Every step is a one-to-one map of the state, so that a change of a single word always changes the digest. It does
/// not protect against deliberate forgery.
///
/// ```
/// use pliant_kernels::math::Digest;
///
/// let of = |bytes: &[u8]| Digest::default().bytes(bytes).value();
/// assert_eq!(of(b"abc"), of(b"abc"));
/// assert_ne!(of(b"abc"), of(b"abc\0"));
/// ```
#[derive(Debug, Clone)]
pub struct Digest(u64);

impl Default for Digest {
    fn default() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }
}

impl Digest {
    /// Adds a word.
    #[must_use]
    pub fn word(self, word: u64) -> Self {
        let mixed = (self.0 ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        // Without the shift, the highest bits of two words could cancel.
        Self(mixed ^ (mixed >> 32))
    }

    /// Adds many words.
    #[must_use]
    pub fn words(self, words: impl IntoIterator<Item = u64>) -> Self {
        words.into_iter().fold(self, Self::word)
    }

    /// Adds vectors, bit by bit.
    #[must_use]
    pub fn vectors(self, vectors: &[DVec3]) -> Self {
        self.words(vectors.iter().flat_map(|vector| vector.to_array()).map(f64::to_bits))
    }

    /// Adds bytes and their number.
    #[must_use]
    pub fn bytes(self, bytes: &[u8]) -> Self {
        let (words, rest) = bytes.as_chunks::<8>();
        let mut last = [0; 8];
        last[..rest.len()].copy_from_slice(rest);
        let digest = self.words(words.iter().map(|word| u64::from_le_bytes(*word)));
        digest.word(u64::from_le_bytes(last)).word(bytes.len() as u64)
    }

    /// Adds the `Debug` output of a value, so that no field of a configuration is forgotten.
    #[must_use]
    pub fn debug(mut self, thing: &impl fmt::Debug) -> Self {
        let _ = fmt::write(&mut self, format_args!("{thing:?}"));
        self
    }

    /// Returns the digest.
    pub fn value(&self) -> u64 {
        self.0
    }
}

impl fmt::Write for Digest {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        *self = self.clone().words(text.bytes().map(u64::from));
        Ok(())
    }
}

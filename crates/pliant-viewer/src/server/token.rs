//! The access token in the address of the server.

use std::hash::{BuildHasher as _, Hasher as _, RandomState};

/// A random word of 128 bits that grants access to the server.
#[derive(Clone, PartialEq, Eq)]
pub struct Token(String);

impl std::fmt::Debug for Token {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Token(…)")
    }
}

impl Token {
    /// Makes a new token from random numbers of the operating system.
    pub fn random() -> std::io::Result<Self> {
        let mut bytes = [0_u8; 16];
        if std::fs::File::open("/dev/urandom")
            .and_then(|mut file| std::io::Read::read_exact(&mut file, &mut bytes))
            .is_err()
        {
            // On other systems: keys of the standard library's hasher, which come from the system.
            for chunk in bytes.chunks_mut(8) {
                let hash = RandomState::new().build_hasher().finish();
                chunk.copy_from_slice(&hash.to_le_bytes());
            }
        }
        Ok(Self(bytes.iter().map(|byte| format!("{byte:02x}")).collect()))
    }

    /// The token as text.
    pub fn word(&self) -> &str {
        &self.0
    }

    /// Compares a word with the token, in a time that does not depend on its characters.
    pub(crate) fn is(&self, word: &str) -> bool {
        let differ = self.0.bytes().zip(word.bytes()).fold(0, |sum, (a, b)| sum | (a ^ b));
        word.len() == self.0.len() && differ == 0
    }
}

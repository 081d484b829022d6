//! Decodes base64 text whose pieces were encoded separately.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

/// Number of characters in a group, which encodes up to three bytes.
const GROUP_CHARACTERS: usize = 4;

/// Returns the first `count` bytes that `text` encodes, or `None` if there are fewer.
///
/// VTK encodes the header of a compressed array separately, so padding can occur in the middle; groups are therefore
/// decoded in runs that end at padding.
pub(super) fn first_bytes(text: &[u8], count: usize) -> Option<Vec<u8>> {
    let mut bytes = Vec::with_capacity(count.min(text.len()));
    let mut rest = text;
    while bytes.len() < count {
        // Decode two groups more than needed, because padded groups have fewer bytes.
        let wanted =
            (count - bytes.len()).div_ceil(3).saturating_add(2).saturating_mul(GROUP_CHARACTERS);
        let piece = piece(&rest[..wanted.min(rest.len())]);
        if piece.is_empty() {
            return None;
        }
        STANDARD.decode_vec(piece, &mut bytes).ok()?;
        rest = &rest[piece.len()..];
    }
    bytes.truncate(count);
    Some(bytes)
}

/// Returns whole groups up to and including the first padded one.
fn piece(text: &[u8]) -> &[u8] {
    let padding = text.iter().position(|byte| *byte == b'=');
    let whole = text.len() / GROUP_CHARACTERS;
    let groups = padding.map_or(whole, |at| (at / GROUP_CHARACTERS + 1).min(whole));
    &text[..groups * GROUP_CHARACTERS]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Pieces that are encoded separately decode as one stream.
    #[test]
    fn pieces_encoded_apart_are_one_stream() {
        let text = format!("{}{}", STANDARD.encode([1, 2, 3, 4]), STANDARD.encode([5, 6]));
        assert_eq!(first_bytes(text.as_bytes(), 6), Some(vec![1, 2, 3, 4, 5, 6]));
        assert_eq!(first_bytes(text.as_bytes(), 3), Some(vec![1, 2, 3]));
        assert_eq!(first_bytes(text.as_bytes(), 7), None);
    }

    /// Invalid base64 is refused.
    #[test]
    fn garbage_is_refused() {
        assert_eq!(first_bytes(b"!!!!", 1), None);
        assert_eq!(first_bytes(b"AB", 1), None);
        assert_eq!(first_bytes(b"====", 1), None);
    }
}

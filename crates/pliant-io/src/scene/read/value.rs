//! Values of a scene file, with their positions in the text.

use toml::Spanned;
use toml::de::{DeFloat, DeInteger, DeValue};

/// A value from the parser, with its position.
pub(crate) type Value<'a> = Spanned<DeValue<'a>>;

/// A number with its position.
pub(crate) type Number = Spanned<f64>;

/// Three numbers with their position.
pub(crate) type Triple = Spanned<[f64; 3]>;

/// A word with its position.
pub(crate) type Word = Spanned<String>;

/// Parses a whole number; `None` if it is too large for any type.
pub(crate) fn integer(digits: &DeInteger<'_>) -> Option<i128> {
    i128::from_str_radix(digits.as_str(), digits.radix()).ok()
}

/// Returns true if the number fits in 64 bits, signed or unsigned.
pub(crate) fn has_64_bits(number: i128) -> bool {
    (i64::MIN.into()..=u64::MAX.into()).contains(&number)
}

/// Parses a number; `None` if it overflows. The text `inf` is valid.
pub(crate) fn float(digits: &DeFloat<'_>) -> Option<f64> {
    let number: f64 = digits.as_str().parse().ok()?;
    (!number.is_infinite() || digits.as_str().contains("inf")).then_some(number)
}

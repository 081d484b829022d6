//! Reading values of a scene file: numbers, words, lists and their places.
//!
//! By hand and not by `serde`, whose way from the text to a table is compiled anew for every type.

use toml::Spanned;
use toml::de::{DeFloat, DeInteger, DeValue};

use super::error::Problem;
use super::misread::{mistaken, too_large, wrong_length};

/// A value as the parser left it, with its place.
pub(super) type Value<'a> = Spanned<DeValue<'a>>;

/// What can be read from a value.
pub(super) trait Read: Sized {
    /// What stands for it where its key is not given; nothing if it must be given.
    fn absent() -> Option<Self> {
        None
    }

    /// What the value says.
    fn read(value: &Value<'_>) -> Result<Self, Box<Problem>>;
}

impl Read for bool {
    fn read(value: &Value<'_>) -> Result<Self, Box<Problem>> {
        value.get_ref().as_bool().ok_or_else(|| mistaken(value, "a boolean"))
    }
}

impl Read for i64 {
    fn read(value: &Value<'_>) -> Result<Self, Box<Problem>> {
        match value.get_ref().as_integer().and_then(whole).filter(|number| has_64_bits(*number)) {
            Some(number) => number.try_into().map_err(|_| too_large(value, number, "i64")),
            None => Err(mistaken(value, "i64")),
        }
    }
}

impl Read for f64 {
    fn read(value: &Value<'_>) -> Result<Self, Box<Problem>> {
        let number = match value.get_ref() {
            DeValue::Integer(digits) => {
                whole(digits).filter(|number| has_64_bits(*number)).map(|number| number as Self)
            }
            DeValue::Float(digits) => float(digits),
            _ => None,
        };
        number.ok_or_else(|| mistaken(value, "f64"))
    }
}

/// The whole number, if it is not too large for any type.
pub(super) fn whole(digits: &DeInteger<'_>) -> Option<i128> {
    i128::from_str_radix(digits.as_str(), digits.radix()).ok()
}

/// Whether a number of 64 bits holds it, with its sign or without.
pub(super) fn has_64_bits(number: i128) -> bool {
    (i64::MIN.into()..=u64::MAX.into()).contains(&number)
}

/// The number, if it is not too large; `inf` may be typed.
pub(super) fn float(digits: &DeFloat<'_>) -> Option<f64> {
    let number: f64 = digits.as_str().parse().ok()?;
    (!number.is_infinite() || digits.as_str().contains("inf")).then_some(number)
}

impl Read for String {
    fn read(value: &Value<'_>) -> Result<Self, Box<Problem>> {
        value.get_ref().as_str().map(str::to_owned).ok_or_else(|| mistaken(value, "a string"))
    }
}

impl<T: Read> Read for Spanned<T> {
    fn read(value: &Value<'_>) -> Result<Self, Box<Problem>> {
        Ok(Self::new(value.span(), T::read(value)?))
    }
}

impl<T: Read> Read for Box<T> {
    fn read(value: &Value<'_>) -> Result<Self, Box<Problem>> {
        T::read(value).map(Self::new)
    }
}

impl<T: Read> Read for Option<T> {
    fn absent() -> Option<Self> {
        Some(None)
    }

    fn read(value: &Value<'_>) -> Result<Self, Box<Problem>> {
        T::read(value).map(Some)
    }
}

impl<T: Read> Read for Vec<T> {
    fn absent() -> Option<Self> {
        Some(Self::new())
    }

    fn read(value: &Value<'_>) -> Result<Self, Box<Problem>> {
        match value.get_ref() {
            DeValue::Array(list) => list.iter().map(T::read).collect(),
            _ => Err(mistaken(value, "a sequence")),
        }
    }
}

impl<T: Read, const N: usize> Read for [T; N] {
    fn read(value: &Value<'_>) -> Result<Self, Box<Problem>> {
        let DeValue::Array(list) = value.get_ref() else {
            return Err(mistaken(value, &format!("an array of length {N}")));
        };
        let items: Vec<T> = list.iter().map(T::read).collect::<Result<_, _>>()?;
        items.try_into().map_err(|items: Vec<T>| wrong_length(value, items.len(), N))
    }
}

//! Reads values of a scene file: numbers, words, lists and their positions.
//!
//! Written by hand instead of with `serde`, whose path from text to table is compiled again for every type.

use toml::Spanned;
use toml::de::DeValue;

use super::key::Key;
use super::read_error::{too_large, wrong_length, wrong_type};
use super::value::{Value, float, has_64_bits, integer};
use crate::scene::problem::problem::Problem;

/// A type that can be read from a value.
pub(crate) trait Read: Sized {
    /// The default if the key is missing; `None` if the key is required.
    fn default_if_missing() -> Option<Self> {
        None
    }

    /// Reads the value of a key.
    fn read(value: &Value<'_>, key: Key<'_>) -> Result<Self, Box<Problem>>;
}

impl Read for bool {
    fn read(value: &Value<'_>, _: Key<'_>) -> Result<Self, Box<Problem>> {
        value.get_ref().as_bool().ok_or_else(|| wrong_type(value, "a boolean"))
    }
}

impl Read for i64 {
    fn read(value: &Value<'_>, _: Key<'_>) -> Result<Self, Box<Problem>> {
        match value.get_ref().as_integer().and_then(integer).filter(|number| has_64_bits(*number)) {
            Some(number) => number.try_into().map_err(|_| too_large(value, number, "below 2^63")),
            None => Err(wrong_type(value, "a whole number")),
        }
    }
}

impl Read for f64 {
    fn read(value: &Value<'_>, _: Key<'_>) -> Result<Self, Box<Problem>> {
        let number = match value.get_ref() {
            DeValue::Integer(digits) => {
                integer(digits).filter(|number| has_64_bits(*number)).map(|number| number as Self)
            }
            DeValue::Float(digits) => float(digits),
            _ => None,
        };
        number.ok_or_else(|| wrong_type(value, "a number"))
    }
}

impl Read for String {
    fn read(value: &Value<'_>, _: Key<'_>) -> Result<Self, Box<Problem>> {
        value.get_ref().as_str().map(str::to_owned).ok_or_else(|| wrong_type(value, "a string"))
    }
}

impl<T: Read> Read for Spanned<T> {
    fn read(value: &Value<'_>, key: Key<'_>) -> Result<Self, Box<Problem>> {
        Ok(Self::new(value.span(), T::read(value, key)?))
    }
}

impl<T: Read> Read for Box<T> {
    fn read(value: &Value<'_>, key: Key<'_>) -> Result<Self, Box<Problem>> {
        T::read(value, key).map(Self::new)
    }
}

impl<T: Read> Read for Option<T> {
    fn default_if_missing() -> Option<Self> {
        Some(None)
    }

    fn read(value: &Value<'_>, key: Key<'_>) -> Result<Self, Box<Problem>> {
        T::read(value, key).map(Some)
    }
}

impl<T: Read> Read for Vec<T> {
    fn default_if_missing() -> Option<Self> {
        Some(Self::new())
    }

    fn read(value: &Value<'_>, key: Key<'_>) -> Result<Self, Box<Problem>> {
        match value.get_ref() {
            DeValue::Array(list) => list.iter().map(|item| T::read(item, key.of_items())).collect(),
            _ => Err(wrong_type(value, "an array")),
        }
    }
}

impl<T: Read, const N: usize> Read for [T; N] {
    fn read(value: &Value<'_>, key: Key<'_>) -> Result<Self, Box<Problem>> {
        let DeValue::Array(list) = value.get_ref() else {
            return Err(wrong_type(value, &format!("an array of length {N}")));
        };
        let items = list.iter().map(|item| T::read(item, key.of_items()));
        let items = items.collect::<Result<Vec<T>, _>>()?;
        items.try_into().map_err(|items: Vec<T>| wrong_length(value, items.len(), N))
    }
}

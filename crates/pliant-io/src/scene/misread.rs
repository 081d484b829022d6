//! What is said of a scene file that cannot be read: no TOML, an unknown key, a value of the wrong type.

use std::ops::Range;

use toml::de::DeValue;

use super::error::Problem;
use super::fault::Fault;
use super::nearest::nearest;
use super::read::{Value, float, has_64_bits, whole};

/// Text that is no TOML.
pub(super) fn no_toml(error: &toml::de::Error) -> Box<Problem> {
    problem(error.message().to_owned(), error.span().unwrap_or(0..0))
}

/// A value of another type than `expected`, or a number that is too large for any.
pub(super) fn mistaken(value: &Value<'_>, expected: &str) -> Box<Problem> {
    let message = match found(value.get_ref()) {
        Ok(found) => format!("invalid type: {found}, expected {expected}"),
        Err(overflowed) => overflowed.to_owned(),
    };
    problem(message, value.span())
}

/// A whole number that is too large for its type.
pub(super) fn too_large(value: &Value<'_>, number: i128, expected: &str) -> Box<Problem> {
    problem(format!("invalid value: integer `{number}`, expected {expected}"), value.span())
}

/// An array of fewer or more items than there must be.
pub(super) fn wrong_length(value: &Value<'_>, length: usize, expected: usize) -> Box<Problem> {
    let message = format!("invalid length {length}, expected an array of length {expected}");
    problem(message, value.span())
}

/// A table without a key that it must have.
pub(super) fn missing(key: &str, table: Range<usize>) -> Box<Problem> {
    problem(format!("missing field `{key}`"), table)
}

/// A key that a table cannot have; with the one probably meant.
pub(super) fn unknown(key: &str, place: Range<usize>, known: &[&str]) -> Box<Problem> {
    let expected = match known {
        [only] => format!("`{only}`"),
        [first, second] => format!("`{first}` or `{second}`"),
        many => format!("one of `{}`", many.join("`, `")),
    };
    let message = format!("unknown field `{key}`, expected {expected}");
    let nearest = nearest(key, known.iter().copied()).map(str::to_owned);
    Box::new(Problem { fault: Fault::Syntax { message, nearest }, span: place })
}

fn problem(message: String, span: Range<usize>) -> Box<Problem> {
    Box::new(Problem { fault: Fault::Syntax { message, nearest: None }, span })
}

/// What the value is; or that it is a number that is too large.
fn found(value: &DeValue<'_>) -> Result<String, &'static str> {
    Ok(match value {
        DeValue::String(text) => format!("string {text:?}"),
        DeValue::Integer(digits) => match whole(digits).ok_or("integer number overflowed")? {
            number if has_64_bits(number) => format!("integer `{number}`"),
            number => format!("integer `{number}` as i128"),
        },
        DeValue::Float(digits) => {
            let number = float(digits).ok_or("floating-point number overflowed")?;
            format!("floating point `{}`", with_point(number))
        }
        DeValue::Boolean(flag) => format!("boolean `{flag}`"),
        DeValue::Array(_) => "sequence".to_owned(),
        DeValue::Datetime(_) | DeValue::Table(_) => "map".to_owned(),
    })
}

/// The number, so that one sees that it is not an integer.
fn with_point(number: f64) -> String {
    match number.fract() == 0.0 {
        true => format!("{number}.0"),
        false => number.to_string(),
    }
}

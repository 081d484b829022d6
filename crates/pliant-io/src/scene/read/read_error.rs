//! Problems of a scene file that cannot be read: invalid TOML, an unknown key, a value of the wrong type.

use std::ops::Range;

use toml::de::DeValue;

use super::value::{Value, float, has_64_bits, integer};
use crate::scene::problem::fault::Fault;
use crate::scene::problem::nearest::nearest;
use crate::scene::problem::problem::Problem;

/// Text that is not valid TOML.
pub(crate) fn invalid_toml(error: &toml::de::Error) -> Box<Problem> {
    problem(error.message().to_owned(), error.span().unwrap_or(0..0))
}

/// A value of another type than `expected`, or a number too large for any type.
pub(crate) fn wrong_type(value: &Value<'_>, expected: &str) -> Box<Problem> {
    let message = match found(value.get_ref()) {
        Ok(found) => format!("invalid type: {found}, expected {expected}"),
        Err(overflowed) => overflowed.to_owned(),
    };
    problem(message, value.span())
}

/// A whole number too large for its type.
pub(crate) fn too_large(value: &Value<'_>, number: i128, expected: &str) -> Box<Problem> {
    problem(format!("invalid value: integer `{number}`, expected {expected}"), value.span())
}

/// An array with too few or too many items.
pub(crate) fn wrong_length(value: &Value<'_>, length: usize, expected: usize) -> Box<Problem> {
    let message = format!("invalid length {length}, expected an array of length {expected}");
    problem(message, value.span())
}

/// A table without a required key.
pub(crate) fn missing_key(key: &str, table: Range<usize>) -> Box<Problem> {
    problem(format!("missing field `{key}`"), table)
}

/// A key that the table does not have, with the nearest known key.
pub(crate) fn unknown_key(key: &str, place: Range<usize>, known: &[&str]) -> Box<Problem> {
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

/// Describes the value; an error if it is a number too large for any type.
fn found(value: &DeValue<'_>) -> Result<String, &'static str> {
    Ok(match value {
        DeValue::String(text) => format!("string {text:?}"),
        DeValue::Integer(digits) => match integer(digits).ok_or("integer is too large")? {
            number if has_64_bits(number) => format!("integer `{number}`"),
            number => format!("integer `{number}` of more than 64 bits"),
        },
        DeValue::Float(digits) => {
            let number = float(digits).ok_or("floating-point number is too large")?;
            format!("floating point `{}`", with_point(number))
        }
        DeValue::Boolean(flag) => format!("boolean `{flag}`"),
        DeValue::Array(_) => "array".to_owned(),
        DeValue::Datetime(_) | DeValue::Table(_) => "table or date".to_owned(),
    })
}

/// Formats a number with a decimal point, so that it cannot be taken for an integer.
fn with_point(number: f64) -> String {
    match number.fract() == 0.0 {
        true => format!("{number}.0"),
        false => number.to_string(),
    }
}

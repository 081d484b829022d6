//! Values with a short form, a number or a flag, and a long form, a table.

use toml::de::DeValue;

use super::key::Key;
use super::read::Read;
use super::read_error::wrong_type;
use super::value::Value;
use crate::scene::problem::problem::Problem;

/// A feature that is on or off, or on with settings.
#[derive(Debug)]
pub(crate) enum FlagOr<T> {
    /// `adaptive = true`.
    Flag(bool),
    /// `adaptive = { refine = 1e-3, … }`.
    Table(Box<T>),
}

impl<T> FlagOr<T> {
    /// The settings, if they are given.
    pub(crate) fn table(&self) -> Option<&T> {
        match self {
            Self::Flag(_) => None,
            Self::Table(table) => Some(table),
        }
    }
}

/// A number, a table with more settings, or `false` for none.
#[derive(Debug)]
pub(crate) enum NumberOr<T> {
    /// `toughness = 5e7`.
    Number(f64),
    /// `toughness = false`.
    Flag(bool),
    /// `toughness = { strength = 4e6, … }`.
    Table(Box<T>),
}

impl<T: Read> Read for FlagOr<T> {
    fn read(value: &Value<'_>, key: Key<'_>) -> Result<Self, Box<Problem>> {
        match value.get_ref() {
            DeValue::Boolean(flag) => Ok(Self::Flag(*flag)),
            DeValue::Table(_) => Read::read(value, key).map(Self::Table),
            _ => Err(wrong_type(value, "true, false, or a table with settings")),
        }
    }
}

impl<T: Read> Read for NumberOr<T> {
    fn read(value: &Value<'_>, key: Key<'_>) -> Result<Self, Box<Problem>> {
        match value.get_ref() {
            DeValue::Boolean(flag) => Ok(Self::Flag(*flag)),
            DeValue::Integer(_) | DeValue::Float(_) => f64::read(value, key).map(Self::Number),
            DeValue::Table(_) => Read::read(value, key).map(Self::Table),
            _ => Err(wrong_type(value, "a number, false, or a table with settings")),
        }
    }
}

//! Values with a short form, a word or a flag, and a long form, a table.

use toml::de::DeValue;

use super::error::Problem;
use super::file::{MaterialFile, ShapeFile};
use super::misread::mistaken;
use super::read::{Read, Value};

/// A material: the name of a preset, or a table.
#[derive(Debug)]
pub(super) enum MaterialValue {
    /// `material = "rubber"`.
    Preset(String),
    /// `material = { young = 1e6, … }`.
    Table(Box<MaterialFile>),
}

/// The selection of a pin or region: a name or a shape.
#[derive(Debug)]
pub(super) enum Selector {
    /// `where = "x-"`: a side, a node set or a region.
    Name(String),
    /// `where = { box = … }`.
    Shape(Box<ShapeFile>),
}

/// A feature that is on or off, or on with settings.
#[derive(Debug)]
pub(super) enum FlagOr<T> {
    /// `adaptive = true`.
    Flag(bool),
    /// `adaptive = { refine = 1e-3, … }`.
    Table(Box<T>),
}

impl<T> FlagOr<T> {
    /// The settings, if they are given.
    pub(super) fn table(&self) -> Option<&T> {
        match self {
            Self::Flag(_) => None,
            Self::Table(table) => Some(table),
        }
    }
}

/// A number, a table with more settings, or `false` for none.
#[derive(Debug)]
pub(super) enum NumberOr<T> {
    /// `toughness = 5e7`.
    Number(f64),
    /// `toughness = false`.
    Flag(bool),
    /// `toughness = { strength = 4e6, … }`.
    Table(Box<T>),
}

impl Read for MaterialValue {
    fn read(value: &Value<'_>) -> Result<Self, Box<Problem>> {
        match value.get_ref() {
            DeValue::String(name) => Ok(Self::Preset(name.to_string())),
            DeValue::Table(_) => Read::read(value).map(Self::Table),
            _ => Err(mistaken(
                value,
                "the name of a material, or a table with `young`, `poisson`, `density`",
            )),
        }
    }
}

impl Read for Selector {
    fn read(value: &Value<'_>) -> Result<Self, Box<Problem>> {
        match value.get_ref() {
            DeValue::String(name) => Ok(Self::Name(name.to_string())),
            DeValue::Table(_) => Read::read(value).map(Self::Shape),
            _ => Err(mistaken(
                value,
                "the name of a side, node set or region, or a table with `box`, `sphere`, `half_space`, `surface` or `colour`",
            )),
        }
    }
}

impl<T: Read> Read for FlagOr<T> {
    fn read(value: &Value<'_>) -> Result<Self, Box<Problem>> {
        match value.get_ref() {
            DeValue::Boolean(flag) => Ok(Self::Flag(*flag)),
            DeValue::Table(_) => Read::read(value).map(Self::Table),
            _ => Err(mistaken(value, "true, false, or a table with settings")),
        }
    }
}

impl<T: Read> Read for NumberOr<T> {
    fn read(value: &Value<'_>) -> Result<Self, Box<Problem>> {
        match value.get_ref() {
            DeValue::Boolean(flag) => Ok(Self::Flag(*flag)),
            DeValue::Integer(_) | DeValue::Float(_) => f64::read(value).map(Self::Number),
            DeValue::Table(_) => Read::read(value).map(Self::Table),
            _ => Err(mistaken(value, "a number, false, or a table with settings")),
        }
    }
}

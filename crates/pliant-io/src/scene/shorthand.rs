//! Values that may be given in short, as a word or a flag, or as a table.
//!
//! These visitors read the table straight from the text: serde's `untagged` would buffer it and
//! lose the places of its values.

use std::fmt;
use std::marker::PhantomData;

use serde::de::value::MapAccessDeserializer;
use serde::de::{Deserialize, Deserializer, Error, MapAccess, Visitor};

use super::file::{MaterialFile, ShapeFile};

/// A material: the name of a preset, or key by key.
#[derive(Debug)]
pub(super) enum MaterialValue {
    /// `material = "rubber"`.
    Preset(String),
    /// `material = { young = 1e6, … }`.
    Table(Box<MaterialFile>),
}

/// What a pin or region selects: something with a name, or a shape.
#[derive(Debug)]
pub(super) enum Selector {
    /// `where = "x-"`: a side, a node set or a region.
    Name(String),
    /// `where = { box = … }`.
    Shape(Box<ShapeFile>),
}

/// Something that is on or off, or on with settings.
#[derive(Debug)]
pub(super) enum FlagOr<T> {
    /// `adaptive = true`.
    Flag(bool),
    /// `adaptive = { refine = 1e-3, … }`.
    Table(Box<T>),
}

impl<T> FlagOr<T> {
    /// The settings, if any are given.
    pub(super) fn table(&self) -> Option<&T> {
        match self {
            Self::Flag(_) => None,
            Self::Table(table) => Some(table),
        }
    }
}

/// A number, or a table that says more; `false` for nothing of the kind.
#[derive(Debug)]
pub(super) enum NumberOr<T> {
    /// `toughness = 5e7`.
    Number(f64),
    /// `toughness = false`.
    Flag(bool),
    /// `toughness = { strength = 4e6, … }`.
    Table(Box<T>),
}

/// Reads `T` from a word or from a table of type `U`.
struct WordOrTable<T, U> {
    expecting: &'static str,
    word: fn(String) -> T,
    table: fn(U) -> T,
    marker: PhantomData<U>,
}

impl<'de, T, U: Deserialize<'de>> Visitor<'de> for WordOrTable<T, U> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.expecting)
    }

    fn visit_str<E: Error>(self, word: &str) -> Result<T, E> {
        Ok((self.word)(word.to_owned()))
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<T, A::Error> {
        U::deserialize(MapAccessDeserializer::new(map)).map(self.table)
    }
}

impl<'de> Deserialize<'de> for MaterialValue {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(WordOrTable {
            expecting: "the name of a material, or a table with `young`, `poisson`, `density`",
            word: Self::Preset,
            table: |table| Self::Table(Box::new(table)),
            marker: PhantomData,
        })
    }
}

impl<'de> Deserialize<'de> for Selector {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(WordOrTable {
            expecting: "the name of a side, node set or region, or a table with `box`, `sphere`, `half_space`, `surface` or `colour`",
            word: Self::Name,
            table: |shape| Self::Shape(Box::new(shape)),
            marker: PhantomData,
        })
    }
}

/// Reads [`FlagOr`].
struct FlagOrTable<T>(PhantomData<T>);

impl<'de, T: Deserialize<'de>> Visitor<'de> for FlagOrTable<T> {
    type Value = FlagOr<T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("true, false, or a table with settings")
    }

    fn visit_bool<E: Error>(self, flag: bool) -> Result<FlagOr<T>, E> {
        Ok(FlagOr::Flag(flag))
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<FlagOr<T>, A::Error> {
        let table = T::deserialize(MapAccessDeserializer::new(map))?;
        Ok(FlagOr::Table(Box::new(table)))
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for FlagOr<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(FlagOrTable(PhantomData))
    }
}

/// Reads [`NumberOr`].
struct NumberOrTable<T>(PhantomData<T>);

impl<'de, T: Deserialize<'de>> Visitor<'de> for NumberOrTable<T> {
    type Value = NumberOr<T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a number, false, or a table with settings")
    }

    fn visit_bool<E: Error>(self, flag: bool) -> Result<NumberOr<T>, E> {
        Ok(NumberOr::Flag(flag))
    }

    fn visit_i64<E: Error>(self, number: i64) -> Result<NumberOr<T>, E> {
        Ok(NumberOr::Number(number as f64))
    }

    fn visit_f64<E: Error>(self, number: f64) -> Result<NumberOr<T>, E> {
        Ok(NumberOr::Number(number))
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<NumberOr<T>, A::Error> {
        let table = T::deserialize(MapAccessDeserializer::new(map))?;
        Ok(NumberOr::Table(Box::new(table)))
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for NumberOr<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(NumberOrTable(PhantomData))
    }
}

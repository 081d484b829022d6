//! Materials, as they were typed.

use toml::Spanned;
use toml::de::DeValue;

use crate::scene::problem::problem::Problem;
use crate::scene::read::key::Key;
use crate::scene::read::read::Read;
use crate::scene::read::read_error::wrong_type;
use crate::scene::read::shorthand::{FlagOr, NumberOr};
use crate::scene::read::table::tables;
use crate::scene::read::value::{Number, Triple, Value, Word};

/// A material: the name of a preset, or a table.
#[derive(Debug)]
pub(crate) enum MaterialValue {
    /// `material = "rubber"`.
    Preset(String),
    /// `material = { young = 1e6, … }`.
    Table(Box<MaterialFile>),
}

impl Read for MaterialValue {
    fn read(value: &Value<'_>, key: Key<'_>) -> Result<Self, Box<Problem>> {
        match value.get_ref() {
            DeValue::String(name) => Ok(Self::Preset(name.to_string())),
            DeValue::Table(_) => Read::read(value, key).map(Self::Table),
            _ => Err(wrong_type(
                value,
                "the name of a material, or a table with `young`, `poisson`, `density`",
            )),
        }
    }
}

tables! {
    /// A material given key by key; a preset, if named, gives the missing keys.
    #[derive(Default)]
    struct MaterialFile {
        preset: Option<Word>,
        law: Option<Word>,
        young: Option<Number>,
        poisson: Option<Number>,
        density: Option<Number>,
        parameters: Option<Word>,
        plastic: Option<Spanned<FlagOr<PlasticFile>>>,
        toughness: Option<Spanned<NumberOr<StrengthFile>>>,
        rigid: Option<bool>,
    }

    /// Plastic flow: hardening with `yield_stress`, creep with `yield_strain`.
    #[derive(Default)]
    struct PlasticFile {
        yield_stress: Option<Number>,
        hardening: Option<Number>,
        yield_strain: Option<Number>,
        rate: Option<Number>,
        limit: Option<Number>,
    }

    /// `toughness = { … }` of a material.
    #[derive(Default)]
    struct StrengthFile {
        strength: Option<Number>,
        grain: Option<Triple>,
        ratio: Option<Number>,
    }
}

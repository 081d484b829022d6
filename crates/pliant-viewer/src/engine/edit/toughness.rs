//! Sets the toughness of bodies.

use pliant::material::{Grain, Material, Toughness};
use toml_edit::{Array, InlineTable, TableLike, Value, value};

use crate::engine::table::table;

/// Writes the toughness of a body with this material; zero makes it unbreakable. Its grain stays.
pub(super) fn set_toughness(body: &mut dyn TableLike, strength: f64, material: &Material) {
    let Some(table) = table(body, "material", "preset") else { return };
    let entry = match strength == 0.0 {
        true => Value::from(false),
        false => value_of(strength, material.toughness.and_then(|toughness| toughness.grain)),
    };
    table.insert("toughness", value(entry));
}

/// The toughness multiplied by `factor`.
pub(super) fn times(factor: f64, Toughness { strength, grain }: Toughness) -> Value {
    value_of(factor * strength, grain)
}

fn value_of(strength: f64, grain: Option<Grain>) -> Value {
    let Some(Grain { along, ratio }) = grain else { return strength.into() };
    let mut table = InlineTable::new();
    table.insert("strength", strength.into());
    table.insert("grain", along.to_array().into_iter().collect::<Array>().into());
    table.insert("ratio", ratio.into());
    table.into()
}

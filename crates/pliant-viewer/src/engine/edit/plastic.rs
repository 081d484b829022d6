//! Sets the plastic flow of bodies.

use pliant::material::{Material, Plastic};
use toml_edit::{InlineTable, TableLike, value};

use crate::engine::order::Refusal;
use crate::engine::table::table;
use crate::protocol::command::{PlasticKind, SetBody};

/// Default yield stress, hardening and limit of a hardening body, relative to Young's modulus: a body bent by hand
/// stays bent.
const DEFAULT_HARDENING: [f64; 3] = [0.02, 0.01, 1.0];

/// Default yield strain, creep rate in 1/s, and limit of a creeping body.
const DEFAULT_CREEP: [f64; 3] = [0.02, 5.0, 1.0];

/// Writes the settings of plastic flow to a body with this material.
pub(super) fn set_plastic(
    body: &mut dyn TableLike,
    set: &SetBody,
    material: &Material,
) -> Result<(), Refusal> {
    let Some(flow) = flow_of(set, material)? else { return Ok(()) };
    let Some(table) = table(body, "material", "preset") else { return Ok(()) };
    match flow {
        Flow::Some(flow) => table.insert("plastic", value(flow)),
        Flow::None => table.remove("plastic"),
    };
    Ok(())
}

/// A plastic flow.
#[derive(Debug)]
pub(super) enum Flow {
    /// No flow.
    None,
    /// Flow with these parameters.
    Some(InlineTable),
}

/// The plastic flow that the settings describe for this material; `None` if they do not mention it.
pub(super) fn flow_of(set: &SetBody, material: &Material) -> Result<Option<Flow>, Refusal> {
    Ok(kind(set, material)?.map(|kind| match kind {
        PlasticKind::Elastic => Flow::None,
        PlasticKind::Hardening => Flow::Some(hardening(set, material)),
        PlasticKind::Creep => Flow::Some(creep(set, material)),
    }))
}

/// The kind of flow that the settings imply; `None` if they do not mention it.
fn kind(set: &SetBody, material: &Material) -> Result<Option<PlasticKind>, Refusal> {
    let hardens = set.yield_stress.is_some() || set.hardening.is_some();
    let creeps = set.yield_strain.is_some() || set.rate.is_some();
    let limits = set.limit.is_some() || set.limited.is_some();
    let now = match material.plastic {
        None => PlasticKind::Elastic,
        Some(Plastic::Hardening { .. }) => PlasticKind::Hardening,
        Some(Plastic::Creep { .. }) => PlasticKind::Creep,
    };
    let by_numbers = if hardens { PlasticKind::Hardening } else { PlasticKind::Creep };
    let by_numbers = (hardens || creeps).then_some(by_numbers);
    let kind = set.plastic.or(by_numbers).or(limits.then_some(now));
    if hardens && creeps || by_numbers.is_some() && by_numbers != kind {
        let message = "yield stress and hardening belong to a hardening material, yield strain and rate to a creeping one; choose one of the two";
        return Err(Refusal::new("out-of-range", message));
    }
    if limits && kind == Some(PlasticKind::Elastic) {
        let message =
            "an elastic body does not flow and has no limit; choose hardening or creep first";
        return Err(Refusal::new("out-of-range", message));
    }
    Ok(kind)
}

fn hardening(set: &SetBody, material: &Material) -> InlineTable {
    let default = DEFAULT_HARDENING.map(|share| share * material.young);
    let (now, limit) = match material.plastic {
        Some(Plastic::Hardening { yield_stress, hardening, limit }) => {
            ([yield_stress, hardening], limit)
        }
        _ => ([default[0], default[1]], default[2]),
    };
    let threshold = set.yield_stress.unwrap_or(now[0]);
    let limit = limit_of(set, limit, default[2].max(threshold));
    let entries = [
        ("yield_stress", threshold),
        ("hardening", set.hardening.unwrap_or(now[1])),
        ("limit", limit),
    ];
    table_of(entries)
}

fn creep(set: &SetBody, material: &Material) -> InlineTable {
    let (now, limit) = match material.plastic {
        Some(Plastic::Creep { yield_strain, rate, limit }) => ([yield_strain, rate], limit),
        _ => ([DEFAULT_CREEP[0], DEFAULT_CREEP[1]], DEFAULT_CREEP[2]),
    };
    let threshold = set.yield_strain.unwrap_or(now[0]);
    let limit = limit_of(set, limit, DEFAULT_CREEP[2].max(threshold));
    table_of([("yield_strain", threshold), ("rate", set.rate.unwrap_or(now[1])), ("limit", limit)])
}

/// The limit: the given one, the old one, or the default if there was none.
fn limit_of(set: &SetBody, now: f64, default: f64) -> f64 {
    match (set.limit, set.limited) {
        (Some(limit), _) => limit,
        (None, Some(false)) => f64::INFINITY,
        (None, Some(true)) if now.is_infinite() => default,
        (None, _) => now,
    }
}

/// A table of these numbers; an infinite limit is not written.
fn table_of(entries: [(&str, f64); 3]) -> InlineTable {
    let given_keys =
        entries.into_iter().filter(|(key, number)| *key != "limit" || number.is_finite());
    given_keys.map(|(key, number)| (key, toml_edit::Value::from(number))).collect()
}

//! Changes settings of bodies and of the world.

use pliant::material::Material;
use pliant_io::scene::Scene;
use toml_edit::{Item, Table, TableLike, Value, value};

use super::body;
use super::plastic::set_plastic;
use super::toughness::set_toughness;
use crate::engine::document::Document;
use crate::engine::order::Refusal;
use crate::engine::table::{put, table, tables, triple};
use crate::protocol::command::{SetBody, SetWorld};

/// The keys of the given settings, to recognise repeated edits: a moving slider sends many of the same.
pub(super) fn given_keys(set: &impl serde::Serialize) -> Vec<(String, String)> {
    let serde_json::Value::Object(entries) = serde_json::json!(set) else { return Vec::new() };
    let given = entries.into_iter().filter(|(_, value)| !value.is_null());
    given
        .map(|(key, value)| (if key == "body" { value.to_string() } else { String::new() }, key))
        .collect()
}

/// The names of the given settings, as text.
pub(super) fn keys(set: &impl serde::Serialize) -> String {
    let keys = given_keys(set).into_iter().map(|(_, key)| key).filter(|key| key != "body");
    keys.collect::<Vec<_>>().join(", ").replace('_', " ")
}

/// Changes settings of one body, or of all.
pub(super) fn set_bodies(
    document: &mut Document,
    scene: &Scene,
    set: &SetBody,
) -> Result<(), Refusal> {
    match set.body {
        Some(index) => {
            let table = body(document, scene, index)?;
            set_body(table, set, &scene.bodies[index].material)?;
        }
        None => {
            for (index, plan) in scene.bodies.iter().enumerate() {
                if plan.copy.as_ref().is_none_or(|copy| copy.of == index) {
                    set_body(body(document, scene, index)?, set, &plan.material)?;
                }
            }
        }
    }
    Ok(())
}

/// Changes settings of a body with this material.
fn set_body(body: &mut dyn TableLike, set: &SetBody, material: &Material) -> Result<(), Refusal> {
    if let Some(preset) = &set.preset {
        body.insert("material", value(preset));
    }
    let numbers: [(&str, Option<Value>); 4] = [
        ("young", set.young.map(Value::from)),
        ("poisson", set.poisson.map(Value::from)),
        ("density", set.density.map(Value::from)),
        ("law", set.law.clone().map(Value::from)),
    ];
    put(body, "material", "preset", numbers);
    if let Some(toughness) = set.toughness {
        set_toughness(body, toughness, material);
    }
    set_plastic(body, set, material)?;
    let contact =
        [("friction", set.friction.map(Value::from)), ("self", set.self_contact.map(Value::from))];
    put(body, "contact", "", contact);
    let whole = |number: Option<u32>| number.map(|number| Value::from(i64::from(number)));
    let method = [
        ("stepper", set.stepper.clone().map(Value::from)),
        ("solver", set.solver.clone().map(Value::from)),
        ("rotation", set.rotation.clone().map(Value::from)),
        ("mass", set.mass.clone().map(Value::from)),
        ("adaptive", set.adaptive.map(Value::from)),
        ("substeps", whole(set.substeps.filter(|count| *count > 0))),
        ("sweeps", whole(set.sweeps)),
    ];
    put(body, "method", "", method);
    if set.substeps == Some(0)
        && let Some(method) = body.get_mut("method").and_then(Item::as_table_like_mut)
    {
        method.remove("substeps");
    }
    let rayleigh = [
        ("mass", set.rayleigh_mass.map(Value::from)),
        ("stiffness", set.rayleigh_stiffness.map(Value::from)),
    ];
    if rayleigh.iter().any(|(_, value)| value.is_some())
        && let Some(method) = table(body, "method", "")
    {
        put(method, "rayleigh", "", rayleigh);
    }
    if set.degree.is_some() {
        body.remove("rest");
    }
    put(body, "mesh", "", [("degree", set.degree.map(|degree| Value::from(i64::from(degree))))]);
    if let Some(colour) = &set.colour {
        body.insert("colour", value(colour));
    }
    Ok(())
}

/// Changes settings of the world.
pub(super) fn set_world(document: &mut Document, set: &SetWorld) {
    let root = document.toml.as_table_mut();
    let world = [
        ("gravity", set.gravity.map(triple)),
        ("damping", set.damping.map(Value::from)),
        ("dt", set.dt.map(Value::from)),
        ("substeps", set.substeps.filter(|n| *n > 0).map(|n| Value::from(i64::from(n)))),
        ("contact", set.contact.clone().map(Value::from)),
        ("sleep", set.sleep.map(Value::from)),
        ("anneal", set.anneal.filter(|after| *after != 0.0).map(Value::from)),
        ("budget", set.budget.filter(|time| *time != 0.0).map(Value::from)),
    ];
    if root.get("world").is_none() {
        root.insert("world", Item::Table(Table::new()));
    }
    put(root, "world", "", world);
    if let Some(world) = root.get_mut("world").and_then(Item::as_table_like_mut) {
        let gone = [
            ("substeps", set.substeps == Some(0)),
            ("anneal", set.anneal == Some(0.0)),
            ("budget", set.budget == Some(0.0)),
        ];
        gone.iter().filter(|(_, gone)| *gone).for_each(|(key, _)| _ = world.remove(key));
    }
    if let Some(friction) = set.friction
        && let Some(obstacles) = tables(root, "obstacle")
    {
        obstacles.iter_mut().for_each(|obstacle| {
            obstacle.insert("friction", value(friction));
        });
    }
}

//! Edits of a scene, as changes of its text.

use glam::DVec3;
use pliant_io::scene::{BodyPlan, Scene};
use toml_edit::{Array, InlineTable, Item, TableLike, Value, value};

use super::document::{Document, origins};
use super::order::{Refusal, Upload};
use super::table::{fresh, list, sphere, table, tables, triple};
use crate::protocol::command::{SetBody, SetWorld};

/// Most painted spots of a body.
const MOST_SPOTS: usize = 2000;

/// Something to be changed in a scene.
#[derive(Debug, Clone)]
pub(crate) enum Edit {
    /// Settings of bodies.
    Body(Box<SetBody>),
    /// The size of a body.
    Size(usize, Resize),
    /// Settings of the world.
    World(SetWorld),
    /// Holds a part of a body.
    Pin(PinEdit),
    /// Lets go of a pin, or of all.
    Unpin(usize, Option<usize>),
    /// Makes spots of a body stiffer or softer.
    Paint(PaintEdit),
    /// Takes a body out.
    Remove(usize),
    /// Puts a body in.
    Add(BodyEdit),
}

/// How a body grows.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Resize {
    /// Times what it is.
    pub(crate) factor: f64,
    /// What stays where it is, in m.
    pub(crate) foot: DVec3,
}

/// A part of a body, held where it has gone.
#[derive(Debug, Clone)]
pub(crate) struct PinEdit {
    pub(crate) body: usize,
    /// Of the shape at rest, in m.
    pub(crate) centre: DVec3,
    pub(crate) radius: f64,
    /// How it has turned about the centre, and then moved, from where it rests.
    pub(crate) axis: DVec3,
    pub(crate) angle: f64,
    pub(crate) moved: DVec3,
}

/// Spots of a body, in the shape at rest.
#[derive(Debug, Clone)]
pub(crate) struct PaintEdit {
    pub(crate) body: usize,
    pub(crate) centres: Vec<DVec3>,
    pub(crate) radius: f64,
    /// Young's modulus there, in Pa.
    pub(crate) young: f64,
    pub(crate) stroke: Option<u32>,
}

/// A body from a surface file.
#[derive(Debug, Clone)]
pub(crate) struct BodyEdit {
    pub(crate) name: String,
    pub(crate) path: String,
    pub(crate) tetrahedra: bool,
    /// Length of cells, in m.
    pub(crate) length: f64,
    pub(crate) scale: f64,
    pub(crate) translate: DVec3,
}

impl Edit {
    /// The document after the edit; `scene` is what it means before.
    pub(crate) fn applied(&self, document: &Document, scene: &Scene) -> Result<Document, Refusal> {
        let mut new = document.clone();
        match self {
            Self::Body(set) => set_bodies(&mut new, scene, set)?,
            Self::Size(index, by) => {
                let table = body(&mut new, scene, *index)?;
                resize(table, &scene.bodies[*index], *by);
            }
            Self::World(set) => set_world(&mut new, set),
            Self::Pin(pin) => add_pin(body(&mut new, scene, pin.body)?, pin),
            Self::Unpin(index, pin) => unpin(body(&mut new, scene, *index)?, *pin)?,
            Self::Paint(paint) => add_spots(body(&mut new, scene, paint.body)?, paint)?,
            Self::Remove(index) => remove(&mut new, scene, *index)?,
            Self::Add(add) => add_body(&mut new, add),
        }
        Ok(new)
    }

    /// A document that has no body yet, with the one that this adds.
    pub(crate) fn added(&self, document: &Document) -> Result<Document, Refusal> {
        let mut new = document.clone();
        if let Self::Add(add) = self {
            add_body(&mut new, add);
        }
        Ok(new)
    }

    /// What it is called in "undo …".
    pub(crate) fn label(&self, scene: &Scene) -> String {
        let name = |index: usize| scene.bodies.get(index).map_or("", |plan| &plan.name).to_owned();
        match self {
            Self::Body(set) => {
                let of = set.body.map_or("all bodies".to_owned(), name);
                format!("{} of {of}", keys(set))
            }
            Self::Size(index, _) => format!("size of {}", name(*index)),
            Self::World(set) => format!("{} of the world", keys(set)),
            Self::Pin(pin) => format!("pin on {}", name(pin.body)),
            Self::Unpin(index, _) => format!("letting go of {}", name(*index)),
            Self::Paint(paint) => format!("paint on {}", name(paint.body)),
            Self::Remove(index) => format!("removing {}", name(*index)),
            Self::Add(add) => format!("adding {}", add.name),
        }
    }

    /// What it is one with if it comes right after it: one undo takes both back.
    pub(crate) fn joins(&self, before: &Self) -> bool {
        match (self, before) {
            (Self::Paint(now), Self::Paint(before)) => {
                now.stroke.is_some() && now.stroke == before.stroke && now.body == before.body
            }
            (Self::Size(now, _), Self::Size(before, _)) => now == before,
            (Self::Body(now), Self::Body(before)) => said(now) == said(before),
            (Self::World(now), Self::World(before)) => said(now) == said(before),
            _ => false,
        }
    }
}

/// Which settings are given: a slider that is drawn sends many of the same.
fn said(set: &impl serde::Serialize) -> Vec<(String, String)> {
    let serde_json::Value::Object(entries) = serde_json::json!(set) else { return Vec::new() };
    let given = entries.into_iter().filter(|(_, value)| !value.is_null());
    given
        .map(|(key, value)| (if key == "body" { value.to_string() } else { String::new() }, key))
        .collect()
}

/// Names of the settings that are given.
fn keys(set: &impl serde::Serialize) -> String {
    let keys = said(set).into_iter().map(|(_, key)| key).filter(|key| key != "body");
    keys.collect::<Vec<_>>().join(", ").replace('_', " ")
}

/// The table of a body of the scene.
fn body<'a>(
    document: &'a mut Document,
    scene: &Scene,
    index: usize,
) -> Result<&'a mut dyn TableLike, Refusal> {
    let count = scene.bodies.len();
    let none =
        || Refusal::new("unknown-body", format!("there is no body {index}, the scene has {count}"));
    let origin = origins(scene).get(index).copied().ok_or_else(none)?;
    document.body_mut(origin).ok_or_else(none)
}

fn set_bodies(document: &mut Document, scene: &Scene, set: &SetBody) -> Result<(), Refusal> {
    match set.body {
        Some(index) => set_body(body(document, scene, index)?, set),
        None => {
            for (index, plan) in scene.bodies.iter().enumerate() {
                if plan.copy.as_ref().is_none_or(|copy| copy.of == index) {
                    set_body(body(document, scene, index)?, set);
                }
            }
        }
    }
    Ok(())
}

fn set_body(body: &mut dyn TableLike, set: &SetBody) {
    if let Some(preset) = &set.preset {
        body.insert("material", value(preset));
    }
    let material: [(&str, Option<Value>); 4] = [
        ("young", set.young.map(Value::from)),
        ("poisson", set.poisson.map(Value::from)),
        ("density", set.density.map(Value::from)),
        ("law", set.law.clone().map(Value::from)),
    ];
    put(body, "material", "preset", material);
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
    put(body, "mesh", "", [("degree", set.degree.map(|degree| Value::from(i64::from(degree))))]);
    if let Some(colour) = &set.colour {
        body.insert("colour", value(colour));
    }
}

/// Puts what is given into a table of the body.
fn put<const N: usize>(
    parent: &mut dyn TableLike,
    key: &str,
    word: &str,
    entries: [(&str, Option<Value>); N],
) {
    if entries.iter().all(|(_, entry)| entry.is_none()) {
        return;
    }
    let Some(table) = table(parent, key, word) else { return };
    for (key, entry) in entries {
        if let Some(entry) = entry {
            table.insert(key, value(entry));
        }
    }
}

/// Makes a body larger or smaller about its foot, and its cells with it.
fn resize(body: &mut dyn TableLike, plan: &BodyPlan, Resize { factor, foot }: Resize) {
    let old = body.get("transform").and_then(Item::as_table_like);
    let scale = old.and_then(|table| table.get("scale")).and_then(number).unwrap_or(1.0);
    let before = old.and_then(|table| table.get("translate")).and_then(Item::as_array);
    let before: Vec<f64> = before.map(numbers).unwrap_or_default();
    let before = <[f64; 3]>::try_from(before).map_or(DVec3::ZERO, DVec3::from);
    let place = plan.world_from_mesh.translation;
    let translate = before + (factor - 1.0) * (place - foot);
    let entries = [
        ("scale", Some(Value::from(scale * factor))),
        ("translate", Some(triple(translate.to_array()))),
    ];
    put(body, "transform", "", entries);
    for key in ["pin", "region"] {
        if list(body, key).is_empty() {
            continue;
        }
        let Some(tables) = tables(body, key) else { continue };
        let shapes = tables.iter_mut().filter_map(|table| table.get_mut("where"));
        shapes.for_each(|shape| grow(shape, factor, foot));
    }
    let Some(mesh) = body.get_mut("mesh").and_then(Item::as_table_like_mut) else { return };
    for mesher in ["voxels", "tetrahedra"] {
        if let Some(sizes) = mesh.get_mut(mesher).and_then(Item::as_table_like_mut)
            && let Some(length) = sizes.get("length").and_then(number)
        {
            sizes.insert("length", value(length * factor));
        }
    }
}

/// Makes a shape that selects larger or smaller, about a point.
fn grow(shape: &mut Item, factor: f64, foot: DVec3) {
    let Some(shape) = shape.as_table_like_mut() else { return };
    for (kind, points, lengths) in [
        ("sphere", &["centre"][..], &["radius"][..]),
        ("box", &["min", "max"], &[]),
        ("half_space", &["point"], &[]),
    ] {
        let Some(shape) = shape.get_mut(kind).and_then(Item::as_table_like_mut) else { continue };
        for key in points {
            let old = shape.get(key).and_then(Item::as_array).map(numbers).unwrap_or_default();
            if let Ok(old) = <[f64; 3]>::try_from(old) {
                let new = foot + factor * (DVec3::from(old) - foot);
                shape.insert(key, value(triple(new.to_array())));
            }
        }
        for key in lengths {
            if let Some(old) = shape.get(key).and_then(number) {
                shape.insert(key, value(factor * old));
            }
        }
    }
}

fn number(item: &Item) -> Option<f64> {
    item.as_float().or(item.as_integer().map(|whole| whole as f64))
}

fn numbers(array: &Array) -> Vec<f64> {
    array.iter().filter_map(|entry| number(&Item::Value(entry.clone()))).collect()
}

fn set_world(document: &mut Document, set: &SetWorld) {
    let root = document.toml.as_table_mut();
    let world = [
        ("gravity", set.gravity.map(triple)),
        ("damping", set.damping.map(Value::from)),
        ("dt", set.dt.map(Value::from)),
        ("substeps", set.substeps.filter(|n| *n > 0).map(|n| Value::from(i64::from(n)))),
        ("contact", set.contact.clone().map(Value::from)),
        ("sleep", set.sleep.map(Value::from)),
    ];
    if root.get("world").is_none() {
        root.insert("world", Item::Table(toml_edit::Table::new()));
    }
    put(root, "world", "", world);
    if set.substeps == Some(0)
        && let Some(world) = root.get_mut("world").and_then(Item::as_table_like_mut)
    {
        world.remove("substeps");
    }
    if let Some(friction) = set.friction
        && let Some(obstacles) = tables(root, "obstacle")
    {
        obstacles.iter_mut().for_each(|obstacle| {
            obstacle.insert("friction", value(friction));
        });
    }
}

fn add_pin(body: &mut dyn TableLike, pin: &PinEdit) {
    let PinEdit { centre, radius, axis, angle, moved, .. } = pin;
    let mut motion = Array::new();
    let mut ramp = |key: &str, entry: Value| {
        let mut ramp = InlineTable::new();
        ramp.insert("start", 0.0.into());
        ramp.insert("end", 0.0.into());
        ramp.insert(key, entry);
        motion.push(ramp);
    };
    if *angle != 0.0 {
        let mut turn = InlineTable::new();
        turn.insert("centre", triple(centre.to_array()));
        turn.insert("axis", triple(axis.to_array()));
        turn.insert("angle_deg", angle.to_degrees().into());
        ramp("rotate", turn.into());
    }
    if *moved != DVec3::ZERO {
        ramp("translate", triple(moved.to_array()));
    }
    let mut entry = fresh([("where", sphere(centre.to_array(), *radius))]);
    if !motion.is_empty() {
        entry.insert("motion", value(motion));
    }
    if let Some(pins) = tables(body, "pin") {
        pins.push(entry);
    }
}

fn unpin(body: &mut dyn TableLike, pin: Option<usize>) -> Result<(), Refusal> {
    let Some(pin) = pin else {
        body.remove("pin");
        return Ok(());
    };
    let count = list(body, "pin").len();
    if pin >= count {
        let message = format!("there is no pin {pin}, the body has {count}");
        return Err(Refusal::new("unknown-pin", message));
    }
    if let Some(pins) = tables(body, "pin") {
        pins.remove(pin);
    }
    if count == 1 {
        body.remove("pin");
    }
    Ok(())
}

/// Adds spots, and takes away those that they cover.
fn add_spots(body: &mut dyn TableLike, paint: &PaintEdit) -> Result<(), Refusal> {
    let Some(regions) = tables(body, "region") else { return Ok(()) };
    for centre in &paint.centres {
        regions.retain(|region| !covers(*centre, paint.radius, region));
        let taken: Vec<u64> = regions.iter().filter_map(|region| number_of(region)).collect();
        let number = taken.into_iter().max().unwrap_or(0) + 1;
        let mut material = InlineTable::new();
        material.insert("young", paint.young.into());
        regions.push(fresh([
            ("name", format!("{SPOT}{number}").into()),
            ("where", sphere(centre.to_array(), paint.radius)),
            ("material", material.into()),
        ]));
    }
    if regions.len() > MOST_SPOTS {
        let message = format!("a body has at most {MOST_SPOTS} painted spots; use a larger brush");
        return Err(Refusal::new("too-many", message));
    }
    Ok(())
}

/// What the names of painted regions begin with.
const SPOT: &str = "paint-";

fn number_of(region: &dyn TableLike) -> Option<u64> {
    region.get("name")?.as_str()?.strip_prefix(SPOT)?.parse().ok()
}

fn covers(centre: DVec3, radius: f64, region: &dyn TableLike) -> bool {
    let read = || {
        let ball = region.get("where")?.as_table_like()?.get("sphere")?.as_table_like()?;
        let numbers = numbers(ball.get("centre")?.as_array()?);
        let old = DVec3::from(<[f64; 3]>::try_from(numbers).ok()?);
        Some(old.distance(centre) + number(ball.get("radius")?)? <= radius * (1.0 + 1e-9))
    };
    number_of(region).is_some() && read().unwrap_or(false)
}

fn remove(document: &mut Document, scene: &Scene, index: usize) -> Result<(), Refusal> {
    body(document, scene, index)?;
    if document.bodies().len() < 2 {
        return Err(Refusal::new(
            "bad-scene",
            "a scene has at least one body; open another scene instead",
        ));
    }
    let (origin, name) = (origins(scene)[index], &scene.bodies[index].name);
    let root = document.toml.as_table_mut();
    if let Some(bodies) = tables(root, "body") {
        bodies.remove(origin);
    }
    if root.contains_key("probe")
        && let Some(probes) = tables(root, "probe")
    {
        probes.retain(|probe| probe.get("body").and_then(Item::as_str) != Some(name));
    }
    Ok(())
}

fn add_body(document: &mut Document, add: &BodyEdit) {
    let BodyEdit { name, path, tetrahedra, length, scale, translate } = add;
    let mut size = InlineTable::new();
    size.insert("length", (*length).into());
    let mut mesh = InlineTable::new();
    mesh.insert("surface", path.as_str().into());
    mesh.insert(if *tetrahedra { "tetrahedra" } else { "voxels" }, size.into());
    let mut material = InlineTable::new();
    material.insert("young", 1e5.into());
    material.insert("poisson", 0.4.into());
    material.insert("density", 1000.0.into());
    let mut transform = InlineTable::new();
    transform.insert("scale", (*scale).into());
    transform.insert("translate", triple(translate.to_array()));
    let entry = fresh([
        ("name", name.as_str().into()),
        ("mesh", mesh.into()),
        ("material", material.into()),
        ("transform", transform.into()),
    ]);
    if let Some(bodies) = tables(document.toml.as_table_mut(), "body") {
        bodies.push(entry);
    }
}

impl BodyEdit {
    /// The body of a file, of the size asked for, its foot at `place`.
    pub(crate) fn new(upload: &Upload, taken: &[&str], place: DVec3) -> Self {
        let [low, high] = upload.bounds;
        let extent = (high - low).max_element();
        let scale = if extent > 0.0 { upload.size / extent } else { 1.0 };
        let foot = DVec3::new(0.5 * (low.x + high.x), low.y, 0.5 * (low.z + high.z));
        let free = |name: &String| !taken.contains(&name.as_str());
        let numbered = (2..).map(|number| format!("{}-{number}", upload.name));
        let mut names = std::iter::once(upload.name.clone()).chain(numbered);
        Self {
            name: names.find(free).unwrap_or_default(),
            path: upload.path.to_string_lossy().into_owned(),
            tetrahedra: upload.tetrahedra,
            length: upload.size / f64::from(upload.cells.max(1)),
            scale,
            translate: place - scale * foot,
        }
    }
}

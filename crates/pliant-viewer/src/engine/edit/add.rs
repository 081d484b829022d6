//! Adds and removes bodies.

use glam::DVec3;
use pliant_io::scene::Scene;
use toml_edit::{InlineTable, Item};

use super::body;
use crate::engine::document::{Document, origins};
use crate::engine::order::{Refusal, Upload};
use crate::engine::table::{new_table, tables, triple};

/// A body made from a surface file.
#[derive(Debug, Clone)]
pub(crate) struct BodyEdit {
    pub(crate) name: String,
    pub(crate) path: String,
    pub(crate) tetrahedra: bool,
    /// Edge length of the cells, in m.
    pub(crate) length: f64,
    pub(crate) scale: f64,
    pub(crate) translate: DVec3,
}

impl BodyEdit {
    /// Makes the edit that adds an uploaded surface in the requested size, with the centre of its base at `place`.
    pub(crate) fn new(upload: &Upload, taken: &[&str], place: DVec3) -> Self {
        let [low, high] = upload.bounds;
        let extent = (high - low).max_element();
        let scale = if extent > 0.0 { upload.size / extent } else { 1.0 };
        let fixed_point = DVec3::new(0.5 * (low.x + high.x), low.y, 0.5 * (low.z + high.z));
        let free = |name: &String| !taken.contains(&name.as_str());
        let numbered = (2..).map(|number| format!("{}-{number}", upload.name));
        let mut names = std::iter::once(upload.name.clone()).chain(numbered);
        Self {
            name: names.find(free).unwrap_or_default(),
            path: upload.path.to_string_lossy().into_owned(),
            tetrahedra: upload.tetrahedra,
            length: upload.size / f64::from(upload.cells.max(1)),
            scale,
            translate: place - scale * fixed_point,
        }
    }

    /// Adds the body to a scene.
    pub(super) fn apply(&self, document: &mut Document) {
        let Self { name, path, tetrahedra, length, scale, translate } = self;
        let mut size = InlineTable::new();
        size.insert("length", (*length).into());
        if *tetrahedra {
            // The number of cells along the body is what was asked for: more may be too many for the time of a frame.
            size.insert("within", "any".into());
        }
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
        let entry = new_table([
            ("name", name.as_str().into()),
            ("mesh", mesh.into()),
            ("material", material.into()),
            ("transform", transform.into()),
        ]);
        if let Some(bodies) = tables(document.toml.as_table_mut(), "body") {
            bodies.push(entry);
        }
    }
}

/// Removes a body from a scene, with its probes.
pub(super) fn remove(document: &mut Document, scene: &Scene, index: usize) -> Result<(), Refusal> {
    body(document, scene, index)?;
    if document.bodies().len() < 2 {
        return Err(Refusal::new(
            "bad-scene",
            "a scene needs at least one body; open another scene instead",
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

//! The edited scene file.

use std::path::{Path, PathBuf};

use pliant_io::scene::{Scene, SceneError};
use toml_edit::{DocumentMut, Item, TableLike};

use super::order::Refusal;
use super::table::{list, tables};

/// The text of a scene, with its comments, and the folder of its files.
#[derive(Debug, Clone)]
pub(crate) struct Document {
    /// Name of the scene.
    pub(crate) name: String,
    /// Folder that the paths in the scene are relative to.
    pub(crate) base: PathBuf,
    pub(super) toml: DocumentMut,
}

impl Document {
    /// Parses a text.
    pub(crate) fn new(name: &str, text: &str, base: &Path) -> Result<Self, Refusal> {
        let toml = text.parse().map_err(|error: toml_edit::TomlError| {
            Refusal::new("bad-scene", error.message().to_owned())
        })?;
        Ok(Self { name: name.to_owned(), base: base.to_owned(), toml })
    }

    /// The text.
    pub(crate) fn text(&self) -> String {
        self.toml.to_string()
    }

    /// Parses the scene.
    pub(crate) fn scene(&self) -> Result<Scene, Refusal> {
        Scene::parse(&self.name, &self.text()).map_err(|error| bad_scene(&error))
    }

    /// The `[[body]]` tables.
    pub(super) fn bodies(&self) -> Vec<&dyn TableLike> {
        list(self.toml.as_table(), "body")
    }

    /// A `[[body]]` table, mutable.
    pub(super) fn body_mut(&mut self, index: usize) -> Option<&mut dyn TableLike> {
        let table = tables(self.toml.as_table_mut(), "body")?.get_mut(index)?;
        Some(table as &mut dyn TableLike)
    }

    /// The text of the value of a key.
    pub(super) fn text_of(&self, key: &str) -> String {
        item_text(self.toml.get(key))
    }

    /// The name of the material of a body, if it is a preset.
    pub(super) fn preset(&self, body: usize) -> Option<String> {
        let bodies = self.bodies();
        let material = bodies.get(body)?.get("material")?;
        let named = material.as_table_like().and_then(|table| table.get("preset"));
        named.unwrap_or(material).as_str().map(str::to_owned)
    }
}

/// The text of an entry; empty if it is missing.
pub(super) fn item_text(item: Option<&Item>) -> String {
    item.map(|item| item.to_string().trim().to_owned()).unwrap_or_default()
}

/// All errors of a scene, as a message for a page.
pub(crate) fn bad_scene(error: &SceneError) -> Refusal {
    let faults = error.problems().iter().map(|problem| problem.fault.to_string());
    Refusal::new("bad-scene", faults.collect::<Vec<_>>().join("; "))
}

/// For each body of a scene, the index of its `[[body]]` table; copies share one.
pub(super) fn origins(scene: &Scene) -> Vec<usize> {
    let mut count = 0;
    let mut origins = Vec::with_capacity(scene.bodies.len());
    for (index, plan) in scene.bodies.iter().enumerate() {
        if plan.copy.as_ref().is_none_or(|copy| copy.of == index) {
            count += 1;
        }
        origins.push(count - 1);
    }
    origins
}

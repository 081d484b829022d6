//! The scenes of the gallery.

use std::sync::OnceLock;

use pliant_io::scene::{Scene, catalogue as scenes};
use serde::{Deserialize, Serialize};

use super::assets::GALLERY;

/// An entry of the list in the gallery folder.
#[derive(Debug, Deserialize)]
struct ListEntry {
    name: String,
    hint: String,
    /// The frame of its picture.
    frame: u64,
    /// Display options of its picture: see `page/address.js`.
    #[serde(default, rename = "wishes")]
    options: String,
}

/// A scene of the gallery, and the options of its picture.
#[derive(Debug, Clone)]
pub struct GalleryScene {
    /// Its name in the catalogue.
    pub name: String,
    /// The name of the file of its picture.
    pub file: String,
    /// The frame that the picture shows.
    pub frame: u64,
    /// Further options in the address of the page, such as `field=stress`.
    pub options: String,
}

/// The scenes of the gallery, in order.
pub fn gallery_scenes() -> Vec<GalleryScene> {
    let scene = |ListEntry { name, frame, options, .. }: ListEntry| {
        let file = picture_file(&name);
        GalleryScene { name, file, frame, options }
    };
    listed().into_iter().map(scene).collect()
}

fn picture_file(name: &str) -> String {
    format!("{}.jpg", name.replace('/', "-"))
}

/// A scene of the gallery, as the page shows it.
#[derive(Debug, Clone, Serialize)]
pub(super) struct Card {
    name: String,
    title: String,
    text: String,
    hint: String,
    picture: Option<String>,
}

/// A scene of the catalogue.
#[derive(Debug, Clone, Serialize)]
pub(super) struct Title {
    name: &'static str,
    title: String,
}

/// The scenes of the gallery that exist in the catalogue, in order.
pub(super) fn list() -> &'static [Card] {
    static LIST: OnceLock<Vec<Card>> = OnceLock::new();
    LIST.get_or_init(|| listed().into_iter().filter_map(card).collect())
}

fn listed() -> Vec<ListEntry> {
    let file = GALLERY.iter().find(|asset| asset.path == "scenes.json");
    file.and_then(|file| serde_json::from_slice(file.bytes).ok()).unwrap_or_default()
}

fn card(ListEntry { name, hint, .. }: ListEntry) -> Option<Card> {
    let entry = scenes::find(&name)?;
    let scene = Scene::parse(entry.name, entry.text).ok()?;
    let file = picture_file(&name);
    let picture =
        GALLERY.iter().any(|asset| asset.path == file).then(|| format!("/gallery/{file}"));
    Some(Card {
        title: scene.title,
        text: scene.description.trim().to_owned(),
        name,
        hint,
        picture,
    })
}

/// All scenes of the catalogue.
pub(super) fn catalogue() -> &'static [Title] {
    static LIST: OnceLock<Vec<Title>> = OnceLock::new();
    let title = |entry: &scenes::Entry| {
        let scene = Scene::parse(entry.name, entry.text).ok();
        Title { name: entry.name, title: scene.map(|scene| scene.title).unwrap_or_default() }
    };
    LIST.get_or_init(|| scenes::all().iter().map(title).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every listed scene is in the catalogue and has a hint.
    #[test]
    fn the_list_names_scenes_that_there_are() {
        let names: Vec<String> = listed().into_iter().map(|listed| listed.name).collect();
        assert!(names.len() >= 12, "{names:?}");
        assert_eq!(list().len(), names.len(), "{names:?}");
        assert!(list().iter().all(|card| card.hint.len() > 10 && !card.title.is_empty()));
        let pictures = list().iter().filter(|card| card.picture.is_some()).count();
        assert!(pictures >= 12, "{pictures}; make them with `pliant view --gallery`");
    }
}

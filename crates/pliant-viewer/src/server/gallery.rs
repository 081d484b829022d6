//! The scenes that are worth showing.

use std::sync::OnceLock;

use pliant_io::scene::{Scene, catalogue as scenes};
use serde::{Deserialize, Serialize};

use super::assets::GALLERY;

/// What the list in the folder of the gallery says of a scene.
#[derive(Debug, Deserialize)]
struct Listed {
    name: String,
    hint: String,
    /// The frame of its picture.
    frame: u64,
    /// How its picture is taken: see `page/address.js`.
    #[serde(default)]
    wishes: String,
}

/// A scene of the gallery, and how its picture is taken.
#[derive(Debug, Clone)]
pub struct GalleryScene {
    /// Its name in the catalogue.
    pub name: String,
    /// The name of the file of its picture.
    pub file: String,
    /// The frame that the picture shows.
    pub frame: u64,
    /// What else the page is asked for in its address, such as `field=stress`.
    pub wishes: String,
}

/// The scenes of the gallery, in their order.
pub fn gallery_scenes() -> Vec<GalleryScene> {
    let scene = |Listed { name, frame, wishes, .. }: Listed| {
        let file = picture_file(&name);
        GalleryScene { name, file, frame, wishes }
    };
    listed().into_iter().map(scene).collect()
}

fn picture_file(name: &str) -> String {
    format!("{}.jpg", name.replace('/', "-"))
}

/// A scene of the gallery.
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

/// The scenes of the gallery that are in the catalogue, in their order.
pub(super) fn list() -> &'static [Card] {
    static LIST: OnceLock<Vec<Card>> = OnceLock::new();
    LIST.get_or_init(|| listed().into_iter().filter_map(card).collect())
}

fn listed() -> Vec<Listed> {
    let file = GALLERY.iter().find(|asset| asset.path == "scenes.json");
    file.and_then(|file| serde_json::from_slice(file.bytes).ok()).unwrap_or_default()
}

fn card(Listed { name, hint, .. }: Listed) -> Option<Card> {
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

/// All scenes.
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

    /// Every scene that the list names is in the catalogue, and says what to try.
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

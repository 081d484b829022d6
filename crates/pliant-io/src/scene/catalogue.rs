//! The built-in scenes: those of the papers, and the gallery.

use crate::scene::problem::nearest::nearest;

/// A scene of the catalogue.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Entry {
    /// Its name, such as `saillant/static-bending-p2`.
    pub name: &'static str,
    /// The text of its file.
    pub text: &'static str,
}

/// Name of the scene that runs if none is named.
pub const DEFAULT: &str = "default";

/// All scenes of the catalogue, by name.
pub fn all() -> &'static [Entry] {
    const ALL: &[Entry] = include!(concat!(env!("OUT_DIR"), "/catalogue.rs"));
    ALL
}

/// Returns the scene of this name.
///
/// ```
/// use pliant_io::scene::{Scene, catalogue};
///
/// let entry = catalogue::find(catalogue::DEFAULT).expect("there is always a default");
/// assert!(Scene::parse(entry.name, entry.text).is_ok());
/// ```
pub fn find(name: &str) -> Option<&'static Entry> {
    all().iter().find(|entry| entry.name == name)
}

/// Returns the name nearest to an unknown one, if it is near enough to be a typing error.
pub fn similar(name: &str) -> Option<&'static str> {
    nearest(name, all().iter().map(|entry| entry.name))
}

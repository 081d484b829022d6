//! Material libraries of OBJ files: colours and textures.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use pliant::geometry::{SurfaceGroup, Texture};

use crate::source::Source;
use crate::surface_attributes::texture_from_bytes;

use super::obj_lines::{Lines, joined, tokens};
use super::uri::bytes_of_uri;

/// The libraries that a file names.
#[derive(Debug, Default)]
pub(super) struct Libraries(BTreeSet<String>);

/// The properties that are read from a material.
#[derive(Debug, Default)]
struct ObjMaterial {
    colour: Option<[f32; 3]>,
    opacity: Option<f32>,
    texture: Option<Arc<Texture>>,
}

impl Libraries {
    /// Adds the names of a line `mtllib`: several names, or one name with spaces.
    pub(super) fn add<'t>(&mut self, words: impl Iterator<Item = &'t [u8]>) {
        let words: Vec<&[u8]> = words.collect();
        self.0.insert(joined(words.iter().copied()));
        self.0.extend(words.iter().map(|word| String::from_utf8_lossy(word).into_owned()));
    }

    /// Sets the colours and textures of parts from their materials.
    ///
    /// The surface is useful without them, so missing or malformed data are left out.
    pub(super) fn paint(&self, source: Source<'_>, parts: &mut [SurfaceGroup]) {
        let mut materials = BTreeMap::new();
        for bytes in self.0.iter().filter_map(|name| bytes_of_uri(source, name).ok()) {
            read_library(source, &bytes, &mut materials);
        }
        for part in parts {
            let Some(material) = part.material.as_ref().and_then(|name| materials.get(name)) else {
                continue;
            };
            part.texture.clone_from(&material.texture);
            part.colour = material.rgba();
        }
    }
}

impl ObjMaterial {
    /// Returns the colour and opacity. A texture replaces the colour: exporters disagree on whether to multiply them.
    fn rgba(&self) -> Option<[f32; 4]> {
        let white = self.texture.as_ref().map(|_| [1.0; 3]);
        let [r, g, b] = white.or(self.colour).or(self.opacity.map(|_| [1.0; 3]))?;
        Some([r, g, b, self.opacity.unwrap_or(1.0)])
    }
}

fn read_library(source: Source<'_>, bytes: &[u8], materials: &mut BTreeMap<String, ObjMaterial>) {
    let mut name = String::new();
    for (_, text) in Lines::new(bytes) {
        let mut words = tokens(&text);
        let keyword = words.next().unwrap_or_default();
        if keyword == b"newmtl" {
            name = joined(words);
            materials.entry(name.clone()).or_default();
            continue;
        }
        let Some(material) = materials.get_mut(&name) else { continue };
        match keyword {
            b"Kd" => material.colour = numbers(words),
            b"d" => material.opacity = numbers(words).map(|[d]| d),
            b"Tr" => material.opacity = numbers(words).map(|[transparency]| 1.0 - transparency),
            b"map_Kd" => material.texture = texture(source, words),
            _ => {}
        }
    }
}

/// Reads numbers and clamps them to [0, 1].
fn numbers<'t, const N: usize>(mut words: impl Iterator<Item = &'t [u8]>) -> Option<[f32; N]> {
    let mut numbers = [0.0; N];
    for number in &mut numbers {
        let word: f32 = std::str::from_utf8(words.next()?).ok()?.parse().ok()?;
        *number = if word > 0.0 { word.min(1.0) } else { 0.0 };
    }
    Some(numbers)
}

/// Reads the image after options such as `-s 1 1 1`: its name is the whole line, or else the last word.
fn texture<'t>(source: Source<'_>, words: impl Iterator<Item = &'t [u8]>) -> Option<Arc<Texture>> {
    let words: Vec<&[u8]> = words.collect();
    let whole = joined(words.iter().copied());
    let last = words.last().map(|word| String::from_utf8_lossy(word).into_owned());
    let bytes = bytes_of_uri(source, &whole).ok().or_else(|| bytes_of_uri(source, &last?).ok())?;
    texture_from_bytes(bytes)
}

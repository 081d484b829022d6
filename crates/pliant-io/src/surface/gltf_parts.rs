//! The materials of a glTF document, as parts of a surface.

use std::collections::BTreeMap;
use std::sync::Arc;

use pliant::geometry::{SurfaceGroup, Texture};

use crate::error::ReadError;
use crate::surface_attributes::texture_from_bytes;

use super::gltf_buffer::LoadedDocument;
use super::gltf_json::Material;
use super::uri::bytes_of_uri;

/// Parts by mesh and material, in order of first use.
#[derive(Debug)]
pub(super) struct Parts<'a> {
    loaded: &'a LoadedDocument<'a>,
    pub(super) parts: Vec<SurfaceGroup>,
    numbers: BTreeMap<(usize, Option<usize>), u32>,
    /// Textures by image index; `None` for images that cannot be read.
    images: BTreeMap<usize, Option<Arc<Texture>>>,
}

impl<'a> Parts<'a> {
    pub(super) fn new(loaded: &'a LoadedDocument<'a>) -> Self {
        Self { loaded, parts: Vec::new(), numbers: BTreeMap::new(), images: BTreeMap::new() }
    }

    /// Returns the number of the part of a mesh with this material.
    pub(super) fn number(
        &mut self,
        mesh: usize,
        name: Option<&str>,
        material: Option<usize>,
    ) -> Result<u32, ReadError> {
        if let Some(number) = self.numbers.get(&(mesh, material)) {
            return Ok(*number);
        }
        let mut part =
            SurfaceGroup { name: name.unwrap_or_default().to_owned(), ..Default::default() };
        if let Some(index) = material {
            let found = self.loaded.document.materials.get(index);
            let found = found.ok_or_else(|| self.loaded.missing("material", index))?;
            self.paint(&mut part, found)?;
        }
        let number = self.parts.len() as u32;
        self.parts.push(part);
        self.numbers.insert((mesh, material), number);
        Ok(number)
    }

    fn paint(&mut self, part: &mut SurfaceGroup, material: &Material) -> Result<(), ReadError> {
        let base = &material.pbr_metallic_roughness;
        part.material.clone_from(&material.name);
        let channel = |c: f32| if c > 0.0 { c.min(1.0) } else { 0.0 };
        part.colour = Some(base.base_color_factor.unwrap_or([1.0; 4]).map(channel));
        let Some(texture) = base.base_color_texture.as_ref().map(|texture| texture.index) else {
            return Ok(());
        };
        let found = self.loaded.document.textures.get(texture);
        let found = found.ok_or_else(|| self.loaded.missing("texture", texture))?;
        if let Some(image) = found.source {
            part.texture = self.image(image)?;
        }
        Ok(())
    }

    /// Reads an image in the document or next to it. The surface is useful without its images, so one that cannot be
    /// read, or is neither PNG nor JPEG, is left out.
    fn image(&mut self, index: usize) -> Result<Option<Arc<Texture>>, ReadError> {
        if let Some(texture) = self.images.get(&index) {
            return Ok(texture.clone());
        }
        let image = self.loaded.document.images.get(index);
        let image = image.ok_or_else(|| self.loaded.missing("image", index))?;
        let bytes = match (&image.uri, image.buffer_view) {
            (Some(uri), _) => bytes_of_uri(self.loaded.source, uri).ok(),
            (None, Some(view)) => self.loaded.view(view)?.1.map(<[u8]>::to_vec),
            (None, None) => None,
        };
        let texture = bytes.and_then(texture_from_bytes);
        self.images.insert(index, texture.clone());
        Ok(texture)
    }
}

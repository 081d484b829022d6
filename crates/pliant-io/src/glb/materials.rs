//! Materials and textures of an animated GLB.

use std::sync::Arc;

use pliant::geometry::{SurfaceGroup, Texture};
use serde_json::{Value, json};

use crate::picture::Colour;

use super::AnimatedSurface;
use super::buffer::Buffer;

/// The materials so far, and the images that they share.
#[derive(Debug, Default)]
pub(super) struct Materials {
    pub(super) materials: Vec<Value>,
    pub(super) images: Vec<Value>,
    textures: Vec<Arc<Texture>>,
}

impl Materials {
    /// Returns the material of a part of a body, or of a body without parts.
    pub(super) fn of(
        &mut self,
        body: &AnimatedSurface,
        part: Option<&SurfaceGroup>,
        buffer: &mut Buffer,
    ) -> usize {
        let nameless = SurfaceGroup::default();
        let part = part.unwrap_or(&nameless);
        let names = [part.material.as_deref().unwrap_or_default(), &part.name, &body.name];
        let name = names.into_iter().find(|name| !name.is_empty()).unwrap_or_default();
        let [r, g, b] = rgb(body.colour);
        let colour = part.colour.map_or([r, g, b, 1.0], |colour| colour.map(channel));
        let mut material = json!({
            "name": name,
            "doubleSided": true,
            "pbrMetallicRoughness": {
                "baseColorFactor": colour,
                "metallicFactor": 0.0,
                "roughnessFactor": 0.6,
            },
        });
        if colour[3] < 1.0 {
            material["alphaMode"] = json!("BLEND");
        }
        // Without texture coordinates, the whole surface would get the colour of one point of the image.
        if let Some(texture) = part.texture.as_ref().filter(|_| body.texcoords.is_some()) {
            let index = self.texture(texture, buffer);
            material["pbrMetallicRoughness"]["baseColorTexture"] = json!({ "index": index });
        }
        self.materials.push(material);
        self.materials.len() - 1
    }

    /// Returns the index of an image, which is stored once even if several parts use it.
    fn texture(&mut self, texture: &Arc<Texture>, buffer: &mut Buffer) -> usize {
        if let Some(index) = self.textures.iter().position(|textures| textures == texture) {
            return index;
        }
        let view = buffer.blob(&texture.bytes);
        self.images.push(json!({ "bufferView": view, "mimeType": texture.mime }));
        self.textures.push(Arc::clone(texture));
        self.textures.len() - 1
    }
}

/// Returns the channels clamped to [0, 1].
pub(super) fn rgb(colour: Colour) -> [f32; 3] {
    [colour.r, colour.g, colour.b].map(channel)
}

/// Clamps to [0, 1]; NaN becomes 0, because JSON cannot represent it.
fn channel(c: f32) -> f32 {
    if c > 0.0 { c.min(1.0) } else { 0.0 }
}

//! The parts of a glTF document that describe surfaces.
//!
//! Read here instead of with the `gltf` crate, whose validation panics if a primitive names a missing accessor. Every
//! index is checked.

use std::collections::BTreeMap;

use glam::{DMat4, DQuat, DVec3};
use serde::Deserialize;

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct Document {
    pub(super) accessors: Vec<Accessor>,
    pub(super) buffer_views: Vec<BufferView>,
    pub(super) buffers: Vec<Buffer>,
    pub(super) images: Vec<Image>,
    pub(super) materials: Vec<Material>,
    pub(super) meshes: Vec<Mesh>,
    pub(super) nodes: Vec<Node>,
    pub(super) scenes: Vec<Scene>,
    pub(super) scene: Option<usize>,
    pub(super) textures: Vec<TextureSource>,
    pub(super) extensions_required: Vec<String>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Accessor {
    pub(super) buffer_view: Option<usize>,
    #[serde(default)]
    pub(super) byte_offset: usize,
    pub(super) component_type: u32,
    #[serde(default)]
    pub(super) normalized: bool,
    pub(super) count: usize,
    #[serde(rename = "type")]
    pub(super) shape: String,
    pub(super) sparse: Option<serde::de::IgnoredAny>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct BufferView {
    pub(super) buffer: usize,
    #[serde(default)]
    pub(super) byte_offset: usize,
    pub(super) byte_length: usize,
    pub(super) byte_stride: Option<usize>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Buffer {
    pub(super) uri: Option<String>,
    pub(super) byte_length: usize,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Image {
    pub(super) uri: Option<String>,
    pub(super) buffer_view: Option<usize>,
}

#[derive(Debug, Deserialize)]
pub(super) struct TextureSource {
    pub(super) source: Option<usize>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Material {
    pub(super) name: Option<String>,
    #[serde(default)]
    pub(super) pbr_metallic_roughness: PbrMetallicRoughness,
}

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct PbrMetallicRoughness {
    pub(super) base_color_factor: Option<[f32; 4]>,
    pub(super) base_color_texture: Option<TextureIndex>,
}

#[derive(Debug, Deserialize)]
pub(super) struct TextureIndex {
    pub(super) index: usize,
}

#[derive(Debug, Deserialize)]
pub(super) struct Mesh {
    pub(super) name: Option<String>,
    pub(super) primitives: Vec<Primitive>,
}

#[derive(Debug, Deserialize)]
pub(super) struct Primitive {
    pub(super) attributes: BTreeMap<String, usize>,
    pub(super) indices: Option<usize>,
    pub(super) mode: Option<u32>,
    pub(super) material: Option<usize>,
    #[serde(default)]
    pub(super) extensions: BTreeMap<String, serde::de::IgnoredAny>,
}

#[derive(Debug, Deserialize)]
pub(super) struct Scene {
    #[serde(default)]
    pub(super) nodes: Vec<usize>,
}

#[derive(Debug, Deserialize)]
pub(super) struct Node {
    #[serde(default)]
    pub(super) children: Vec<usize>,
    pub(super) mesh: Option<usize>,
    matrix: Option<[f64; 16]>,
    translation: Option<[f64; 3]>,
    rotation: Option<[f64; 4]>,
    scale: Option<[f64; 3]>,
}

impl Node {
    /// Returns the transform from this node to its parent.
    pub(super) fn parent_from_node(&self) -> DMat4 {
        if let Some(columns) = &self.matrix {
            return DMat4::from_cols_array(columns);
        }
        DMat4::from_scale_rotation_translation(
            self.scale.map_or(DVec3::ONE, DVec3::from_array),
            self.rotation.map_or(DQuat::IDENTITY, DQuat::from_array),
            self.translation.map_or(DVec3::ZERO, DVec3::from_array),
        )
    }
}

//! The binary chunk, and the accessors that describe it.

use glam::{Vec2, Vec3};
use serde_json::{Value, json};

const FLOAT: u32 = 5126;
const UNSIGNED_INT: u32 = 5125;
const VERTEX_DATA: u32 = 34962;
const INDEX_DATA: u32 = 34963;

/// Builds the binary chunk; each array gets its own view and accessor.
#[derive(Debug, Default)]
pub(super) struct Buffer {
    pub(super) bytes: Vec<u8>,
    pub(super) views: Vec<Value>,
    pub(super) accessors: Vec<Value>,
}

impl Buffer {
    /// Adds positions or displacements of vertices, with the bounds that the format requires; returns the accessor.
    pub(super) fn positions(&mut self, vectors: &[Vec3]) -> usize {
        let low = vectors.iter().copied().fold(Vec3::INFINITY, Vec3::min);
        let high = vectors.iter().copied().fold(Vec3::NEG_INFINITY, Vec3::max);
        let accessor = self.vectors(vectors);
        self.accessors[accessor]["min"] = json!(low.to_array());
        self.accessors[accessor]["max"] = json!(high.to_array());
        accessor
    }

    /// Adds normals or colours of vertices; returns the accessor.
    pub(super) fn vectors(&mut self, vectors: &[Vec3]) -> usize {
        let numbers = vectors.iter().flat_map(Vec3::to_array);
        self.floats(numbers, Some(VERTEX_DATA), vectors.len(), "VEC3")
    }

    /// Adds texture coordinates of vertices; returns the accessor.
    pub(super) fn texcoords(&mut self, texcoords: &[Vec2]) -> usize {
        let numbers = texcoords.iter().flat_map(Vec2::to_array);
        self.floats(numbers, Some(VERTEX_DATA), texcoords.len(), "VEC2")
    }

    /// Adds bytes without an accessor; returns the view.
    pub(super) fn blob(&mut self, bytes: &[u8]) -> usize {
        let (start, length) = (self.bytes.len(), bytes.len());
        self.bytes.extend_from_slice(bytes);
        self.bytes.resize(self.bytes.len().next_multiple_of(4), 0);
        self.views.push(json!({ "buffer": 0, "byteOffset": start, "byteLength": length }));
        self.views.len() - 1
    }

    /// Adds key times, ascending, in s; returns the accessor.
    pub(super) fn times(&mut self, times: &[f32]) -> usize {
        let accessor = self.floats(times.iter().copied(), None, times.len(), "SCALAR");
        self.accessors[accessor]["min"] = json!([times.first()]);
        self.accessors[accessor]["max"] = json!([times.last()]);
        accessor
    }

    /// Adds plain numbers; returns the accessor.
    pub(super) fn scalars(&mut self, count: usize, numbers: impl Iterator<Item = f32>) -> usize {
        self.floats(numbers, None, count, "SCALAR")
    }

    /// Adds the vertex indices of triangles or lines; returns the accessor.
    pub(super) fn indices<const N: usize>(&mut self, cells: &[[u32; N]]) -> usize {
        let start = self.bytes.len();
        self.bytes.extend(cells.iter().flatten().flat_map(|vertex| vertex.to_le_bytes()));
        self.accessor(start, Some(INDEX_DATA), UNSIGNED_INT, N * cells.len(), "SCALAR")
    }

    fn floats(
        &mut self,
        numbers: impl Iterator<Item = f32>,
        target: Option<u32>,
        count: usize,
        shape: &str,
    ) -> usize {
        let start = self.bytes.len();
        self.bytes.extend(numbers.flat_map(f32::to_le_bytes));
        self.accessor(start, target, FLOAT, count, shape)
    }

    /// Adds an accessor of the bytes from `start` on. All components have four bytes, so all data are aligned.
    fn accessor(
        &mut self,
        start: usize,
        target: Option<u32>,
        component: u32,
        count: usize,
        shape: &str,
    ) -> usize {
        let length = self.bytes.len() - start;
        let mut view = json!({ "buffer": 0, "byteOffset": start, "byteLength": length });
        if let Some(target) = target {
            view["target"] = json!(target);
        }
        self.views.push(view);
        let view = self.views.len() - 1;
        self.accessors.push(
            json!({ "bufferView": view, "componentType": component, "count": count, "type": shape }),
        );
        self.accessors.len() - 1
    }
}

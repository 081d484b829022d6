//! Vertices of the same position made one.

use std::collections::BTreeMap;

use glam::DVec3;

use super::Surface;

/// Numbers positions in the order of their first coming; equal is equal in every bit, save that
/// -0 is 0.
#[derive(Debug, Default)]
pub(super) struct Weld {
    pub(super) vertices: Vec<DVec3>,
    seen: BTreeMap<[u64; 3], u32>,
}

impl Weld {
    /// The number of a position.
    pub(super) fn vertex(&mut self, position: DVec3) -> u32 {
        let next = self.vertices.len() as u32;
        let key = (position + 0.0).to_array().map(f64::to_bits);
        let vertex = *self.seen.entry(key).or_insert(next);
        if vertex == next {
            self.vertices.push(position);
        }
        vertex
    }
}

impl Surface {
    /// The same surface with vertices of the same position made one.
    ///
    /// Of the colours of such vertices the first is kept.
    ///
    /// # Panics
    /// If a triangle names a missing vertex.
    pub fn welded(mut self) -> Self {
        let mut weld = Weld::default();
        let mut colours = self.colours.as_ref().map(|_| Vec::new());
        let mut merged = Vec::with_capacity(self.vertices.len());
        for (old, position) in self.vertices.iter().enumerate() {
            let new = weld.vertex(*position);
            if let (Some(all), Some(kept)) = (&self.colours, &mut colours)
                && new as usize == kept.len()
            {
                kept.push(all[old]);
            }
            merged.push(new);
        }
        for triangle in &mut self.triangles {
            *triangle = triangle.map(|vertex| merged[vertex as usize]);
        }
        Self { vertices: weld.vertices, colours, ..self }
    }
}

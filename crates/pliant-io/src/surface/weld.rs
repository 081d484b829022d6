//! Merges vertices with the same position.

use std::collections::BTreeMap;

use glam::DVec3;

use super::Surface;

/// Numbers positions in order of first use. Positions are equal if all bits are equal, except that -0 equals 0.
#[derive(Debug, Default)]
pub(super) struct Weld {
    pub(super) vertices: Vec<DVec3>,
    seen: BTreeMap<[u64; 3], u32>,
}

impl Weld {
    /// Returns the number of a position.
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

/// Returns the surface with vertices of the same position merged.
///
/// Merged vertices keep the first colour.
///
/// # Panics
/// If a triangle refers to a missing vertex.
pub(super) fn welded(mut surface: Surface) -> Surface {
    let mut weld = Weld::default();
    let mut colours = surface.colours.as_ref().map(|_| Vec::new());
    let mut merged = Vec::with_capacity(surface.vertices.len());
    for (old, position) in surface.vertices.iter().enumerate() {
        let new = weld.vertex(*position);
        if let (Some(all), Some(kept)) = (&surface.colours, &mut colours)
            && new as usize == kept.len()
        {
            kept.push(all[old]);
        }
        merged.push(new);
    }
    let merged = |vertex: u32| merged[vertex as usize];
    surface.triangles.iter_mut().for_each(|triangle| *triangle = triangle.map(merged));
    surface.lines.iter_mut().for_each(|line| *line = line.map(merged));
    Surface { vertices: weld.vertices, colours, ..surface }
}

//! Points of a skin.

use glam::DVec3;

/// A point of a skin: a vertex, or a point of an edge or triangle, by its vertices and their weights.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Feature {
    vertices: [u32; 3],
    weights: [f64; 3],
    count: u8,
}

impl Feature {
    /// A vertex.
    pub fn vertex(vertex: u32) -> Self {
        Self { vertices: [vertex; 3], weights: [1.0, 0.0, 0.0], count: 1 }
    }

    /// The point `(1 − t) a + t b` of an edge.
    pub fn edge([a, b]: [u32; 2], t: f64) -> Self {
        Self { vertices: [a, b, b], weights: [1.0 - t, t, 0.0], count: 2 }
    }

    /// The point of a triangle with these barycentric coordinates.
    pub fn triangle(vertices: [u32; 3], weights: [f64; 3]) -> Self {
        Self { vertices, weights, count: 3 }
    }

    /// Its vertices: one, two or three.
    pub fn vertices(&self) -> &[u32] {
        &self.vertices[..usize::from(self.count)]
    }

    /// Their weights, which sum to 1.
    pub fn weights(&self) -> &[f64] {
        &self.weights[..usize::from(self.count)]
    }

    /// Σ w x: interpolates values of the vertices at the point.
    pub fn blend(&self, values: &[DVec3]) -> DVec3 {
        self.vertices().iter().zip(self.weights()).map(|(k, w)| *w * values[*k as usize]).sum()
    }
}

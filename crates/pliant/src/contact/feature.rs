//! What touches what.

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

    /// Σ w x: the value at the point of what the vertices have.
    pub fn blend(&self, values: &[DVec3]) -> DVec3 {
        self.vertices().iter().zip(self.weights()).map(|(k, w)| *w * values[*k as usize]).sum()
    }
}

/// Two points of skins that touch, or will within the step.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Contact {
    /// The point of the first skin.
    pub first: Feature,
    /// The point of the second.
    pub second: Feature,
    /// Unit vector from the second to the first: moved along it, the first gets away.
    pub normal: DVec3,
    /// How far they are apart along the normal, in m; negative where they overlap.
    pub gap: f64,
}

impl Contact {
    /// What stays the same while two skins keep touching here: a vertex slides from triangle to triangle, so it alone
    /// names its contact; edges are named by both. No two contacts of two skins, or of a skin with itself, have the same.
    pub fn key(&self) -> [u32; 4] {
        const NONE: u32 = u32::MAX;
        match (self.first.vertices(), self.second.vertices()) {
            ([vertex], _) => [*vertex, NONE, NONE, NONE],
            (_, [vertex]) => [NONE, NONE, *vertex, NONE],
            (first, second) => [first[0], first[1], second[0], second[1]],
        }
    }

    /// The same seen from the other skin.
    #[must_use]
    pub fn turned(&self) -> Self {
        Self { first: self.second, second: self.first, normal: -self.normal, gap: self.gap }
    }
}

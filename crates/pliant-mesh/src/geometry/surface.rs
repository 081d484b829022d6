//! Surfaces of triangles, as artists and scanners make them.

use std::sync::Arc;

use glam::{DVec2, DVec3};

/// Triangles and lines, as read from a surface file.
///
/// It may be closed or open, have several components, and intersect itself.
///
/// Vertices are shared between triangles wherever the file shares them or positions are equal, so
/// that a closed surface is recognised as closed. Normals and texture coordinates, which may differ between the
/// triangles at a vertex, are stored per corner.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Surface {
    /// Positions, in m.
    pub vertices: Vec<DVec3>,
    /// Vertices of each triangle, anticlockwise seen from outside.
    pub triangles: Vec<[u32; 3]>,
    /// Line segments: tails, ropes, whiskers.
    pub lines: Vec<[u32; 2]>,
    /// Normals of the corners of each triangle, as in the file; not always of unit length.
    pub normals: Option<Vec<[DVec3; 3]>>,
    /// Texture coordinates of the corners of each triangle; (0, 0) is the lower left of the image.
    pub texcoords: Option<Vec<[DVec2; 3]>>,
    /// Red, green and blue of each vertex, 0 to 1, as in the file.
    pub colours: Option<Vec<[f32; 3]>>,
    /// Groups of triangles with their materials; empty if the file has none.
    pub parts: Vec<SurfaceGroup>,
    /// The part of each triangle; `None` if there are no parts.
    pub part_of: Option<Vec<u32>>,
}

/// A group of triangles with one material.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct SurfaceGroup {
    /// Name of the group, object or mesh; may be empty.
    pub name: String,
    /// Name of its material.
    pub material: Option<String>,
    /// Red, green, blue and opacity, linear, 0 to 1; the texture is multiplied with it.
    pub colour: Option<[f32; 4]>,
    /// The image that texture coordinates refer to.
    pub texture: Option<Arc<Texture>>,
}

/// An image file, stored without decoding.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Texture {
    /// `image/png` or `image/jpeg`.
    pub mime: String,
    /// The bytes of the file.
    pub bytes: Vec<u8>,
}

impl Surface {
    /// Creates a surface from vertices and triangles only.
    pub fn new(vertices: Vec<DVec3>, triangles: Vec<[u32; 3]>) -> Self {
        Self { vertices, triangles, ..Default::default() }
    }

    /// Returns the smallest and largest coordinates; +∞ and −∞ if there are no vertices.
    pub fn bounds(&self) -> (DVec3, DVec3) {
        let start = (DVec3::INFINITY, DVec3::NEG_INFINITY);
        self.vertices.iter().fold(start, |(low, high), x| (low.min(*x), high.max(*x)))
    }

    /// Returns the sum of the areas of the triangles, in m².
    pub fn area(&self) -> f64 {
        self.corners().map(|[a, b, c]| (b - a).cross(c - a).length() / 2.0).sum()
    }

    /// Returns the enclosed volume, in m³; if the surface is open it depends on the origin.
    pub fn volume(&self) -> f64 {
        self.corners().map(|[a, b, c]| a.dot(b.cross(c)) / 6.0).sum()
    }

    /// Returns the positions of the corners of each triangle.
    ///
    /// # Panics
    /// If a triangle refers to a missing vertex.
    pub fn corners(&self) -> impl Iterator<Item = [DVec3; 3]> {
        self.triangles.iter().map(|triangle| triangle.map(|vertex| self.vertices[vertex as usize]))
    }
}

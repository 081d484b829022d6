//! Surfaces of triangles, as artists and scanners make them.

use std::sync::Arc;

use glam::{DVec2, DVec3};

/// Triangles and lines, as a surface file holds them.
///
/// It may be anything: closed or open, in pieces, through itself.
///
/// Vertices are shared between triangles wherever the file says or the positions are the same, so
/// that a closed surface is recognisably closed; what may differ from triangle to triangle at a
/// vertex, normals and texture coordinates, is kept per corner.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Surface {
    /// Positions, in m.
    pub vertices: Vec<DVec3>,
    /// Vertices of each triangle, anticlockwise seen from outside.
    pub triangles: Vec<[u32; 3]>,
    /// Pieces of lines: tails, ropes, whiskers.
    pub lines: Vec<[u32; 2]>,
    /// Normals of the corners of each triangle, as they stand in the file; not always unit.
    pub normals: Option<Vec<[DVec3; 3]>>,
    /// Texture coordinates of the corners of each triangle; (0, 0) is the lower left of the picture.
    pub texcoords: Option<Vec<[DVec2; 3]>>,
    /// Red, green and blue of each vertex, 0 to 1, as they stand in the file.
    pub colours: Option<Vec<[f32; 3]>>,
    /// What its triangles are made of; empty if the file does not say.
    pub parts: Vec<Part>,
    /// The part of each triangle; nothing where there are no parts.
    pub part_of: Option<Vec<u32>>,
}

/// Triangles that belong together and look alike: a group, with its material.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Part {
    /// Name of the group, object or mesh; may be empty.
    pub name: String,
    /// Name of what it is painted with.
    pub material: Option<String>,
    /// Red, green, blue and opacity, linear, 0 to 1; the texture is multiplied with it.
    pub colour: Option<[f32; 4]>,
    /// The picture that texture coordinates point into.
    pub texture: Option<Arc<Texture>>,
}

/// A picture as its file holds it; nobody looks inside here.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Texture {
    /// `image/png` or `image/jpeg`.
    pub mime: String,
    /// The file, byte by byte.
    pub bytes: Vec<u8>,
}

impl Surface {
    /// A surface of vertices and triangles alone.
    pub fn new(vertices: Vec<DVec3>, triangles: Vec<[u32; 3]>) -> Self {
        Self { vertices, triangles, ..Default::default() }
    }

    /// Smallest and largest coordinates; infinite and the wrong way round without vertices.
    pub fn bounds(&self) -> (DVec3, DVec3) {
        let start = (DVec3::INFINITY, DVec3::NEG_INFINITY);
        self.vertices.iter().fold(start, |(low, high), x| (low.min(*x), high.max(*x)))
    }

    /// Sum of the areas of the triangles, in m².
    pub fn area(&self) -> f64 {
        self.corners().map(|[a, b, c]| (b - a).cross(c - a).length() / 2.0).sum()
    }

    /// Volume inside, in m³; if the surface is open it depends on where the origin is.
    pub fn volume(&self) -> f64 {
        self.corners().map(|[a, b, c]| a.dot(b.cross(c)) / 6.0).sum()
    }

    /// Positions of the corners of each triangle.
    ///
    /// # Panics
    /// If a triangle names a missing vertex.
    pub fn corners(&self) -> impl Iterator<Item = [DVec3; 3]> {
        self.triangles.iter().map(|triangle| triangle.map(|vertex| self.vertices[vertex as usize]))
    }
}

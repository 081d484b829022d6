//! Animated GLB with one morph target per frame, for Blender, three.js and other glTF 2.0 readers.

mod buffer;
mod check;
mod document;
mod materials;
mod split_vertices;

use std::path::Path;

use glam::{DVec2, DVec3};
use pliant::geometry::{Surface, SurfaceGroup};

pub use split_vertices::SplitVertices;

use crate::error::WriteError;
use crate::picture::Colour;
use crate::write::write_atomic;

/// An animation of bodies, frame by frame.
#[derive(Debug, Clone, PartialEq)]
pub struct Animation {
    /// Time between frames, in s.
    pub dt: f64,
    /// True if normals are stored. With them surfaces look smooth everywhere; without them the file has half the
    /// size, and viewers compute normals or draw flat facets.
    pub normals: bool,
    /// The moving and static bodies.
    pub bodies: Vec<AnimatedSurface>,
}

/// A surface with a position per vertex and frame.
///
/// ```
/// use glam::DVec3;
/// use pliant_io::glb::AnimatedSurface;
/// use pliant_io::picture::Colour;
/// use pliant_io::surface::Surface;
///
/// let triangle = Surface::new(vec![DVec3::ZERO, DVec3::X, DVec3::Y], vec![[0, 1, 2]]);
/// let mut body = AnimatedSurface::of("flag", Colour::WHITE, &triangle);
/// body.frames.push(triangle.vertices);
/// ```
#[derive(Debug, Clone, PartialEq, Default)]
pub struct AnimatedSurface {
    /// Name of its node and mesh.
    pub name: String,
    /// Its colour, for parts without one.
    pub colour: Colour,
    /// The three vertices of each triangle.
    pub triangles: Vec<[u32; 3]>,
    /// Positions of all vertices in each frame, in m. One frame is enough for a static body.
    pub frames: Vec<Vec<DVec3>>,
    /// Colours of the vertices, multiplied with `colour`.
    pub vertex_colours: Option<Vec<Colour>>,
    /// The two vertices of each line.
    pub lines: Vec<[u32; 2]>,
    /// The artist's normals at the corners of each triangle, in any frame: the surface is smooth where they agree at
    /// a vertex and has a crease where they differ, in all frames. Without them edges bent by more than 40° are
    /// creases.
    pub normals: Option<Vec<[DVec3; 3]>>,
    /// Texture coordinates at the corners of each triangle; (0, 0) is the lower left.
    pub texcoords: Option<Vec<[DVec2; 3]>>,
    /// Names, materials and textures of its parts; without parts it has one colour.
    pub parts: Vec<SurfaceGroup>,
    /// The part of each triangle.
    pub part_of: Option<Vec<u32>>,
}

impl AnimatedSurface {
    /// Creates an animated surface without frames from all data of a surface.
    pub fn of(name: &str, colour: Colour, surface: &Surface) -> Self {
        let colours = surface.colours.as_ref();
        let colours = colours.map(|all| all.iter().map(|[r, g, b]| Colour::new(*r, *g, *b)));
        Self {
            name: name.to_owned(),
            colour,
            triangles: surface.triangles.clone(),
            frames: Vec::new(),
            vertex_colours: colours.map(Iterator::collect),
            lines: surface.lines.clone(),
            normals: surface.normals.clone(),
            texcoords: surface.texcoords.clone(),
            parts: surface.parts.clone(),
            part_of: surface.part_of.clone(),
        }
    }

    /// Sets vertex colours, and removes all other colours, materials and textures.
    pub fn paint(&mut self, colours: Vec<Colour>) {
        (self.colour, self.vertex_colours) = (Colour::WHITE, Some(colours));
        (self.texcoords, self.part_of) = (None, None);
        self.parts.clear();
    }
}

/// Writes a GLB file.
///
/// Frame 0 is the mesh itself; each further frame is a morph target: its displacement from frame 0. The weights are
/// keyed so that at time k·dt only target k has weight 1; in between, interpolation of the weights is interpolation
/// of the positions. A body whose frames are all equal gets no targets.
pub fn write_glb(path: &Path, animation: &Animation) -> Result<(), WriteError> {
    check::check(path, animation)?;
    let (json, binary) = document::build(animation);
    let json = padded(json.to_string().into_bytes(), b' ');
    let binary = padded(binary, 0);
    let total = 12 + 8 + json.len() + 8 + binary.len();
    let length = |bytes: &[u8]| (bytes.len() as u32).to_le_bytes();
    if u32::try_from(total).is_err() {
        return Err(check::too_large(path, total));
    }
    write_atomic(path, |file| {
        file.write_all(b"glTF")?;
        file.write_all(&2_u32.to_le_bytes())?;
        file.write_all(&(total as u32).to_le_bytes())?;
        file.write_all(&length(&json))?;
        file.write_all(b"JSON")?;
        file.write_all(&json)?;
        file.write_all(&length(&binary))?;
        file.write_all(b"BIN\0")?;
        file.write_all(&binary)
    })
}

/// Pads a chunk to a multiple of four bytes.
fn padded(mut bytes: Vec<u8>, filler: u8) -> Vec<u8> {
    bytes.resize(bytes.len().next_multiple_of(4), filler);
    bytes
}

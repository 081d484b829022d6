//! Animated GLB: every frame a morph target, for Blender, three.js and whatever reads glTF 2.0.

mod buffer;
mod check;
mod creases;
mod document;
mod materials;

use std::path::Path;

use glam::{DVec2, DVec3};
use pliant::geometry::{Part, Surface};

pub use creases::Split;

use crate::error::WriteError;
use crate::picture::Colour;
use crate::write::write_whole;

/// Bodies that move, frame by frame.
#[derive(Debug, Clone, PartialEq)]
pub struct Animation {
    /// Time from frame to frame, in s.
    pub dt: f64,
    /// Whether normals are stored too. With them surfaces look smooth everywhere; without them
    /// the file has half the size and viewers make normals of their own, or draw flat facets.
    pub normals: bool,
    /// What moves, and what stands around.
    pub bodies: Vec<AnimatedSurface>,
}

/// A surface that moves.
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
    /// Its colour, where its part has none of its own.
    pub colour: Colour,
    /// Three vertices each.
    pub triangles: Vec<[u32; 3]>,
    /// Positions of all vertices in each frame, in m. One frame is enough for what stands still.
    pub frames: Vec<Vec<DVec3>>,
    /// Colours of the vertices, multiplied with `colour`.
    pub vertex_colours: Option<Vec<Colour>>,
    /// Pieces of lines.
    pub lines: Vec<[u32; 2]>,
    /// Normals of the corners of each triangle as the artist made them, in any frame: where they
    /// agree at a vertex the surface is smooth, where they differ it has a crease, whatever it
    /// does later. Without them edges bent by more than 40° are creases.
    pub normals: Option<Vec<[DVec3; 3]>>,
    /// Texture coordinates of the corners of each triangle; (0, 0) is the lower left.
    pub texcoords: Option<Vec<[DVec2; 3]>>,
    /// What its triangles are made of; without them it has one colour.
    pub parts: Vec<Part>,
    /// The part of each triangle.
    pub part_of: Option<Vec<u32>>,
}

impl AnimatedSurface {
    /// All that stands on a surface, still without frames.
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

    /// Shows colours of its vertices and nothing else: neither what it is made of nor pictures on it.
    pub fn paint(&mut self, colours: Vec<Colour>) {
        (self.colour, self.vertex_colours) = (Colour::WHITE, Some(colours));
        (self.texcoords, self.part_of) = (None, None);
        self.parts.clear();
    }
}

/// Writes a GLB file.
///
/// Frame 0 is the mesh itself; each further frame is a morph target, that is its displacement
/// from frame 0. The weights are keyed so that at k·dt target k alone is fully on; in between,
/// interpolation of the weights is interpolation of the positions. A body whose frames are all
/// alike gets no targets.
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
    write_whole(path, |file| {
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

/// Chunks end at multiples of four bytes.
fn padded(mut bytes: Vec<u8>, filler: u8) -> Vec<u8> {
    bytes.resize(bytes.len().next_multiple_of(4), filler);
    bytes
}

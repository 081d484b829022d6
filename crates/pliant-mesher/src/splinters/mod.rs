//! Splinters: a closed surface cut into many small closed pieces, for the look of breaking bodies.
//!
//! Parker & O'Brien 2009, section 5. A body breaks along the faces of its cells, and such breaks look like cells. So
//! the surface drawn is made of splinters smaller than cells: each splinter follows the cell that contains its centre,
//! so that breaks run between splinters. Together the splinters fill the solid, without gaps and overlaps.
//!
//! | maker | for | cells |
//! |---|---|---|
//! | [`voronoi`] | stone, glass | of random sites; denser at an impact; straight through panes; in rings |
//! | [`wood`] | wood | long, along a grain, their pointed ends between each other |
//! | [`brick`] | walls | courses with offset joints |
//! | [`parts`] | shapes cut by an artist | none: closed parts of the surface are the splinters |
//!
//! ```text
//! Surface → Solid → Chunk ─ divided among cells ─→ Chunks → Shells → joined slivers → Splinters
//! config  → sites → cells ┘
//! ```
//!
//! ```
//! use pliant::geometry::Shape;
//! use pliant_mesher::splinters::{CutConfig, VoronoiConfig, voronoi};
//!
//! let stone = Shape::Sphere { radius: 0.5 }.surface(8)?;
//! let config = VoronoiConfig::of_count(20);
//! let splinters = voronoi(&stone, &config, &CutConfig::default())?;
//! let volume: f64 = splinters.pieces.iter().map(|piece| piece.volume).sum();
//! assert!((volume / stone.volume() - 1.0).abs() < 1e-12);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod assemble;
mod attributes;
mod brick;
mod cells;
mod chunk;
mod clip;
mod collapse;
mod config;
mod cut;
mod divide;
mod ears;
mod error;
mod flat;
mod fuse;
mod hollows;
mod loops;
mod parts;
mod plane;
mod random_sequence;
mod rings;
mod scatter;
mod shell;
mod slivers;
mod solid;
mod voronoi;
mod wood;

use std::ops::Range;

use glam::DVec3;
use pliant::geometry::Surface;

pub use brick::{BrickConfig, brick};
pub use config::{CutConfig, MAX_SPLINTERS};
pub use error::SplinterError;
pub use parts::parts;
pub use voronoi::{Amount, Flat, Impact, Pattern, VoronoiConfig, voronoi};
pub use wood::{WoodConfig, wood};

/// The splinters of a solid, in one surface.
#[derive(Debug, Clone, PartialEq)]
pub struct Splinters {
    /// All splinters, one after the other. Original triangles keep the normals, texture coordinates, colours and parts of
    /// the surface; cut faces have their own part, which is the last.
    pub surface: Surface,
    /// The vertices and triangles of each splinter.
    pub pieces: Vec<Piece>,
    /// True for each triangle that was inside the solid before it broke.
    pub inside: Vec<bool>,
}

/// A splinter: one or a few closed surfaces whose vertices no other splinter uses.
#[derive(Debug, Clone, PartialEq)]
pub struct Piece {
    /// Its vertices in [`Splinters::surface`].
    pub vertices: Range<u32>,
    /// Its triangles in [`Splinters::surface`].
    pub triangles: Range<u32>,
    /// The volume, in m³.
    pub volume: f64,
    /// The centre of mass, in m; the centre of the bounding box if the splinter is so thin that rounding would put it
    /// outside.
    pub centre: DVec3,
}

impl Splinters {
    /// Returns one splinter as a surface, with all attributes.
    ///
    /// # Panics
    /// If `index` is out of range.
    pub fn piece(&self, index: usize) -> Surface {
        let Piece { vertices, triangles, .. } = &self.pieces[index];
        let [vertices, triangles] =
            [vertices, triangles].map(|range| range.start as usize..range.end as usize);
        let first = vertices.start as u32;
        let whole = &self.surface;
        let own = whole.triangles[triangles.clone()].iter();
        Surface {
            vertices: whole.vertices[vertices.clone()].to_vec(),
            triangles: own.map(|corners| corners.map(|vertex| vertex - first)).collect(),
            lines: Vec::new(),
            normals: whole.normals.as_ref().map(|list| list[triangles.clone()].to_vec()),
            texcoords: whole.texcoords.as_ref().map(|list| list[triangles.clone()].to_vec()),
            colours: whole.colours.as_ref().map(|list| list[vertices].to_vec()),
            parts: whole.parts.clone(),
            part_of: whole.part_of.as_ref().map(|list| list[triangles].to_vec()),
        }
    }
}

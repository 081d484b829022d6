//! Splinters: a closed surface cut into many small closed pieces, which show when a body breaks.
//!
//! Parker & O'Brien 2009, section 5. A body breaks along the sides of its cells, which look like cells. What is drawn is made of
//! splinters instead, smaller than cells: each follows the cell that holds its centre, so that a break runs between splinters. Together they
//! are the solid: no volume is lost and none is twice.
//!
//! | maker | for | cells |
//! |---|---|---|
//! | [`voronoi`] | stone, glass | of random sites; denser where it was hit; straight through panes; in rings |
//! | [`wood`] | wood | long, along a grain, their pointed ends between each other |
//! | [`brick`] | walls | courses with offset joints |
//! | [`parts`] | what an artist cut | none: closed parts of the surface are the splinters |
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
mod looks;
mod loops;
mod parts;
mod plane;
mod rings;
mod scatter;
mod shell;
mod slivers;
mod solid;
mod tosses;
mod voronoi;
mod wood;

use std::ops::Range;

use glam::DVec3;
use pliant::geometry::Surface;

pub use brick::{BrickConfig, brick};
pub use config::{CutConfig, MOST_SPLINTERS};
pub use error::SplinterError;
pub use parts::parts;
pub use voronoi::{Amount, Flat, Impact, Pattern, VoronoiConfig, voronoi};
pub use wood::{WoodConfig, wood};

/// Closed pieces of a solid, in one surface.
#[derive(Debug, Clone, PartialEq)]
pub struct Splinters {
    /// All pieces, one after the other. Outside they have the normals, texture coordinates, colours and parts of the
    /// surface that was cut, inside a part of their own, which is the last.
    pub surface: Surface,
    /// Which vertices and triangles each is made of.
    pub pieces: Vec<Piece>,
    /// Of each triangle, whether it lay inside before anything broke.
    pub inside: Vec<bool>,
}

/// A splinter: a closed surface, or a few of them, whose vertices no other splinter uses.
#[derive(Debug, Clone, PartialEq)]
pub struct Piece {
    /// Of [`Splinters::surface`].
    pub vertices: Range<u32>,
    /// Of [`Splinters::surface`].
    pub triangles: Range<u32>,
    /// In m³.
    pub volume: f64,
    /// Centre of mass, in m; the middle of its bounds if it is so thin that rounding would put it elsewhere.
    pub centre: DVec3,
}

impl Splinters {
    /// A splinter by itself, with all that stands on it.
    ///
    /// # Panics
    /// If there is no such piece.
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

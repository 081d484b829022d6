//! Tetrahedral meshes that fill a surface, curved to follow it.
//!
//! ```text
//! surface  → winding number, sheets → solid
//! solid    → octree → lattice → cut, warp, fill → straight cells, angles bounded (Labelle & Shewchuk 2007)
//! straight → sharp edges → degree 2, 3 → boundary onto the surface → certified (Mezger et al. 2007, 6.1)
//! cells    → places of the surface's vertices (Mezger et al. 2007, 6.2)
//! ```

mod advance;
mod background;
mod bernstein_cell;
mod boundary_faces;
mod cell_grid;
mod config;
mod curve;
mod curved_quality;
mod cuts;
mod det_form;
mod dihedral;
mod envelope;
mod error;
mod face_samples;
mod farthest;
mod fit;
mod follow;
mod frame;
mod keeper;
mod lost_parts;
mod mesher;
mod octree;
mod own_part;
mod pieces;
mod places;
mod relax;
mod report;
mod search;
mod sharp;
mod shells;
mod size_rules;
mod solid;
mod stencil;
mod straight;
mod stuffing;
mod topology;

pub use config::{Grading, Sheets, Size, TetConfig, Within};
pub use curved_quality::CurvedQuality;
pub use error::TetError;
pub use farthest::Farthest;
pub use lost_parts::ThinPart;
pub(crate) use mesher::tetrahedra_up_to;
pub use mesher::{Tetrahedra, tetrahedra, tetrahedra_with};
pub(crate) use places::tetrahedral_places;
pub use report::{Distances, TetReport};
pub use size_rules::{SizeRule, SizeSource};
pub use topology::Topology;

/// Memory that meshing takes per cell, in bytes: 600 measured at degree 1, more above.
const BYTES_PER_CELL: f64 = 1000.0;

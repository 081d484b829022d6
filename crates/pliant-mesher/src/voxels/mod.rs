//! Bounding voxels: hexahedra around any surface, with the matter inside each of them.
//!
//! Nesme, Payan and Faure 2006, sections 3 and 5. A grid of cubes is laid around the surface and each cube is divided
//! into leaves, which are boundary, inside or outside. Every connected piece of matter in a cube becomes a cell. The
//! surface is embedded in the cells and moves with them.
//!
//! ```text
//! Surface → Grid → touched leaves → boundary, inside, outside → pieces → cells → Mesh, Contents
//!                                                                          └──→ Embedding
//! ```

mod bounds;
mod cells;
mod config;
mod error;
mod fill_by_winding;
mod flood;
mod grid;
mod holes;
mod leaf_state;
mod materials;
mod matter;
mod octree;
mod overlap;
mod paint;
mod pieces;
mod places;
mod plug;
mod report;
mod sites;
mod split;
mod voxelize;

pub use config::{CellSize, InsideRule, VoxelConfig};
pub use error::VoxelError;
pub use fill_by_winding::Winding;
pub use materials::{MaterialRule, MaterialSource};
pub use report::VoxelReport;
pub use sites::LeafSites;
pub use voxelize::{Voxels, voxelize, voxelize_with};

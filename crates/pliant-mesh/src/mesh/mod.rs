//! Meshes: control points and cells, without physics.

mod adjacency;
mod boundary;
mod colouring;
mod conversion;
mod edges;
mod elevate;
mod error;
mod fragment;
pub mod generate;
mod linear_level;
mod mesh;
mod node_key;
mod quality;
mod refine;
mod straight;
mod subdivision;
mod validity;
mod winding;

pub use boundary::Face;
pub use colouring::Colouring;
pub use edges::Edge;
pub use error::MeshError;
pub use fragment::Fragment;
pub use mesh::{Block, Mesh, NodeSet, Region};
pub use node_key::NodeKey;
pub use quality::{CellQuality, QualitySummary};
pub use validity::{CellStatus, CellValidity, ValidityReport};

//! Control points and cells: nothing physical.

mod adjacency;
mod boundary;
mod colouring;
mod conversion;
mod edges;
mod elevate;
mod error;
pub mod generate;
mod mesh;
mod node_key;

pub use adjacency::NodeCells;
pub use boundary::{Face, FaceKey};
pub use colouring::Colouring;
pub use edges::Edge;
pub use error::MeshError;
pub use mesh::{Block, Mesh, NodeSet, Region, jacobian};
pub use node_key::NodeKey;

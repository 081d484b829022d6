//! Control points and cells: nothing physical.

mod error;
mod mesh;
mod node_key;

pub use error::MeshError;
pub use mesh::{Block, Mesh, NodeSet, Region, jacobian};
pub use node_key::NodeKey;

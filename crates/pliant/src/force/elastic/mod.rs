//! Elastic energy, forces and stiffness of the cells of a body.

mod elastic;
mod elasticity;
mod gather;
mod stiffness;
mod tangent;
mod warped;

pub use elastic::Elastic;
pub use elasticity::{CellBlocks, Elasticity};
pub use stiffness::{CellStiffness, Definiteness};
pub use tangent::Tangent;
pub use warped::Warped;

//! Meshes made from numbers: boxes and bars, balls, rings and springs.
//!
//! Every generator lays out hexahedra on an integer lattice, cuts them as a [`Split`] says, and
//! places the nodes: a box straight, with jitter if wanted; the others by a smooth map evaluated
//! at the Lagrange nodes of every cell, so that cells of degree 2 and 3 are truly curved.

mod ball;
mod box_mesh;
mod check;
mod curved_bar;
mod disc;
mod fill;
mod helix;
mod jitter;
mod lattice_grid;
mod random;
mod split;
mod torus;

pub use ball::{BallConfig, ball};
pub use box_mesh::{BoxConfig, box_mesh};
pub use curved_bar::{CurvedBarConfig, curved_bar};
pub use helix::{HelixConfig, helix};
pub use split::Split;
pub use torus::{TorusConfig, torus};

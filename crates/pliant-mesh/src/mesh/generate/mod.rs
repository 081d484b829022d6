//! Mesh generators: boxes and bars, balls, rings and springs, a fin and a sculpture.
//!
//! Every generator lays out hexahedra on an integer lattice, cuts them according to a [`Split`], and places the
//! nodes. Boxes (optionally with jitter), fins and sculptures have straight cells of any degree. The other meshes
//! follow a smooth map at the Lagrange nodes of every cell, so that their cells of degree 2 and 3 are curved.

mod ball;
mod box_mesh;
mod check;
mod curved_bar;
mod disc;
mod fill;
mod fin;
mod helix;
mod jitter;
mod lattice_grid;
mod sculpture;
mod split;
mod torus;

pub use ball::{BallConfig, ball};
pub use box_mesh::{BoxConfig, box_mesh};
pub use curved_bar::{CurvedBarConfig, curved_bar};
pub use fin::{FinConfig, fin};
pub use helix::{HelixConfig, helix};
pub use sculpture::{SculptureConfig, sculpture};
pub use split::Split;
pub use torus::{TorusConfig, torus};

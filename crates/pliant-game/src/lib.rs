//! Soft bodies for a game: one call from a surface file to a body, and the whole Pliant engine in one dependency.
//!
//! [`BodyFromSurface`] makes a body of a file, a figure of the gallery, or triangles in memory. All names of the engine, the crate `pliant`, are here;
//! [`io`] reads and writes files, [`mesher`] makes cells of surfaces.
//!
//! ```
//! use pliant_game::mesher::gallery::Figure;
//! use pliant_game::{BodyFromSurface, Obstacle, World, WorldConfig};
//!
//! let mut world = World::new(WorldConfig::default())?;
//! world.add_obstacle(Obstacle::ground(0.5))?;
//! let bear = world.add(BodyFromSurface::figure(Figure::Bear).size(0.3).build()?);
//! world.step();
//! assert_eq!(world[bear].name(), "bear");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
#![forbid(unsafe_code)]

mod body_from_surface;
mod error;
mod source;
mod surface_model;

pub use pliant::*;
/// Mesh, surface, scene and animation files.
pub use pliant_io as io;
/// Cells for surfaces, and a gallery of figures.
pub use pliant_mesher as mesher;

pub use body_from_surface::BodyFromSurface;
pub use error::BodyFromSurfaceError;
pub use surface_model::{DrawnSkin, SurfaceModel};

/// The Rust snippets of the page of the crate and of the guide, which compile and run with the tests.
#[cfg(doctest)]
mod documents {
    #[doc = include_str!("../README.md")]
    struct GamePage;
    #[doc = include_str!("../../../docs/guide/rust.md")]
    struct RustGuide;
    #[doc = include_str!("../../../docs/guide/cookbook.md")]
    struct Cookbook;
}

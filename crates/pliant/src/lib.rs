//! Pliant: a real-time engine for deformable solids.
//!
//! A [`Mesh`] with a [`Material`] makes a [`Model`]; a [`Body`] is a model in motion; a [`World`] holds bodies,
//! obstacles and loads, and steps them together. Everyday names are here, the others in the modules.
//!
//! ```
//! use std::sync::Arc;
//!
//! use pliant::mesh::generate::{BoxConfig, box_mesh};
//! use pliant::{Body, Material, Model, Obstacle, World, WorldConfig};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let mut world = World::new(WorldConfig::default())?;
//! world.add_obstacle(Obstacle::ground(0.5))?;
//!
//! // A rubber cube of 1 m, 1 m above the ground.
//! let mesh = box_mesh(&BoxConfig { origin: [0.0, 1.0, 0.0], degree: 2, ..Default::default() })?;
//! let model = Arc::new(Model::uniform(mesh, Material::preset("rubber")?)?);
//! let cube = world.add(Body::new("cube", model, vec![])?);
//!
//! // It falls for a second and lands.
//! for _ in 0..60 {
//!     world.step();
//! }
//! let lowest = world[cube].state.x.iter().map(|x| x.y).fold(f64::INFINITY, f64::min);
//! assert!(lowest.abs() < 0.05);
//! # Ok(())
//! # }
//! ```
#![forbid(unsafe_code)]

pub mod body;
pub mod contact;
pub mod force;
mod fracture;
#[doc(hidden)]
pub mod internals;
mod persist;
pub mod plasticity;
pub mod sleep;
pub mod solver;
pub mod world;

/// Kinds of cells.
pub mod element {
    pub use pliant_kernels::element::Kind;
}

/// Materials: elastic laws and their constants, plastic flow, toughness.
pub mod material {
    pub use pliant_kernels::material::{
        Grain, LawKind, Material, MaterialError, Parameters, Plastic, Preset, Toughness,
    };
}

/// Shapes, poses and triangle surfaces.
pub mod geometry {
    pub use pliant_mesh::geometry::{
        HeightField, Pose, Shape, ShapeError, SolidError, Surface, SurfaceGroup, Texture,
    };
}

/// Meshes of cells, with their validity and quality.
pub mod mesh {
    pub use pliant_mesh::mesh::{
        Block, CellStatus, CellValidity, Face, Mesh, MeshError, NodeSet, QualitySummary, Region,
        ValidityReport,
    };

    /// Mesh generators: boxes and bars, balls and rings. The crate `pliant_mesh` has more.
    pub mod generate {
        pub use pliant_mesh::mesh::generate::{
            BallConfig, BoxConfig, Split, TorusConfig, ball, box_mesh, torus,
        };
    }
}

pub use body::{Body, MaterialPoint, Model, ModelConfig, Motion, Pin, Pull, Skin};
pub use contact::{ContactConfig, ContactLevel, Obstacle};
pub use element::Kind;
pub use force::Wind;
pub use geometry::{Pose, Shape, Surface};
/// The crate of vectors and rotations that the engine's functions take and return.
pub use glam;
pub use material::{LawKind, Material, Plastic, Preset, Toughness};
pub use mesh::Mesh;
pub use solver::{MethodConfig, Stepper};
pub use world::{
    Attachment, BodyHandle, Event, EventKind, HandleError, Hit, ObstacleHandle, StepReport, World,
    WorldConfig,
};

/// The snippet of the page of the crate, which compiles and runs with the tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct PliantPage;

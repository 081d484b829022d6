//! Scene files: bodies, materials, pins, probes and outputs, described in TOML.
//!
//! The text of a file and its meaning are two types: the text becomes a [`Scene`] only if every number and name in it
//! is valid, and otherwise a [`SceneError`] that shows each problem at its line. Lengths are in m, times in s, masses
//! in kg, angles in degrees where the key says so.
//!
//! ```text
//! problem/      a problem of a scene, and the error that shows all of them
//! read/         how values and tables are read from TOML
//! file/         the structure of a file, as it was typed
//! plan/         the meaning of a file: checked numbers and known names
//! scene.rs      the Scene, made of plans             catalogue.rs   the built-in scenes
//! check/        from the structure of a file to its meaning
//! build/        from a scene to a world
//! ```
//!
//! Each line imports only from the lines above it.

mod build;
pub mod catalogue;
mod check;
mod file;
mod plan;
mod problem;
mod read;
mod scene;

pub use build::attachment::PlacedAttachment;
pub use build::body_mesh::BodyMesh;
pub use build::built_scene::{BuiltBody, BuiltScene, PlacedProbe};
pub use plan::attachment::{AttachmentPlan, SupportPlan};
pub use plan::body::{BodyPlan, PinOn, PinPlan, RegionPlan};
pub use plan::copies::{CopiesPlan, Copy};
pub use plan::mesh::{MeshPlan, MeshSource};
pub use plan::mode::Mode;
pub use plan::obstacle::{FrictionPlan, ObstaclePlan, SurfaceFile};
pub use plan::output::{Field, Format, Output, Probe};
pub use plan::selection::Selection;
pub use plan::shape::MeshShape;
pub use plan::splinters::{SplinterKind, SplintersPlan};
pub use plan::surface::{FinerPlan, Mesher, Stiffness, SurfacePlan, SurfaceSource};
pub use plan::toughness::ToughnessPlan;
pub use problem::fault::Fault;
pub use problem::problem::Problem;
pub use problem::scene_error::SceneError;
pub use scene::{Scene, VERSION};

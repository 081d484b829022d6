//! Scene files: bodies, materials, pins, probes and outputs, described in TOML.
//!
//! The text of a file and its meaning are two types: the text becomes a [`Scene`] only if every number and name in it
//! is valid, and otherwise a [`SceneError`] that shows each problem at its line. Lengths are in m, times in s, masses
//! in kg, angles in degrees where the key says so.

mod attachment_file;
mod build;
mod build_attachment;
mod build_body;
mod build_obstacle;
mod build_surface;
mod build_tetrahedra;
pub mod catalogue;
mod check_attachment;
mod check_body;
mod check_contact;
mod check_field;
mod check_friction;
mod check_material;
mod check_mesh;
mod check_method;
mod check_obstacle;
mod check_plastic;
mod check_shape;
mod check_start;
mod check_surface;
mod check_toughness;
mod check_wind;
mod check_world;
mod copies;
mod error;
mod fault;
mod file;
mod misread;
mod nearest;
mod obstacle_file;
mod plan;
mod problems;
mod read;
#[expect(clippy::module_inception, reason = "the scene is the concept of this module")]
mod scene;
mod select;
mod shape;
mod shorthand;
mod splinters_file;
mod splinters_plan;
mod surface_plan;
mod table;
mod toughness_file;

pub use build::{Built, PlacedProbe};
pub use build_attachment::PlacedAttachment;
pub use check_toughness::ToughnessPlan;
pub use error::{Problem, SceneError};
pub use fault::Fault;
pub use plan::{
    AttachmentPlan, BodyPlan, CopiesPlan, Copy, Field, Format, FrictionPlan, MeshPlan, MeshSource,
    Mode, ObstaclePlan, Output, PinOn, PinPlan, Probe, RegionPlan, Selection, SupportPlan,
    SurfaceFile,
};
pub use scene::{Scene, VERSION};
pub use shape::MeshShape;
pub use splinters_plan::{SplinterKind, SplintersPlan};
pub use surface_plan::{FinerPlan, Mesher, Stiffness, SurfacePlan, SurfaceSource};

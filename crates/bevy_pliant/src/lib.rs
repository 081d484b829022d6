//! Soft bodies of the Pliant engine in Bevy.
//!
//! Add the [`PliantPlugin`], spawn entities with a [`PliantBody`] or a [`PliantObstacle`], and give them a material of your renderer. Their meshes and
//! transforms follow the bodies; [`messages`] tell of contact and breaks. [`PliantWorld`] is the world of the engine, with everything else that
//! it offers.
//!
//! ```
//! use bevy_app::{App, FixedMain};
//! use bevy_ecs::prelude::*;
//! use bevy_pliant::pliant::Material;
//! use bevy_pliant::pliant::mesh::generate::{BoxConfig, box_mesh};
//! use bevy_pliant::{BodyLink, PliantBody, PliantObstacle, PliantPlugin, PliantWorld};
//! use bevy_transform::components::Transform;
//!
//! fn set_up(mut commands: Commands) -> Result {
//!     commands.spawn(PliantObstacle::ground(0.5));
//!     // A rubber cube of 1 m, 1 m above the ground. A game adds a `MeshMaterial3d`.
//!     let mesh = box_mesh(&BoxConfig { degree: 2, ..Default::default() })?;
//!     let rubber = PliantBody::soft(mesh, Material::preset("rubber")?)?;
//!     commands.spawn((rubber, Transform::from_xyz(0.0, 1.0, 0.0)));
//!     Ok(())
//! }
//!
//! let mut app = App::new();
//! app.add_plugins(PliantPlugin::default());
//! app.add_systems(bevy_app::Startup, set_up);
//! app.update();
//! for _ in 0..60 {
//!     app.world_mut().run_schedule(FixedMain); // `TimePlugin` does this in a game
//! }
//! let cube = app.world_mut().query::<&BodyLink>().single(app.world())?.0;
//! let body = &app.world().resource::<PliantWorld>()[cube];
//! assert!((body.centre_of_mass().y - 0.5).abs() < 0.05);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
#![forbid(unsafe_code)]

mod add_bodies;
mod attachment;
mod body;
mod convert;
#[cfg(feature = "gizmos")]
mod debug;
mod draw;
mod error;
pub mod messages;
mod obstacle;
mod plugin;
mod report;
#[cfg(feature = "scenes")]
mod scene;
mod step;
mod sync;
mod world;

pub use attachment::{AttachmentLink, PliantAttachment, PliantSupport, Region};
pub use body::{BodyLink, Fragment, PliantBody, PliantPins, PliantVelocity, Rejected};
pub use convert::{to_bevy, to_pliant};
#[cfg(feature = "gizmos")]
pub use debug::{PliantGizmoPlugin, PliantGizmos};
pub use draw::body_mesh::mesh_of_surface;
pub use error::PliantError;
pub use obstacle::{ObstacleLink, PliantObstacle};
/// The engine.
pub use pliant;
/// Scene files, and readers and writers of meshes and surfaces.
#[cfg(feature = "scenes")]
pub use pliant_io;
pub use plugin::{PliantPlugin, PliantSystems};
#[cfg(feature = "scenes")]
pub use scene::open_scene;
pub use world::PliantWorld;

/// The snippets of the page of the crate, which compile and run with the tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct BevyPliantPage;

//! A world: bodies that step together.
//!
//! ```text
//! world.rs        the World: add, get, settings          step.rs      the phases of a step, in order
//! slot/           the bodies: one slot each, made of components       edit/     replace, remove, new rest shapes
//! island/         groups of bodies: build, solve, sleep, wake, half rate
//! contact/        contacts between bodies, queries       fracture/    breaks, fragments, debris
//! attach/         attachments                            environment/ obstacles, wind, fields, loads on skins
//! report/         events, breaks, energies               snapshot/    the state as bytes
//! ```
//!
//! Files in folders hold either data, which knows nothing of the `World`, or one concern of it as an `impl World`.

mod attach;
mod budget;
mod config;
mod contact;
mod context;
mod edit;
mod environment;
mod fracture;
mod island;
mod limits;
mod report;
mod slot;
mod snapshot;
mod step;
mod world;

pub use crate::fracture::Opening;
pub use crate::persist::SnapshotError;
pub use attach::attachment::{Attachment, AttachmentError, AttachmentHandle, Bond, Support};
pub use budget::Budget;
pub use config::{ConfigError, DebrisConfig, Fate, FractureConfig, WorldConfig};
pub use contact::obstacle_pair::ObstaclePair;
pub use contact::pair::ContactPair;
pub use contact::point::ContactPoint;
pub use contact::query::{Hit, SkinPlace, Target};
pub use edit::commit::{CommitError, Committed};
pub use edit::error::ChangeError;
pub use edit::replace::ReplaceError;
pub use environment::skin_forces::LoadError;
pub use limits::{Compromises, StepLimits};
pub use report::breaks::{Break, FreshFace};
pub use report::event::{Event, EventKind};
pub use report::report::{Energy, Health, StepReport};
pub use slot::handle::{BodyHandle, HandleError, ObstacleHandle};
pub use world::World;

//! Everything that steps together.

mod attach;
mod attachment;
mod body_stepper;
mod breaking;
mod bystander;
mod commit;
mod config;
mod coupling;
mod debris;
mod entries;
mod entry;
mod entry_contact;
mod entry_load;
mod event;
mod exchange;
mod fields;
mod fingerprint;
mod health;
mod island;
mod meeting;
mod member;
mod moment;
mod parting;
mod pieces;
mod query;
mod root;
mod secure;
mod skin_loads;
mod snapshot;
mod step;
mod touching;
#[expect(clippy::module_inception, reason = "the world is the concept of this layer")]
mod world;

pub use crate::persist::SnapshotError;
pub use attachment::{Attachment, AttachmentError, AttachmentHandle, Bond, Support};
pub use breaking::{Break, FractureConfig, FreshFace};
pub use commit::{CommitError, Committed};
pub use config::{ConfigError, WorldConfig};
pub use coupling::LoadError;
pub use debris::{DebrisConfig, Fate};
pub use event::{Event, EventKind};
pub use exchange::ExchangeError;
pub use health::{Energy, Health, StepReport};
pub use meeting::Meeting;
pub use query::{Hit, SkinPlace, Target};
pub use world::{Handle, PhaseListener, World};

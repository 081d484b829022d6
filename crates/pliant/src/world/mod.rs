//! Everything that steps together.

mod attach;
mod attachment;
mod body_stepper;
mod bystander;
mod commit;
mod config;
mod entries;
mod entry;
mod entry_contact;
mod event;
mod exchange;
mod fingerprint;
mod health;
mod island;
mod meeting;
mod member;
mod moment;
mod query;
mod secure;
mod snapshot;
mod step;
mod touching;
#[expect(clippy::module_inception, reason = "the world is the concept of this layer")]
mod world;

pub use crate::persist::SnapshotError;
pub use attachment::{Attachment, AttachmentError, AttachmentHandle, Bond, Support};
pub use commit::{CommitError, Committed};
pub use config::{ConfigError, WorldConfig};
pub use event::{Event, EventKind};
pub use exchange::ExchangeError;
pub use health::{Energy, Health, StepReport};
pub use meeting::Meeting;
pub use query::{Hit, SkinPlace, Target};
pub use world::{Handle, PhaseListener, World};

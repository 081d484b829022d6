//! The web page that shows a world and lets users interact with it, and the server behind it.
//!
//! An engine thread owns the world and runs at its own pace. Pages watch it over web sockets, each at its own rate, and
//! send commands that are applied between steps. `PROTOCOL.md` describes the messages.
#![forbid(unsafe_code)]

pub mod browser;
mod engine;
mod film;
pub mod latency;
pub mod protocol;
mod server;

pub use engine::order::Refusal;
pub use engine::{PhaseClock, StepBudget};
pub use film::film;
pub use server::{GalleryScene, Server, ServerConfig, ServerError, Token, gallery_scenes};

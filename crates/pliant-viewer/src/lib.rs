//! The page that shows a world and lets one touch it, and the server behind it.
//!
//! An engine thread owns the world and runs at its own pace; pages watch it over sockets, each as fast as it can, and
//! send commands that are applied between steps. `PROTOCOL.md` tells what is said.
#![forbid(unsafe_code)]

pub mod browser;
mod engine;
mod film;
pub mod latency;
pub mod protocol;
mod server;

pub use engine::order::Refusal;
pub use engine::{Keeper, PhaseClock};
pub use film::film;
pub use server::{GalleryScene, Server, ServerConfig, ServerError, Token, gallery_scenes};

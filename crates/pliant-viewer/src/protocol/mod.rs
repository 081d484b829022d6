//! The messages between page and server; `PROTOCOL.md` describes them in full.

pub mod command;
mod envelope;
pub(crate) mod field;
pub(crate) mod frame;
pub(crate) mod held;
pub(crate) mod message;
pub(crate) mod model;
pub(crate) mod scene;
mod seams;

pub use envelope::{HEADER_BYTES, Kind, decode};
pub use field::FieldName;
pub use message::VERSION;

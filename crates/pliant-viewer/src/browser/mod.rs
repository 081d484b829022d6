//! A headless browser, to draw pictures and to test the page.

mod connection;
mod error;
mod find;
mod input;
mod launch;
mod page;
mod snapshot;

pub use error::BrowserError;
pub use find::find;
pub use page::{Browser, Page};
pub use snapshot::{SnapshotConfig, snapshot};

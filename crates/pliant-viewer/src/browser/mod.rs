//! A browser that no one sees, to make pictures with and to test the page in.

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
pub use snapshot::{Shot, snapshot};

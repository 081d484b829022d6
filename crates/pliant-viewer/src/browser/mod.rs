//! A browser that no one sees, to make pictures with and to test the page in.

mod error;
mod find;
mod launch;
mod page;
mod snapshot;

pub use error::BrowserError;
pub use find::find;
pub use page::Page;
pub use snapshot::{Shot, snapshot};

//! The server: pages, sockets, uploads and downloads.

mod answer;
mod assets;
mod autosave;
mod gallery;
mod guard;
mod routes;
mod save;
mod server;
mod socket;
mod token;
mod upload;
mod zip;

pub use gallery::{GalleryScene, gallery_scenes};
pub use server::{Server, ServerConfig, ServerError};
pub use token::Token;

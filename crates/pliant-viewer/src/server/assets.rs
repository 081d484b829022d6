//! The files of the page.

use std::path::{Component, Path, PathBuf};

use axum::http::header;
use axum::response::{IntoResponse, Response};

/// A file that is compiled into the binary.
#[derive(Debug, Clone, Copy)]
pub(super) struct Asset {
    /// Its path relative to the folder of the page.
    pub(super) path: &'static str,
    pub(super) bytes: &'static [u8],
}

/// All files of the page.
const PAGE: &[Asset] = include!(concat!(env!("OUT_DIR"), "/page.rs"));

/// All pictures of the gallery.
pub(super) const GALLERY: &[Asset] = include!(concat!(env!("OUT_DIR"), "/gallery.rs"));

/// Returns a file of the page, read from `folder` if one is given; `None` if it does not exist.
pub(super) fn file(folder: Option<&Path>, path: &str) -> Option<Response> {
    let path = if path.is_empty() { "index.html" } else { path };
    let mime = mime(path)?;
    let bytes = match folder {
        Some(folder) => std::fs::read(folder.join(safe_path(path)?)).ok()?,
        None => PAGE.iter().find(|asset| asset.path == path)?.bytes.to_vec(),
    };
    let headers = [(header::CONTENT_TYPE, mime), (header::CACHE_CONTROL, "no-cache")];
    Some((headers, bytes).into_response())
}

/// Returns the path if it cannot leave its folder, otherwise `None`.
fn safe_path(path: &str) -> Option<PathBuf> {
    let path = Path::new(path);
    path.components().all(|part| matches!(part, Component::Normal(_))).then(|| path.to_owned())
}

/// The MIME type of a file by its extension; `None` for types that the page does not use.
fn mime(path: &str) -> Option<&'static str> {
    Some(match path.rsplit_once('.')?.1 {
        "html" => "text/html; charset=utf-8",
        "js" | "mjs" => "text/javascript; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "svg" => "image/svg+xml",
        "png" => "image/png",
        "jpg" => "image/jpeg",
        "ico" => "image/x-icon",
        "json" | "map" => "application/json",
        "woff2" => "font/woff2",
        "txt" | "md" => "text/plain; charset=utf-8",
        "wasm" => "application/wasm",
        _ => return None,
    })
}

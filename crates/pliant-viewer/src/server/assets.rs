//! The files of the page.

use std::path::{Component, Path, PathBuf};

use axum::http::header;
use axum::response::{IntoResponse, Response};

/// A file that is built in.
#[derive(Debug, Clone, Copy)]
pub(super) struct Asset {
    /// Its path below the folder of the page.
    pub(super) path: &'static str,
    pub(super) bytes: &'static [u8],
}

/// All files of the page.
const PAGE: &[Asset] = include!(concat!(env!("OUT_DIR"), "/page.rs"));

/// All pictures of the gallery.
pub(super) const GALLERY: &[Asset] = include!(concat!(env!("OUT_DIR"), "/gallery.rs"));

/// A file of the page, from `folder` if one is given; none if there is no such file.
pub(super) fn file(folder: Option<&Path>, path: &str) -> Option<Response> {
    let path = if path.is_empty() { "index.html" } else { path };
    let mime = mime(path)?;
    let bytes = match folder {
        Some(folder) => std::fs::read(folder.join(plain(path)?)).ok()?,
        None => PAGE.iter().find(|asset| asset.path == path)?.bytes.to_vec(),
    };
    let headers = [(header::CONTENT_TYPE, mime), (header::CACHE_CONTROL, "no-cache")];
    Some((headers, bytes).into_response())
}

/// A path that leads nowhere but below its folder.
fn plain(path: &str) -> Option<PathBuf> {
    let path = Path::new(path);
    path.components().all(|part| matches!(part, Component::Normal(_))).then(|| path.to_owned())
}

/// What a file is, by its extension; none if it is nothing that the page has.
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

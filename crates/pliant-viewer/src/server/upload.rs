//! Uploads of surfaces, from which bodies are made.

use std::path::PathBuf;
use std::sync::atomic::Ordering;

use axum::body::Bytes;
use axum::extract::rejection::BytesRejection;
use axum::extract::{Query, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use pliant_io::surface::{Surface, parse_gltf, parse_obj, parse_ply, parse_stl};
use serde::Deserialize;
use tokio::sync::oneshot;

use super::answer::{json, refusal};
use super::routes::Shared;
use crate::engine::order::{Order, Refusal, Upload};

/// Largest file, in bytes.
pub(super) const MAX_FILE_BYTES: usize = 32 << 20;

/// The largest number of files in a session.
const MAX_FILES: u32 = 64;

/// The parameters of an upload.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct UploadQuery {
    name: String,
    #[serde(default = "default_size")]
    size: f64,
    #[serde(default)]
    mesher: Mesher,
    #[serde(default = "default_cells")]
    cells: u32,
    #[serde(default)]
    into: Destination,
}

fn default_size() -> f64 {
    1.0
}

fn default_cells() -> u32 {
    12
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Mesher {
    #[default]
    Voxels,
    Tetrahedra,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Destination {
    #[default]
    Scene,
    New,
}

/// Handles an upload.
pub(super) async fn upload(
    State(shared): State<Shared>,
    Query(query): Query<UploadQuery>,
    bytes: Result<Bytes, BytesRejection>,
) -> Response {
    let bytes = match bytes {
        Ok(bytes) => bytes,
        Err(error) if error.status() == StatusCode::PAYLOAD_TOO_LARGE => {
            let message = format!("the file is larger than {} MiB", MAX_FILE_BYTES >> 20);
            return refusal(&Refusal::new("too-large", message));
        }
        Err(error) => return error.into_response(),
    };
    match receive(&shared, query, bytes).await {
        Ok(answer) => answer,
        Err(error) => refusal(&error),
    }
}

async fn receive(shared: &Shared, query: UploadQuery, bytes: Bytes) -> Result<Response, Refusal> {
    let hub = &shared.hub;
    let busy = || Refusal::new("busy", "other files are being read; try again in a moment");
    let _turn = hub.uploading.try_acquire().map_err(|_| busy())?;
    let number = hub.uploaded.fetch_add(1, Ordering::Relaxed);
    if number >= MAX_FILES {
        return Err(Refusal::new(
            "too-many",
            format!("{MAX_FILES} files were already uploaded; restart the server"),
        ));
    }
    let folder = hub.uploads.path().to_owned();
    let read = tokio::task::spawn_blocking(move || read(&query, &bytes, folder, number));
    let upload = read.await.map_err(|_| bad_file("the file cannot be read"))??;
    let (answer, answered) = oneshot::channel();
    hub.orders.try_send(Order::Upload(upload, answer)).map_err(|_| busy())?;
    Ok(json(&answered.await.map_err(|_| busy())??))
}

fn bad_file(message: impl Into<String>) -> Refusal {
    Refusal::new("bad-file", message)
}

/// Reads a surface with the usual readers, and stores the file for the scene.
fn read(
    query: &UploadQuery,
    bytes: &[u8],
    folder: PathBuf,
    number: u32,
) -> Result<Upload, Refusal> {
    let UploadQuery { name, size, mesher, cells, into } = query;
    if !(1e-3..=1e3).contains(size) || !(1..=64).contains(cells) {
        return Err(Refusal::new(
            "bad-request",
            "expected size from 0.001 to 1000 m and cells from 1 to 64",
        ));
    }
    let (stem, extension) = name.rsplit_once('.').unwrap_or((name, ""));
    let extension = extension.to_ascii_lowercase();
    let stem = plain_name(stem);
    // The name is built here, so that no path in the sent name can leave the folder.
    let path = folder.join(format!("{stem}-{number}.{extension}"));
    let parsed = match extension.as_str() {
        "obj" => parse_obj(&path, bytes),
        "ply" => parse_ply(&path, bytes),
        "stl" => parse_stl(&path, bytes),
        "glb" => parse_gltf(&path, bytes),
        _ => return Err(bad_file("expected an OBJ, PLY, STL or GLB file")),
    };
    let surface = parsed.map_err(|error| bad_file(error.to_string()))?;
    let bounds = checked_bounds(&surface)?;
    std::fs::write(&path, bytes)
        .map_err(|error| bad_file(format!("the file cannot be stored: {error}")))?;
    Ok(Upload {
        path,
        name: stem,
        size: *size,
        cells: *cells,
        tetrahedra: *mesher == Mesher::Tetrahedra,
        alone: *into == Destination::New,
        bounds,
    })
}

fn checked_bounds(surface: &Surface) -> Result<[glam::DVec3; 2], Refusal> {
    let (low, high) = surface.bounds();
    let extent = (high - low).max_element();
    if surface.triangles.is_empty() && surface.lines.is_empty()
        || !(extent > 0.0 && extent.is_finite())
    {
        return Err(bad_file("the file has no triangles, or their extent is zero or not finite"));
    }
    Ok([low, high])
}

/// Reduces a name to letters, digits and hyphens; at most 40.
fn plain_name(name: &str) -> String {
    let name = name.rsplit(['/', '\\']).next().unwrap_or_default();
    let plain =
        name.chars().map(|c| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { '-' });
    let plain: String = plain.take(40).collect();
    let plain = plain.trim_matches('-');
    if plain.is_empty() { "body".to_owned() } else { plain.to_owned() }
}

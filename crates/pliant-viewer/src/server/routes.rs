//! The routes of the server.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, AtomicUsize};
use std::sync::mpsc::SyncSender;

use axum::Router;
use axum::extract::{DefaultBodyLimit, Path, Query, State};
use axum::http::Uri;
use axum::middleware::from_fn_with_state;
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use tokio::sync::{Semaphore, watch};

use super::answer::{json, refusal};
use super::guard::{self, Guard};
use super::upload::MAX_FILE_BYTES;
use super::{assets, gallery, save, socket, upload};
use crate::engine::frame::Frame;
use crate::engine::order::{Order, Refusal};
use crate::protocol::frame::{FrameOptions, header};

/// State that all requests share.
#[derive(Debug)]
pub(super) struct Hub {
    pub(super) orders: SyncSender<Order>,
    pub(super) frames: watch::Receiver<Arc<Frame>>,
    /// Folder for uploaded files.
    pub(super) uploads: tempfile::TempDir,
    pub(super) uploading: Semaphore,
    pub(super) uploaded: AtomicU32,
    pub(super) page_count: AtomicUsize,
    pub(super) next_page: AtomicU32,
    pub(super) page: Option<PathBuf>,
}

/// State that is passed to request handlers.
#[derive(Debug, Clone)]
pub(super) struct Shared {
    pub(super) hub: Arc<Hub>,
    /// Becomes true when the server stops.
    pub(super) ended: watch::Receiver<bool>,
}

/// All routes, with access control.
pub(super) fn router(hub: Arc<Hub>, guard: Arc<Guard>, ended: watch::Receiver<bool>) -> Router {
    Router::new()
        .route("/socket", get(socket::upgrade))
        .route("/gallery", get(async || json(&gallery::list())))
        .route("/gallery/{picture}", get(picture))
        .route("/scenes", get(async || json(&gallery::catalogue())))
        .route("/state", get(state))
        .route("/upload", post(upload::upload).layer(DefaultBodyLimit::max(MAX_FILE_BYTES)))
        .route("/save/{file}", get(save::save))
        .fallback(get(page))
        .layer(from_fn_with_state(guard, guard::guard))
        .with_state(Shared { hub, ended })
}

async fn page(State(shared): State<Shared>, uri: Uri) -> Response {
    let path = uri.path().trim_start_matches('/');
    let file = assets::file(shared.hub.page.as_deref(), path);
    file.unwrap_or_else(|| refusal(&Refusal::new("not-found", "there is no such page")))
}

async fn picture(Path(name): Path<String>) -> Response {
    let found = assets::GALLERY.iter().find(|asset| asset.path == name && name.ends_with(".jpg"));
    match found {
        Some(asset) => {
            ([(axum::http::header::CONTENT_TYPE, "image/jpeg")], asset.bytes).into_response()
        }
        None => refusal(&Refusal::new("not-found", "there is no such picture")),
    }
}

/// `?nodes=1`.
#[derive(Debug, serde::Deserialize)]
struct StateQuery {
    #[serde(default)]
    nodes: u8,
}

/// Returns the newest frame as JSON, for scripts.
async fn state(State(shared): State<Shared>, Query(query): Query<StateQuery>) -> Response {
    let frame = shared.hub.frames.borrow().clone();
    let state = tokio::task::block_in_place(|| {
        let mut state = serde_json::json!(header(&frame, &FrameOptions::default()));
        if query.nodes > 0 {
            let bodies =
                frame.shown_scene.bodies.iter().map(|shown_body| &frame.x[shown_body.range()]);
            let bodies = bodies.map(|x| x.iter().map(|x| x.to_array()).collect::<Vec<_>>());
            state["x"] = serde_json::json!(bodies.collect::<Vec<_>>());
        }
        state
    });
    json(&state)
}

//! HTTP responses other than page files.

use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};

use crate::engine::order::Refusal;

/// The HTTP response for a refusal.
pub(super) fn refusal(refusal: &Refusal) -> Response {
    let status = match refusal.code {
        "bad-host" | "bad-origin" | "no-token" => StatusCode::FORBIDDEN,
        "not-found" | "nothing-recorded" => StatusCode::NOT_FOUND,
        "too-large" => StatusCode::PAYLOAD_TOO_LARGE,
        "too-many" | "busy" => StatusCode::SERVICE_UNAVAILABLE,
        _ => StatusCode::BAD_REQUEST,
    };
    let text = serde_json::json!({ "error": { "code": refusal.code, "message": refusal.message } });
    (status, [(header::CONTENT_TYPE, "application/json")], text.to_string()).into_response()
}

/// A JSON response.
pub(super) fn json(value: &impl serde::Serialize) -> Response {
    let text = serde_json::to_string(value).expect("plain structs become JSON");
    ([(header::CONTENT_TYPE, "application/json")], text).into_response()
}

/// A file download.
pub(super) fn download(name: &str, mime: &'static str, bytes: Vec<u8>) -> Response {
    let safe: String = name
        .chars()
        .map(|c| if c.is_ascii_alphanumeric() || "-_.".contains(c) { c } else { '-' })
        .collect();
    let disposition = format!("attachment; filename=\"{safe}\"");
    let headers = [
        (header::CONTENT_TYPE, mime.to_owned()),
        (header::CONTENT_DISPOSITION, disposition),
        (header::CACHE_CONTROL, "no-store".to_owned()),
    ];
    (headers, bytes).into_response()
}

//! Files and embedded data that a surface file can refer to.

use std::fs;
use std::path::{Component, Path};

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

use crate::error::{Place, ReadError};
use crate::source::{Source, quote};

/// Returns the bytes of a reference: base64 data, or a file in the folder of the document.
///
/// Files outside that folder are an error, so that opening a surface cannot read unrelated files.
pub(super) fn bytes_of_uri(source: Source<'_>, uri: &str) -> Result<Vec<u8>, ReadError> {
    if let Some(data) = uri.strip_prefix("data:") {
        let encoded = data.split_once(";base64,").map(|(_, encoded)| encoded);
        let bytes = encoded.and_then(|encoded| STANDARD.decode(encoded).ok());
        let wrong = || source.unexpected(Place::File, quote(uri.as_bytes()), "data in base64");
        return bytes.ok_or_else(wrong);
    }
    let name = decode_percent(uri);
    let folder = source.path.parent().unwrap_or(Path::new(""));
    let path = folder.join(&name);
    let io = |source| ReadError::Io { path: path.clone(), source };
    let real_folder =
        fs::canonicalize(if folder.as_os_str().is_empty() { Path::new(".") } else { folder });
    let plain = Path::new(&name).components().all(|part| matches!(part, Component::Normal(_)));
    if !plain || name.contains(':') || name.contains('\\') {
        return Err(outside_folder(source, uri));
    }
    let real = fs::canonicalize(&path).map_err(io)?;
    if !real.starts_with(real_folder.map_err(io)?) {
        return Err(outside_folder(source, uri));
    }
    fs::read(real).map_err(io)
}

fn outside_folder(source: Source<'_>, uri: &str) -> ReadError {
    let expected = "the name of a file in the folder of the document, or data in it";
    source.unexpected(Place::File, format!("a buffer at {}", quote(uri.as_bytes())), expected)
}

/// Decodes `%20` and similar codes; malformed codes stay unchanged.
fn decode_percent(uri: &str) -> String {
    let bytes = uri.as_bytes();
    let mut decoded = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while at < bytes.len() {
        let code = uri.get(at + 1..at + 3).filter(|_| bytes[at] == b'%');
        let byte = code.and_then(|code| u8::from_str_radix(code, 16).ok());
        decoded.push(byte.unwrap_or(bytes[at]));
        at += if byte.is_some() { 3 } else { 1 };
    }
    String::from_utf8_lossy(&decoded).into_owned()
}

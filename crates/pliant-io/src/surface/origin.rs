//! The file at hand, for errors to name.

use std::path::Path;

use glam::DVec3;

use crate::error::{Place, ReadError};

use super::Surface;

/// The file that is being read.
#[derive(Debug, Clone, Copy)]
pub(super) struct Origin<'a>(pub(super) &'a Path);

impl Origin<'_> {
    /// Something else than the format asks for.
    pub(super) fn unexpected(
        self,
        place: Place,
        found: impl Into<String>,
        expected: impl Into<String>,
    ) -> ReadError {
        let (found, expected) = (found.into(), expected.into());
        ReadError::Unexpected { path: self.0.to_owned(), place, found, expected }
    }

    /// More than is supported here.
    pub(super) fn unsupported(
        self,
        place: Place,
        what: impl Into<String>,
        instead: impl Into<String>,
    ) -> ReadError {
        let (what, instead) = (what.into(), instead.into());
        ReadError::Unsupported { path: self.0.to_owned(), place, what, instead }
    }

    /// A finite number.
    pub(super) fn number(self, place: Place, token: &[u8]) -> Result<f64, ReadError> {
        std::str::from_utf8(token)
            .ok()
            .and_then(|text| text.parse().ok())
            .filter(|number: &f64| number.is_finite())
            .ok_or_else(|| self.unexpected(place, quote(token), "a finite number"))
    }

    /// The vector, if it is finite.
    pub(super) fn finite(self, place: Place, point: DVec3) -> Result<DVec3, ReadError> {
        if point.is_finite() {
            return Ok(point);
        }
        Err(self.unexpected(place, format!("a vertex at {point}"), "finite coordinates"))
    }

    /// The surface, if there is anything in it.
    pub(super) fn filled(self, surface: Surface) -> Result<Surface, ReadError> {
        if surface.triangles.is_empty() {
            let found = format!("{} vertices and no faces", surface.vertices.len());
            return Err(self.unexpected(Place::File, found, "a surface with at least one face"));
        }
        Ok(surface)
    }
}

/// A piece of a file as it can be shown in a message.
pub(super) fn quote(bytes: &[u8]) -> String {
    const MOST: usize = 40;
    let text = String::from_utf8_lossy(&bytes[..bytes.len().min(MOST)]);
    let more = if bytes.len() > MOST { "…" } else { "" };
    format!("`{}{more}`", text.escape_debug())
}

//! Checks shared by the surface readers.

use glam::DVec3;

use crate::error::{Place, ReadError};
use crate::source::{Source, quote};

use super::Surface;

impl Source<'_> {
    /// Parses a finite number.
    pub(super) fn number(&self, place: Place, token: &[u8]) -> Result<f64, ReadError> {
        std::str::from_utf8(token)
            .ok()
            .and_then(|text| text.parse().ok())
            .filter(|number: &f64| number.is_finite())
            .ok_or_else(|| self.unexpected(place, quote(token), "a finite number"))
    }

    /// Returns the vector if it is finite.
    pub(super) fn finite(&self, place: Place, point: DVec3) -> Result<DVec3, ReadError> {
        if point.is_finite() {
            return Ok(point);
        }
        Err(self.unexpected(place, format!("a vertex at {point}"), "finite coordinates"))
    }

    /// Returns the surface if it has at least one triangle or line.
    pub(super) fn non_empty(&self, surface: Surface) -> Result<Surface, ReadError> {
        if surface.triangles.is_empty() && surface.lines.is_empty() {
            let found = format!("{} vertices and no faces", surface.vertices.len());
            return Err(self.unexpected(Place::File, found, "at least one face or line"));
        }
        Ok(surface)
    }
}

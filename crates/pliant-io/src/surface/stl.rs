//! Reads STL: triangles without connectivity, as text or binary.

use std::path::Path;

use glam::{DVec3, Vec3};

use crate::error::{Place, ReadError};
use crate::source::{Source, quote};

use super::Surface;

use super::weld::Weld;

/// Size of the header of a binary file, and of each triangle, in bytes.
const HEADER_BYTES: usize = 84;
const TRIANGLE_BYTES: usize = 50;

/// Reads an STL file from memory; errors name `path`.
///
/// Corners with the same coordinates become one vertex. The normals in the file are ignored: they follow from the
/// corners, and many programs write zeros.
pub fn parse_stl(path: &Path, bytes: &[u8]) -> Result<Surface, ReadError> {
    let source = Source::new(path, bytes);
    // Binary headers may begin with `solid` or a byte-order mark too, so the file size is checked first.
    if binary_count(bytes).is_some_and(|count| bytes.len() == HEADER_BYTES + count * TRIANGLE_BYTES)
    {
        return source.non_empty(binary(bytes, source)?);
    }
    let source = Source::text(path, bytes)?;
    if source.bytes.trim_ascii_start().starts_with(b"solid") {
        return source.non_empty(text(source.bytes, source)?);
    }
    match binary_count(bytes) {
        Some(count) if bytes.len() > HEADER_BYTES + count * TRIANGLE_BYTES => {
            source.non_empty(binary(bytes, source)?)
        }
        Some(count) => Err(truncated(source, bytes.len(), count)),
        None => Err(source.unexpected(
            Place::File,
            format!("{} bytes, {}", bytes.len(), quote(bytes)),
            "`solid`, or a binary header of 84 bytes",
        )),
    }
}

fn truncated(source: Source<'_>, size: usize, count: usize) -> ReadError {
    let found = format!("{size} bytes");
    let expected = format!(
        "{} for the {count} triangles announced at byte 80; the file is cut short or not STL",
        HEADER_BYTES + count * TRIANGLE_BYTES
    );
    source.unexpected(Place::Byte(size), found, expected)
}

/// Returns the number of triangles in the header of a binary file.
fn binary_count(bytes: &[u8]) -> Option<usize> {
    let count = bytes.get(80..HEADER_BYTES)?;
    Some(u32::from_le_bytes(count.try_into().expect("a slice of four")) as usize)
}

fn binary(bytes: &[u8], source: Source<'_>) -> Result<Surface, ReadError> {
    let count = binary_count(bytes).unwrap_or(0);
    let mut weld = Weld::default();
    let mut triangles = Vec::with_capacity(count);
    for (index, record) in
        bytes[HEADER_BYTES..].chunks_exact(TRIANGLE_BYTES).take(count).enumerate()
    {
        let mut triangle = [0; 3];
        for (k, corner) in triangle.iter_mut().enumerate() {
            let start = 12 + 12 * k;
            let point = vector(&record[start..start + 12]);
            let place = Place::Byte(HEADER_BYTES + index * TRIANGLE_BYTES + start);
            *corner = weld.vertex(source.finite(place, point)?);
        }
        triangles.push(triangle);
    }
    Ok(Surface::new(weld.vertices, triangles))
}

fn vector(bytes: &[u8]) -> DVec3 {
    let component =
        |k: usize| f32::from_le_bytes(bytes[4 * k..4 * k + 4].try_into().expect("a slice of four"));
    Vec3::new(component(0), component(1), component(2)).as_dvec3()
}

fn text(bytes: &[u8], source: Source<'_>) -> Result<Surface, ReadError> {
    let mut weld = Weld::default();
    let mut triangles = Vec::new();
    let mut corners = Vec::new();
    let mut ended = false;
    for (index, line) in bytes.split(|byte| *byte == b'\n').enumerate() {
        let place = Place::Line(index + 1);
        let mut words = line.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty());
        let Some(keyword) = words.next() else { continue };
        match keyword.to_ascii_lowercase().as_slice() {
            b"vertex" => corners.push(weld.vertex(vertex(source, place, words)?)),
            b"endloop" => triangles.push(triangle(source, place, &mut corners)?),
            b"endsolid" => ended = true,
            b"solid" => ended = false,
            b"facet" | b"outer" | b"endfacet" => {}
            _ => {
                let expected = "facet, outer loop, vertex, endloop, endfacet or endsolid";
                return Err(source.unexpected(place, quote(keyword), expected));
            }
        }
    }
    if !ended {
        let expected = "`endsolid`: the file is cut short";
        return Err(source.unexpected(Place::Byte(bytes.len()), "the end of the file", expected));
    }
    Ok(Surface::new(weld.vertices, triangles))
}

fn vertex<'t>(
    source: Source<'_>,
    place: Place,
    words: impl Iterator<Item = &'t [u8]>,
) -> Result<DVec3, ReadError> {
    let numbers: Vec<f64> =
        words.take(3).map(|word| source.number(place, word)).collect::<Result<_, _>>()?;
    match numbers[..] {
        [x, y, z] => Ok(DVec3::new(x, y, z)),
        _ => {
            Err(source.unexpected(place, format!("{} numbers", numbers.len()), "3 after `vertex`"))
        }
    }
}

fn triangle(
    source: Source<'_>,
    place: Place,
    corners: &mut Vec<u32>,
) -> Result<[u32; 3], ReadError> {
    let triangle = <[u32; 3]>::try_from(corners.as_slice()).map_err(|_| {
        source.unexpected(place, format!("a loop of {} vertices", corners.len()), "3")
    })?;
    corners.clear();
    Ok(triangle)
}

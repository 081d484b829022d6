//! Reads PLY, the Stanford polygon format: a header that describes tables, then the tables.

use std::path::Path;

use glam::{DVec2, DVec3};

use crate::error::{Place, ReadError};
use crate::source::Source;

use super::Surface;
use super::fan::fan;
use super::ply_body::Body;
use super::ply_header::{Element, Encoding, Type, parse_header};

/// Reads a PLY file from memory, in text or binary of either byte order; errors name `path`.
///
/// Polygons are divided into triangle fans. Normals, texture coordinates and colours of vertices are kept; other
/// properties and elements are ignored.
pub fn parse_ply(path: &Path, bytes: &[u8]) -> Result<Surface, ReadError> {
    let source = Source { path, bytes };
    let header = parse_header(bytes, source)?;
    let (at, line) = (header.body, header.body_line);
    let mut body = Body { source, encoding: header.encoding, bytes, at, line };
    let mut vertices = Vertices::default();
    let mut faces = Faces::default();
    let vertex_count = count_of(&header.elements, b"vertex");
    for element in &header.elements {
        check_count(&body, element)?;
        match element.name.as_slice() {
            b"vertex" => vertices.read(&mut body, element)?,
            b"face" => faces.read(&mut body, element, vertex_count)?,
            b"tristrips" => return Err(unsupported_strips(source)),
            _ => skip(&mut body, element)?,
        }
    }
    source.non_empty(vertices.surface(faces.0))
}

fn count_of(elements: &[Element], name: &[u8]) -> usize {
    elements.iter().filter(|element| element.name == name).map(|element| element.count).sum()
}

/// Returns an error for a count that does not fit in the rest of the file, before memory is allocated for it.
fn check_count(body: &Body<'_>, element: &Element) -> Result<(), ReadError> {
    let slack = usize::from(body.encoding == Encoding::Text);
    let needed = element.count.checked_mul(element.min_row_bytes(body.encoding));
    if needed.is_some_and(|needed| needed <= body.left() + slack) {
        return Ok(());
    }
    let name = String::from_utf8_lossy(&element.name).into_owned();
    let found = format!("{} rows of element {name}", element.count);
    let expected = format!("no more than the {} bytes after the header can hold", body.left());
    Err(body.source.unexpected(body.place(), found, expected))
}

fn unsupported_strips(source: Source<'_>) -> ReadError {
    source.unsupported(Place::File, "the element tristrips", "save the file with faces")
}

fn skip(body: &mut Body<'_>, element: &Element) -> Result<(), ReadError> {
    if element.properties.is_empty() {
        return Ok(());
    }
    (0..element.count).try_for_each(|_| element.properties.iter().try_for_each(|p| body.skip(p)))
}

/// The vertex table: the known columns, by slot.
#[derive(Debug, Default)]
struct Vertices {
    rows: Vec<[f64; SLOTS]>,
    /// The type of each slot in the file; `None` if the slot is missing.
    slot_types: [Option<Type>; SLOTS],
}

/// Number of columns: x, y, z, normal, texture coordinate, colour.
const SLOTS: usize = 11;

fn slot(name: &[u8]) -> Option<usize> {
    Some(match name {
        b"x" => 0,
        b"y" => 1,
        b"z" => 2,
        b"nx" => 3,
        b"ny" => 4,
        b"nz" => 5,
        b"s" | b"u" | b"texture_u" => 6,
        b"t" | b"v" | b"texture_v" => 7,
        b"red" | b"r" | b"diffuse_red" => 8,
        b"green" | b"g" | b"diffuse_green" => 9,
        b"blue" | b"b" | b"diffuse_blue" => 10,
        _ => return None,
    })
}

impl Vertices {
    fn read(&mut self, body: &mut Body<'_>, element: &Element) -> Result<(), ReadError> {
        self.columns(body, element)?;
        self.rows.reserve(element.count);
        for _ in 0..element.count {
            let mut row = [0.0; SLOTS];
            for property in &element.properties {
                match slot(&property.name).filter(|_| property.length.is_none()) {
                    Some(slot) => row[slot] = body.number(property.value)?,
                    None => body.skip(property)?,
                }
            }
            self.rows.push(row);
        }
        Ok(())
    }

    fn columns(&mut self, body: &Body<'_>, element: &Element) -> Result<(), ReadError> {
        for property in element.properties.iter().filter(|property| property.length.is_none()) {
            if let Some(slot) = slot(&property.name) {
                self.slot_types[slot] = Some(property.value);
            }
        }
        if self.slot_types[..3].iter().all(Option::is_some) {
            return Ok(());
        }
        let expected = "properties x, y and z of the element vertex";
        Err(body.source.unexpected(Place::File, "a vertex without coordinates", expected))
    }

    fn has(&self, slots: std::ops::Range<usize>) -> bool {
        self.slot_types[slots].iter().all(Option::is_some)
    }

    fn surface(self, triangles: Vec<[u32; 3]>) -> Surface {
        let point = |row: &[f64; SLOTS]| DVec3::new(row[0], row[1], row[2]);
        let row = |vertex: u32| &self.rows[vertex as usize];
        let normal = |vertex| DVec3::from_slice(&row(vertex)[3..6]);
        let texcoord = |vertex| DVec2::from_slice(&row(vertex)[6..8]);
        let corners = || triangles.iter();
        Surface {
            vertices: self.rows.iter().map(point).collect(),
            normals: self.has(3..6).then(|| corners().map(|t| t.map(normal)).collect()),
            texcoords: self.has(6..8).then(|| corners().map(|t| t.map(texcoord)).collect()),
            colours: self.has(8..11).then(|| self.rows.iter().map(|r| self.colour(r)).collect()),
            triangles,
            ..Default::default()
        }
    }

    fn colour(&self, row: &[f64; SLOTS]) -> [f32; 3] {
        [8, 9, 10].map(|slot| {
            let full = self.slot_types[slot].map_or(1.0, Type::full_scale);
            (row[slot] / full) as f32
        })
    }
}

#[derive(Debug, Default)]
struct Faces(Vec<[u32; 3]>);

impl Faces {
    fn read(
        &mut self,
        body: &mut Body<'_>,
        element: &Element,
        vertex_count: usize,
    ) -> Result<(), ReadError> {
        let mut corners = Vec::new();
        for _ in 0..element.count {
            for property in &element.properties {
                let is_corners =
                    matches!(property.name.as_slice(), b"vertex_indices" | b"vertex_index");
                match property.length.filter(|_| is_corners) {
                    Some(length) => {
                        polygon(body, length, property.value, vertex_count, &mut corners)?;
                        self.0.extend(fan(&corners));
                    }
                    None => body.skip(property)?,
                }
            }
            if element.properties.is_empty() {
                break;
            }
        }
        Ok(())
    }
}

/// Reads the corners of a face.
fn polygon(
    body: &mut Body<'_>,
    length: Type,
    value: Type,
    vertex_count: usize,
    corners: &mut Vec<u32>,
) -> Result<(), ReadError> {
    corners.clear();
    let start = body.place();
    let count = body.length(length)?;
    if count < 3 {
        let found = format!("a face with {count} corners");
        return Err(body.source.unexpected(start, found, "at least 3"));
    }
    let Some(last) = vertex_count.min(u32::MAX as usize).checked_sub(1) else {
        return Err(body.source.unexpected(start, "a face, but no vertices", "an element vertex"));
    };
    for _ in 0..count {
        let place = body.place();
        corners.push(body.whole(place, value, last, "a vertex")? as u32);
    }
    Ok(())
}

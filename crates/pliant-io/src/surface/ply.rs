//! Reads PLY, the Stanford polygon format: a header that describes tables, then the tables.

use std::path::Path;

use glam::{DVec2, DVec3};

use crate::error::{Place, ReadError};
use crate::source::Source;

use super::Surface;
use super::fan::fan;
use super::ply_body::Body;
use super::ply_header::{Element, Encoding, Type, parse_header};
use super::strip::strip;

/// Reads a PLY file from memory, in text or binary of either byte order; errors name `path`.
///
/// Polygons are divided into triangle fans, and triangle strips (element `tristrips`, in which -1 begins a new strip)
/// into triangles. Normals, texture coordinates and colours of vertices are kept; other
/// properties and elements are ignored.
pub fn parse_ply(path: &Path, bytes: &[u8]) -> Result<Surface, ReadError> {
    let source = Source::text(path, bytes)?;
    let bytes = source.bytes;
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
            b"tristrips" => faces.read_strips(&mut body, element, vertex_count)?,
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
        for_each_list(body, element, |body, length, value| {
            polygon(body, length, value, vertex_count, &mut corners)?;
            self.0.extend(fan(&corners));
            Ok(())
        })
    }

    fn read_strips(
        &mut self,
        body: &mut Body<'_>,
        element: &Element,
        vertex_count: usize,
    ) -> Result<(), ReadError> {
        for_each_list(body, element, |body, length, value| {
            strips(body, length, value, vertex_count, &mut self.0)
        })
    }
}

/// Calls `read` at each list of vertices, with the types of its length and values, and skips other properties.
fn for_each_list<'a>(
    body: &mut Body<'a>,
    element: &Element,
    mut read: impl FnMut(&mut Body<'a>, Type, Type) -> Result<(), ReadError>,
) -> Result<(), ReadError> {
    if element.properties.is_empty() {
        return Ok(());
    }
    for _ in 0..element.count {
        for property in &element.properties {
            let is_list = matches!(property.name.as_slice(), b"vertex_indices" | b"vertex_index");
            match property.length.filter(|_| is_list) {
                Some(length) => read(body, length, property.value)?,
                None => body.skip(property)?,
            }
        }
    }
    Ok(())
}

/// Reads a list of triangle strips, separated by -1, which is the largest number of an unsigned type.
fn strips(
    body: &mut Body<'_>,
    length: Type,
    value: Type,
    vertex_count: usize,
    triangles: &mut Vec<[u32; 3]>,
) -> Result<(), ReadError> {
    let start = body.place();
    let count = body.length(length)?;
    let last = last_vertex(body, start, vertex_count)?;
    let mut corners = Vec::new();
    for _ in 0..count {
        let place = body.place();
        let number = body.number(value)?;
        if number == -1.0 || (value == Type::U32 && number == f64::from(u32::MAX)) {
            push_strip(body, place, &mut corners, triangles)?;
        } else {
            corners.push(body.checked_whole(place, number, last, "-1, or a vertex")? as u32);
        }
    }
    let end = body.place();
    push_strip(body, end, &mut corners, triangles)
}

/// Adds the triangles of a strip that ends at `end`. Two marks in a row, or one at the end, make an empty strip.
fn push_strip(
    body: &Body<'_>,
    end: Place,
    corners: &mut Vec<u32>,
    triangles: &mut Vec<[u32; 3]>,
) -> Result<(), ReadError> {
    if matches!(corners.len(), 1 | 2) {
        let found = format!("a triangle strip with {} vertices", corners.len());
        return Err(body.source.unexpected(end, found, "at least 3 before its end, -1"));
    }
    triangles.extend(strip(corners));
    corners.clear();
    Ok(())
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
    let last = last_vertex(body, start, vertex_count)?;
    for _ in 0..count {
        let place = body.place();
        corners.push(body.whole(place, value, last, "a vertex")? as u32);
    }
    Ok(())
}

/// Returns the largest number of a vertex.
fn last_vertex(body: &Body<'_>, place: Place, vertex_count: usize) -> Result<usize, ReadError> {
    let last = vertex_count.min(u32::MAX as usize).checked_sub(1);
    last.ok_or_else(|| {
        body.source.unexpected(place, "a face, but no vertices", "an element vertex")
    })
}

//! Reads Wavefront OBJ files.
//!
//! Parsed here instead of with `tobj`, whose errors have no line number.

use std::path::Path;

use glam::{DVec2, DVec3};

use crate::error::{Place, ReadError};
use crate::source::{Source, quote};

use super::Surface;
use super::fan::fan;
use super::obj_lines::{IGNORED_KEYWORDS, Lines, joined, tokens};
use super::obj_materials::Libraries;
use super::obj_parts::Parts;

/// Reads an OBJ file from memory; errors name `path`.
///
/// Polygons are divided into triangle fans, polylines into segments; points are ignored. Groups, objects and
/// materials become parts, with colours and textures if the material library is in the folder of the file. Colours
/// after the coordinates of a vertex are kept if every vertex has them.
pub fn parse_obj(path: &Path, bytes: &[u8]) -> Result<Surface, ReadError> {
    let mut parser = Parser::new(Source::text(path, bytes)?);
    for (line, text) in Lines::new(parser.source.bytes) {
        parser.line(Place::Line(line), &text)?;
    }
    parser.finish()
}

/// Sizes of the three lists that a corner refers to.
#[derive(Debug, Clone, Copy, Default)]
struct Counts {
    v: usize,
    vt: usize,
    vn: usize,
}

/// A corner of a face: vertex, texture coordinate, normal.
#[derive(Debug, Clone, Copy)]
struct Corner {
    v: u32,
    vt: Option<u32>,
    vn: Option<u32>,
}

struct Parser<'a> {
    source: Source<'a>,
    /// Counts in the whole file: a face may refer to a vertex that comes after it.
    total: Counts,
    vertices: Vec<DVec3>,
    colours: Vec<[f32; 3]>,
    texcoords: Vec<DVec2>,
    normals: Vec<DVec3>,
    triangles: Vec<[Corner; 3]>,
    lines: Vec<[u32; 2]>,
    parts: Parts,
    libraries: Libraries,
}

impl<'a> Parser<'a> {
    fn new(source: Source<'a>) -> Self {
        let mut total = Counts::default();
        for (_, text) in Lines::new(source.bytes) {
            match tokens(&text).next() {
                Some(b"v") => total.v += 1,
                Some(b"vt") => total.vt += 1,
                Some(b"vn") => total.vn += 1,
                _ => {}
            }
        }
        Self {
            source,
            total,
            vertices: Vec::with_capacity(total.v),
            colours: Vec::new(),
            texcoords: Vec::with_capacity(total.vt),
            normals: Vec::with_capacity(total.vn),
            triangles: Vec::new(),
            lines: Vec::new(),
            parts: Parts::default(),
            libraries: Libraries::default(),
        }
    }

    fn line(&mut self, place: Place, text: &[u8]) -> Result<(), ReadError> {
        let mut words = tokens(text);
        match words.next() {
            Some(b"v") => self.vertex(place, words),
            Some(b"vt") => {
                let [u, v] = self.numbers(place, words)?.pad(place, self.source, 1)?;
                self.texcoords.push(DVec2::new(u, v));
                Ok(())
            }
            Some(b"vn") => {
                let normal = self.numbers(place, words)?.pad(place, self.source, 3)?;
                self.normals.push(DVec3::from_array(normal));
                Ok(())
            }
            Some(b"f" | b"fo") => self.face(place, words),
            Some(b"l") => self.polyline(place, words),
            Some(b"g" | b"o") => {
                self.parts.group(joined(words));
                Ok(())
            }
            Some(b"usemtl") => {
                self.parts.material(joined(words));
                Ok(())
            }
            Some(b"mtllib") => {
                self.libraries.add(words);
                Ok(())
            }
            Some(keyword) if IGNORED_KEYWORDS.contains(&keyword) => Ok(()),
            None => Ok(()),
            Some(keyword) => Err(self.source.unexpected(
                place,
                quote(keyword),
                "an OBJ keyword such as v, vt, vn or f",
            )),
        }
    }

    /// Reads a vertex of three numbers, with a weight (four) or with a colour (six or more).
    fn vertex<'t>(
        &mut self,
        place: Place,
        words: impl Iterator<Item = &'t [u8]>,
    ) -> Result<(), ReadError> {
        let numbers = self.numbers(place, words)?;
        self.vertices.push(DVec3::from_array(numbers.pad(place, self.source, 3)?));
        if let [_, _, _, r, g, b, ..] = numbers.0[..] {
            self.colours.push([r as f32, g as f32, b as f32]);
        }
        Ok(())
    }

    fn numbers<'t>(
        &self,
        place: Place,
        words: impl Iterator<Item = &'t [u8]>,
    ) -> Result<Numbers, ReadError> {
        words.map(|word| self.source.number(place, word)).collect::<Result<_, _>>().map(Numbers)
    }

    fn face<'t>(
        &mut self,
        place: Place,
        words: impl Iterator<Item = &'t [u8]>,
    ) -> Result<(), ReadError> {
        let corners = self.corners(place, words)?;
        if corners.len() < 3 {
            let found = format!("a face with {} corners", corners.len());
            return Err(self.source.unexpected(place, found, "at least 3"));
        }
        self.triangles.extend(fan(&corners));
        self.parts.triangles(corners.len() - 2);
        Ok(())
    }

    fn polyline<'t>(
        &mut self,
        place: Place,
        words: impl Iterator<Item = &'t [u8]>,
    ) -> Result<(), ReadError> {
        let corners = self.corners(place, words)?;
        if corners.len() < 2 {
            let found = format!("a line with {} points", corners.len());
            return Err(self.source.unexpected(place, found, "at least 2"));
        }
        self.lines.extend(corners.windows(2).map(|pair| [pair[0].v, pair[1].v]));
        Ok(())
    }

    fn corners<'t>(
        &self,
        place: Place,
        words: impl Iterator<Item = &'t [u8]>,
    ) -> Result<Vec<Corner>, ReadError> {
        words.map(|word| self.corner(place, word)).collect()
    }

    /// Reads a corner: `v`, `v/vt`, `v//vn` or `v/vt/vn`.
    fn corner(&self, place: Place, word: &[u8]) -> Result<Corner, ReadError> {
        let mut parts = word.split(|byte| *byte == b'/');
        let mut index = |what, so_far, total| match parts.next() {
            None | Some(b"") => Ok(None),
            Some(part) => self.index(place, part, what, so_far, total).map(Some),
        };
        let v = index("vertex", self.vertices.len(), self.total.v)?;
        let vt = index("texture coordinate", self.texcoords.len(), self.total.vt)?;
        let vn = index("normal", self.normals.len(), self.total.vn)?;
        match v {
            Some(v) => Ok(Corner { v, vt, vn }),
            None => {
                Err(self.source.unexpected(place, quote(word), "a corner such as 1, 1/2 or 1//3"))
            }
        }
    }

    /// Reads an index, counted from 1, or backwards from the last item so far if it is negative.
    fn index(
        &self,
        place: Place,
        word: &[u8],
        what: &str,
        so_far: usize,
        total: usize,
    ) -> Result<u32, ReadError> {
        let number: Option<i64> = std::str::from_utf8(word).ok().and_then(|text| text.parse().ok());
        let index = match number {
            Some(number @ 1..) => Some(number - 1),
            Some(0) | None => None,
            Some(back) => (so_far as i64).checked_add(back),
        };
        let fits = |index: &i64| (0..total as i64).contains(index);
        index.filter(fits).and_then(|index| u32::try_from(index).ok()).ok_or_else(|| {
            let expected = format!("a {what} from 1 to {total}, or from -1 to -{so_far}");
            self.source.unexpected(place, quote(word), expected)
        })
    }

    fn finish(self) -> Result<Surface, ReadError> {
        let (mut parts, part_of) = self.parts.finish();
        self.libraries.paint(self.source, &mut parts);
        let surface = Surface {
            triangles: self
                .triangles
                .iter()
                .map(|corners| corners.map(|corner| corner.v))
                .collect(),
            texcoords: per_corner(&self.triangles, &self.texcoords, |corner| corner.vt),
            normals: per_corner(&self.triangles, &self.normals, |corner| corner.vn),
            colours: (self.colours.len() == self.vertices.len()).then_some(self.colours),
            vertices: self.vertices,
            lines: self.lines,
            parts,
            part_of,
        };
        self.source.non_empty(surface)
    }
}

/// Returns the values that the corners refer to, if every corner has one.
fn per_corner<T: Copy>(
    triangles: &[[Corner; 3]],
    values: &[T],
    index: impl Fn(&Corner) -> Option<u32>,
) -> Option<Vec<[T; 3]>> {
    let value = |corner: &Corner| index(corner).map(|index| values[index as usize]);
    triangles.iter().map(|[a, b, c]| Some([value(a)?, value(b)?, value(c)?])).collect()
}

struct Numbers(Vec<f64>);

impl Numbers {
    /// Returns the first `N` numbers, of which `needed` are required; the others default to 0.
    fn pad<const N: usize>(
        &self,
        place: Place,
        source: Source<'_>,
        needed: usize,
    ) -> Result<[f64; N], ReadError> {
        if self.0.len() < needed {
            let found = format!("{} numbers", self.0.len());
            return Err(source.unexpected(place, found, format!("at least {needed}")));
        }
        Ok(std::array::from_fn(|k| self.0.get(k).copied().unwrap_or(0.0)))
    }
}

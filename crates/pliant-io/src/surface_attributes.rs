//! Attributes of a surface from its file: normals, texture coordinates, parts and textures, and their checks.

use std::sync::Arc;

use glam::{DVec2, DVec3};
use pliant::geometry::{SurfaceGroup, Texture};

/// Normals, texture coordinates and parts of a surface.
#[derive(Debug, Clone, Copy)]
pub(crate) struct SurfaceAttributes<'a> {
    pub(crate) normals: Option<&'a [[DVec3; 3]]>,
    pub(crate) texcoords: Option<&'a [[DVec2; 3]]>,
    pub(crate) parts: &'a [SurfaceGroup],
    pub(crate) part_of: Option<&'a [u32]>,
}

impl SurfaceAttributes<'_> {
    /// Returns the first mismatch with a surface of this many triangles: the value found, and the value expected.
    pub(crate) fn fault(&self, triangle_count: usize) -> Option<(String, String)> {
        let count = |what: &str, length: Option<usize>| {
            let length = length.filter(|length| *length != triangle_count)?;
            let expected = format!("one for each of {triangle_count} triangles");
            Some((format!("{what} of {length} triangles"), expected))
        };
        count("normals", self.normals.map(<[_]>::len))
            .or_else(|| count("texture coordinates", self.texcoords.map(<[_]>::len)))
            .or_else(|| count("parts", self.part_of.map(<[_]>::len)))
            .or_else(|| self.not_finite())
            .or_else(|| self.no_such_part())
            .or_else(|| self.parts.iter().find_map(|part| texture_fault(part.texture.as_deref()?)))
    }

    fn not_finite(&self) -> Option<(String, String)> {
        let fits = |number: f64| number.abs() < f64::from(f32::MAX);
        let normal = |n: &DVec3| !n.to_array().into_iter().all(fits);
        let texcoord = |t: &DVec2| !t.to_array().into_iter().all(fits);
        let normals = self.normals.and_then(|all| all.iter().position(|c| c.iter().any(normal)));
        let texcoords =
            self.texcoords.and_then(|all| all.iter().position(|c| c.iter().any(texcoord)));
        let what =
            |what: &str, triangle: usize| format!("{what} of triangle {triangle} not finite");
        let found = normals.map(|triangle| what("a normal", triangle));
        let found =
            found.or_else(|| texcoords.map(|triangle| what("a texture coordinate", triangle)))?;
        Some((found, "finite numbers in single precision".into()))
    }

    fn no_such_part(&self) -> Option<(String, String)> {
        let count = self.parts.len();
        let bad = self.part_of?.iter().position(|part| *part as usize >= count)?;
        let found = format!("triangle {bad} in part {}", self.part_of?[bad]);
        Some((found, format!("parts below {count}")))
    }
}

fn texture_fault(texture: &Texture) -> Option<(String, String)> {
    let found = mime_type(&texture.bytes);
    (found != Some(texture.mime.as_str())).then(|| {
        let found =
            format!("a texture of type {:?} that is {}", texture.mime, found.unwrap_or("neither"));
        (found, "image/png or image/jpeg, as in its first bytes".into())
    })
}

/// Returns the image type of these bytes, if glTF supports it.
fn mime_type(bytes: &[u8]) -> Option<&'static str> {
    if bytes.starts_with(b"\x89PNG\r\n\x1a\n") {
        return Some("image/png");
    }
    bytes.starts_with(b"\xff\xd8\xff").then_some("image/jpeg")
}

/// Returns the bytes as a texture, if they are an image.
pub(crate) fn texture_from_bytes(bytes: Vec<u8>) -> Option<Arc<Texture>> {
    let mime = mime_type(&bytes)?.to_owned();
    Some(Arc::new(Texture { mime, bytes }))
}

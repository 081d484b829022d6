//! Writes surfaces as files.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use glam::DVec3;

use crate::error::WriteError;
use crate::source::{extension, named_extension};
use crate::surface_attributes::SurfaceAttributes;
use crate::write::write_atomic;

use super::Surface;
use super::obj_writer::write_obj;

/// Returns the path of a frame in a sequence: `cow.obj` becomes `cow.0007.obj`.
///
/// ```
/// use std::path::Path;
/// use pliant_io::surface::sequence_path;
///
/// assert_eq!(sequence_path(Path::new("out/cow.obj"), 7), Path::new("out/cow.0007.obj"));
/// ```
pub fn sequence_path(path: &Path, frame: usize) -> PathBuf {
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    let name = match path.extension() {
        Some(extension) => format!("{stem}.{frame:04}.{}", extension.to_string_lossy()),
        None => format!("{stem}.{frame:04}"),
    };
    path.with_file_name(name)
}

/// Writes a surface in the format of the path's extension: obj, ply or stl.
pub fn write_surface(path: &Path, surface: &Surface) -> Result<(), WriteError> {
    match extension(path).as_str() {
        "obj" => write_obj(path, surface),
        "ply" => write_ply(path, surface),
        "stl" => write_stl(path, surface),
        _ => Err(WriteError::UnknownFormat {
            path: path.to_owned(),
            found: named_extension(path),
            known: "obj, ply, stl",
        }),
    }
}

/// Writes vertices, their colours and triangles as binary PLY, with coordinates in double precision.
pub fn write_ply(path: &Path, surface: &Surface) -> Result<(), WriteError> {
    check(path, surface)?;
    write_atomic(path, |file| {
        write_ply_header(file, surface)?;
        for (vertex, position) in surface.vertices.iter().enumerate() {
            for number in position.to_array() {
                file.write_all(&number.to_le_bytes())?;
            }
            if let Some(colours) = &surface.colours {
                file.write_all(
                    &colours[vertex].map(|c| (c.clamp(0.0, 1.0) * 255.0).round() as u8),
                )?;
            }
        }
        for triangle in &surface.triangles {
            file.write_all(&[3])?;
            for vertex in triangle {
                file.write_all(&vertex.to_le_bytes())?;
            }
        }
        Ok(())
    })
}

fn write_ply_header(file: &mut dyn Write, surface: &Surface) -> io::Result<()> {
    writeln!(file, "ply\nformat binary_little_endian 1.0")?;
    writeln!(file, "element vertex {}", surface.vertices.len())?;
    writeln!(file, "property double x\nproperty double y\nproperty double z")?;
    if surface.colours.is_some() {
        writeln!(file, "property uchar red\nproperty uchar green\nproperty uchar blue")?;
    }
    writeln!(file, "element face {}", surface.triangles.len())?;
    writeln!(file, "property list uchar uint vertex_indices\nend_header")
}

/// Writes triangles as binary STL, which has single precision only.
pub fn write_stl(path: &Path, surface: &Surface) -> Result<(), WriteError> {
    check(path, surface)?;
    write_atomic(path, |file| {
        let mut header = [b' '; 80];
        header[..6].copy_from_slice(b"pliant");
        file.write_all(&header)?;
        file.write_all(&(surface.triangles.len() as u32).to_le_bytes())?;
        for [a, b, c] in surface.corners() {
            let normal = (b - a).cross(c - a).normalize_or_zero();
            for number in [normal, a, b, c].iter().flat_map(DVec3::to_array) {
                file.write_all(&(number as f32).to_le_bytes())?;
            }
            file.write_all(&[0, 0])?;
        }
        Ok(())
    })
}

/// Returns an error if a file of this surface could not be read back.
pub(super) fn check(path: &Path, surface: &Surface) -> Result<(), WriteError> {
    let mismatch = |what: String, found: String, expected: String| {
        Err(WriteError::Mismatch { path: path.to_owned(), what, found, expected })
    };
    let count = surface.vertices.len();
    if let Some(bad) = surface.vertices.iter().position(|vertex| !vertex.is_finite()) {
        let found = format!("position {}", surface.vertices[bad]);
        return mismatch(format!("vertex {bad}"), found, "finite coordinates".into());
    }
    let outside = |triangle: &[u32; 3]| triangle.iter().any(|vertex| *vertex as usize >= count);
    if let Some(bad) = surface.triangles.iter().position(outside) {
        let found = format!("vertices {:?}", surface.triangles[bad]);
        return mismatch(format!("triangle {bad}"), found, format!("vertices below {count}"));
    }
    if let Some(colours) = surface.colours.as_ref().filter(|colours| colours.len() != count) {
        let found = format!("{} colours", colours.len());
        return mismatch("the surface".into(), found, format!("one for each of {count} vertices"));
    }
    let outside = |line: &[u32; 2]| line.iter().any(|vertex| *vertex as usize >= count);
    if let Some(bad) = surface.lines.iter().position(outside) {
        let found = format!("vertices {:?}", surface.lines[bad]);
        return mismatch(format!("line {bad}"), found, format!("vertices below {count}"));
    }
    let Surface { normals, texcoords, part_of, parts, .. } = surface;
    let attributes = SurfaceAttributes {
        normals: normals.as_deref(),
        texcoords: texcoords.as_deref(),
        parts,
        part_of: part_of.as_deref(),
    };
    match attributes.fault(surface.triangles.len()) {
        None => Ok(()),
        Some((found, expected)) => mismatch("the surface".into(), found, expected),
    }
}

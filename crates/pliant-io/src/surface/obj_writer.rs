//! Writes surfaces as Wavefront OBJ.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::Path;

use glam::DVec3;

use crate::error::WriteError;
use crate::write::write_atomic;

use super::Surface;
use super::writers::check;

/// Writes a surface as OBJ with all digits, so that it is read back bit for bit.
///
/// Groups and material names are written; colours and textures of materials are not.
pub fn write_obj(path: &Path, surface: &Surface) -> Result<(), WriteError> {
    check(path, surface)?;
    write_atomic(path, |file| {
        write_vertices(file, surface)?;
        let rows =
            |corners: &[[DVec3; 3]]| corners.iter().map(|c| c.map(|x| x.to_array())).collect();
        let texcoords = surface.texcoords.as_ref();
        let texcoords =
            texcoords.map(|t| t.iter().map(|c| c.map(|x| x.to_array())).collect::<Vec<_>>());
        let texcoords = write_list(file, "vt", texcoords)?;
        let normals = write_list(file, "vn", surface.normals.as_deref().map(rows))?;
        write_faces(file, surface, texcoords.as_deref(), normals.as_deref())?;
        for [a, b] in &surface.lines {
            writeln!(file, "l {} {}", u64::from(*a) + 1, u64::from(*b) + 1)?;
        }
        Ok(())
    })
}

fn write_vertices(file: &mut dyn Write, surface: &Surface) -> io::Result<()> {
    for (vertex, position) in surface.vertices.iter().enumerate() {
        let DVec3 { x, y, z } = position;
        write!(file, "v {x} {y} {z}")?;
        if let Some([r, g, b]) = surface.colours.as_ref().map(|colours| colours[vertex]) {
            write!(file, " {r} {g} {b}")?;
        }
        writeln!(file)?;
    }
    Ok(())
}

/// Writes each distinct value once; returns the numbers of the values at the corners, counted from 1.
fn write_list<const N: usize>(
    file: &mut dyn Write,
    keyword: &str,
    corners: Option<Vec<[[f64; N]; 3]>>,
) -> io::Result<Option<Vec<[usize; 3]>>> {
    let Some(corners) = corners else { return Ok(None) };
    let mut seen = BTreeMap::new();
    let mut numbers = Vec::with_capacity(corners.len());
    for corner in corners {
        let mut triangle = [0; 3];
        for (number, row) in triangle.iter_mut().zip(corner) {
            let next = seen.len() + 1;
            *number = *seen.entry(row.map(f64::to_bits)).or_insert(next);
            if *number == next {
                write!(file, "{keyword}")?;
                row.iter().try_for_each(|component| write!(file, " {component}"))?;
                writeln!(file)?;
            }
        }
        numbers.push(triangle);
    }
    Ok(Some(numbers))
}

fn write_faces(
    file: &mut dyn Write,
    surface: &Surface,
    texcoords: Option<&[[usize; 3]]>,
    normals: Option<&[[usize; 3]]>,
) -> io::Result<()> {
    let mut last = None;
    for (index, triangle) in surface.triangles.iter().enumerate() {
        let part = surface.part_of.as_ref().map(|part_of| part_of[index]);
        if let Some(part) = part.filter(|part| last != Some(*part)) {
            write_part(file, surface, part, last)?;
            last = Some(part);
        }
        write!(file, "f")?;
        for k in 0..3 {
            let v = u64::from(triangle[k]) + 1;
            match (texcoords.map(|t| t[index][k]), normals.map(|n| n[index][k])) {
                (None, None) => write!(file, " {v}")?,
                (Some(vt), None) => write!(file, " {v}/{vt}")?,
                (None, Some(vn)) => write!(file, " {v}//{vn}")?,
                (Some(vt), Some(vn)) => write!(file, " {v}/{vt}/{vn}")?,
            }
        }
        writeln!(file)?;
    }
    Ok(())
}

/// Writes the names of a part that differ from those of the previous part.
fn write_part(
    file: &mut dyn Write,
    surface: &Surface,
    part: u32,
    last: Option<u32>,
) -> io::Result<()> {
    let part = &surface.parts[part as usize];
    let last = last.map(|last| &surface.parts[last as usize]);
    if part.name != last.map_or("", |last| &last.name) {
        writeln!(file, "g {}", valid_name(&part.name))?;
    }
    if part.material != last.and_then(|last| last.material.clone()) {
        writeln!(file, "usemtl {}", valid_name(part.material.as_deref().unwrap_or_default()))?;
    }
    Ok(())
}

/// Replaces characters in a name that would end its line or begin a comment.
fn valid_name(name: &str) -> String {
    let strange = |letter: char| letter.is_control() || letter == '#' || letter == '\\';
    name.replace(strange, "_")
}

//! Triangle surfaces: reads OBJ, PLY, STL and glTF; writes OBJ, PLY and STL.

mod checks;
mod fan;
mod gltf;
mod gltf_buffer;
mod gltf_json;
mod gltf_parts;
mod obj;
mod obj_lines;
mod obj_materials;
mod obj_parts;
mod obj_writer;
mod ply;
mod ply_body;
mod ply_header;
mod solid;
mod stl;
mod strip;
mod uri;
mod weld;
mod writers;

use std::path::Path;

use crate::error::ReadError;
use crate::source::{extension, named_extension, read_bytes};

pub use gltf::parse_gltf;
pub use obj::parse_obj;
pub use obj_writer::write_obj;
pub use pliant::geometry::{Surface, SurfaceGroup, Texture};
pub use ply::parse_ply;
pub use solid::solid_surface;
pub use stl::parse_stl;
pub use writers::{sequence_path, write_ply, write_stl, write_surface};

/// Extensions that [`read_surface`] can read.
const READABLE: &str = "obj, ply, stl, gltf, glb";

/// Returns true if files with this extension (without the dot, in upper or lower case) contain surfaces.
///
/// ```
/// use pliant_io::surface::is_surface_extension;
///
/// assert!(is_surface_extension("STL"));
/// assert!(!is_surface_extension("msh"));
/// ```
pub fn is_surface_extension(extension: &str) -> bool {
    READABLE.split(", ").any(|known| known.eq_ignore_ascii_case(extension))
}

/// Reads a surface in the format of the path's extension.
pub fn read_surface(path: &Path) -> Result<Surface, ReadError> {
    let extension = extension(path);
    if !is_surface_extension(&extension) {
        let found = named_extension(path);
        return Err(ReadError::UnknownFormat { path: path.to_owned(), found, known: READABLE });
    }
    let bytes = read_bytes(path)?;
    match extension.as_str() {
        "obj" => parse_obj(path, &bytes),
        "ply" => parse_ply(path, &bytes),
        "stl" => parse_stl(path, &bytes),
        _ => parse_gltf(path, &bytes),
    }
}

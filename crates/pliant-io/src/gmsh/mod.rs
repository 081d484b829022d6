//! Reads and writes Gmsh `.msh` files: versions 2.2 and 4.1, text and binary.
//!
//! Physical volumes become [regions](pliant::mesh::Region); physical surfaces, curves and points become
//! [node sets](pliant::mesh::NodeSet). A group without a name is named after its tag: `physical_3` (a volume),
//! `surface_3`, `curve_3`, `point_3`. Nodes are in the order of their tags, cells in the order of the file.
//!
//! Files written here contain Lagrange nodes as usual, and for cells of degree 2 and 3 also a section
//! `$PliantControlPoints`, which other programs skip: the exact control points, so that a mesh is read back bit for
//! bit. It is text even in binary files, because Gmsh searches line by line for the end of unknown sections.

mod contents;
mod element_type;
mod header;
mod input;
mod node_tags;
mod output;
mod read_v2;
mod read_v4;
mod write;

use std::path::Path;

pub use write::{Encoding, write};

use crate::error::ReadError;
use crate::mesh_file::{MeshFile, ReadReport};
use crate::source::{Source, read_bytes};

use contents::Contents;
use header::Version;
use input::Input;

/// Name of the section with exact control points.
const CONTROL_POINTS: &str = "PliantControlPoints";

/// Reads a `.msh` file.
pub fn read(path: &Path) -> Result<MeshFile, ReadError> {
    parse(path, &read_bytes(path)?)
}

/// Reads a `.msh` file from memory; errors name `path`.
///
/// ```
/// let msh = b"$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n4\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n$EndNodes\n\
///             $Elements\n1\n1 4 2 7 7 1 2 3 4\n$EndElements\n";
/// let file = pliant_io::gmsh::parse("one.msh".as_ref(), msh)?;
/// assert_eq!(file.mesh.cell_count(), 1);
/// assert_eq!(file.mesh.regions[0].name, "physical_7");
/// # Ok::<(), pliant_io::ReadError>(())
/// ```
pub fn parse(path: &Path, bytes: &[u8]) -> Result<MeshFile, ReadError> {
    let source = Source::text(path, bytes)?;
    let (mut input, version) = header::open(source)?;
    let mut contents = Contents::default();
    while let Some(section) = input.next_section()? {
        read_section(&mut input, &mut contents, version, section)?;
        input.end_section(section)?;
    }
    let mut report = ReadReport::new(format!("Gmsh {version} {}", input.encoding_name()));
    contents.into_file_mesh(&source, &mut report)?.finish(&source, report)
}

fn read_section(
    input: &mut Input<'_>,
    contents: &mut Contents,
    version: Version,
    section: &[u8],
) -> Result<(), ReadError> {
    match (section, version) {
        (b"PhysicalNames", _) => contents.read_names(input),
        (b"Entities", Version::V4) => read_v4::entities(input, contents),
        (b"Nodes", Version::V4) => read_v4::nodes(input, contents),
        (b"Nodes", Version::V2) => read_v2::nodes(input, contents),
        (b"Elements", Version::V4) => read_v4::elements(input, contents),
        (b"Elements", Version::V2) => read_v2::elements(input, contents),
        _ if section == CONTROL_POINTS.as_bytes() => contents.read_control_points(input),
        _ => input.skip_section(section),
    }
}

//! Reads Medit `.mesh` files in text form.
//!
//! Nonzero references of cells become regions `ref_N`, those of triangles and quadrilaterals node sets `ref_N`.

use std::collections::BTreeMap;
use std::path::Path;

use pliant::element::Kind;

use crate::error::{Place, ReadError};
use crate::file_mesh::{FileCellKind, FileMesh, numbered_groups};
use crate::mesh_file::{MeshFile, ReadReport};
use crate::scanner::Scanner;
use crate::source::{Source, quote, read_bytes};

/// Reads a `.mesh` file.
pub fn read(path: &Path) -> Result<MeshFile, ReadError> {
    parse(path, &read_bytes(path)?)
}

/// Reads a `.mesh` file from memory; errors name `path`.
///
/// ```
/// let mesh = b"MeshVersionFormatted 2\nDimension 3\nVertices 4\n0 0 0 0\n1 0 0 0\n0 1 0 0\n0 0 1 0\n\
///              Tetrahedra 1\n1 2 3 4 5\nEnd\n";
/// let file = pliant_io::medit::parse("one.mesh".as_ref(), mesh)?;
/// assert_eq!(file.mesh.regions[0].name, "ref_5");
/// # Ok::<(), pliant_io::ReadError>(())
/// ```
pub fn parse(path: &Path, bytes: &[u8]) -> Result<MeshFile, ReadError> {
    let source = Source::new(path, bytes);
    refuse_binary(&source)?;
    let source = Source::text(path, bytes)?;
    let mut scanner = Scanner::new(source).with_comments(b'#');
    let first = scanner.word("`MeshVersionFormatted`")?;
    if first != b"MeshVersionFormatted" {
        return Err(scanner
            .unexpected_word(first, "`MeshVersionFormatted`, the first word of a Medit file"));
    }
    scanner.number::<u64>("a version")?;
    let mut contents = Contents::default();
    while let Some(keyword) = scanner.next_word() {
        if keyword == b"End" {
            break;
        }
        contents.read_section(&mut scanner, keyword)?;
    }
    let Contents { mut file_mesh, regions, node_sets } = contents;
    (file_mesh.regions, file_mesh.node_sets) =
        (numbered_groups("ref", regions), numbered_groups("ref", node_sets));
    file_mesh.finish(&source, ReadReport::new("Medit"))
}

/// Returns an error for binary files, which begin with the integer 1 in either byte order.
fn refuse_binary(source: &Source<'_>) -> Result<(), ReadError> {
    let binary = source.bytes.starts_with(&[1, 0, 0, 0]) || source.bytes.starts_with(&[0, 0, 0, 1]);
    let named = source.path.extension().is_some_and(|extension| extension == "meshb");
    if !binary && !named {
        return Ok(());
    }
    let instead = "save it as text: `gmsh FILE.meshb -save -o FILE.mesh`";
    Err(source.unsupported(Place::File, "binary Medit (.meshb)", instead))
}

#[derive(Default)]
struct Contents {
    file_mesh: FileMesh,
    regions: BTreeMap<i64, Vec<u32>>,
    node_sets: BTreeMap<i64, Vec<u32>>,
}

impl Contents {
    fn read_section(&mut self, scanner: &mut Scanner<'_>, keyword: &[u8]) -> Result<(), ReadError> {
        match keyword {
            b"Dimension" => read_dimension(scanner),
            b"Vertices" => self.read_vertices(scanner),
            b"Tetrahedra" => self.read_cells(scanner, Kind::Tet4),
            b"Hexahedra" | b"Hexaedra" => self.read_cells(scanner, Kind::Hex8),
            b"Prisms" | b"Wedges" | b"Pentahedra" => self.read_cells(scanner, Kind::Prism6),
            b"Pyramids" => self.read_cells(scanner, Kind::Pyramid5),
            b"Triangles" => self.read_faces(scanner, 3),
            b"Quadrilaterals" => self.read_faces(scanner, 4),
            b"TetrahedraP2" | b"HexahedraQ2" | b"PrismsP2" | b"PyramidsP2" | b"TetrahedraP3" => {
                let what = format!("section {}", quote(keyword));
                let instead = "curved cells are read from Gmsh and VTU files: convert with `gmsh`";
                Err(scanner.source.unsupported(scanner.line(), what, instead))
            }
            _ => skip_section(scanner, keyword),
        }
    }

    fn read_vertices(&mut self, scanner: &mut Scanner<'_>) -> Result<(), ReadError> {
        if !self.file_mesh.points.is_empty() {
            return Err(scanner.unexpected_word(b"Vertices", "one section of vertices"));
        }
        let count = scanner.count(8, "a number of vertices")?;
        for _ in 0..count {
            self.file_mesh.points.push(scanner.point()?);
            scanner.number::<i64>("a reference")?;
        }
        Ok(())
    }

    fn read_cells(&mut self, scanner: &mut Scanner<'_>, kind: Kind) -> Result<(), ReadError> {
        let mut nodes = vec![0; kind.node_count()];
        let count = scanner.count(2 * nodes.len(), "a number of cells")?;
        for _ in 0..count {
            let reference = self.read_row(scanner, &mut nodes)?;
            if reference != 0 {
                let cell = self.file_mesh.cell_count() as u32;
                self.regions.entry(reference).or_default().push(cell);
            }
            self.file_mesh.push_cell(FileCellKind::Of(kind), &nodes);
        }
        Ok(())
    }

    fn read_faces(&mut self, scanner: &mut Scanner<'_>, corners: usize) -> Result<(), ReadError> {
        let mut nodes = vec![0; corners];
        let count = scanner.count(2 * corners, "a number of faces")?;
        self.file_mesh.face_count += count;
        for _ in 0..count {
            let reference = self.read_row(scanner, &mut nodes)?;
            if reference != 0 {
                self.node_sets.entry(reference).or_default().extend(&nodes);
            }
        }
        Ok(())
    }

    /// Reads vertices, counted from 1, and a reference.
    fn read_row(&self, scanner: &mut Scanner<'_>, nodes: &mut [u32]) -> Result<i64, ReadError> {
        let count = self.file_mesh.points.len();
        for node in nodes {
            let number: u64 = scanner.number("a vertex")?;
            if number == 0 || number > count as u64 {
                let found = format!("vertex {number}");
                let expected = format!("1 to {count}, after a section of vertices");
                return Err(scanner.source.unexpected(scanner.line(), found, expected));
            }
            *node = (number - 1) as u32;
        }
        scanner.number("a reference")
    }
}

fn read_dimension(scanner: &mut Scanner<'_>) -> Result<(), ReadError> {
    match scanner.word("a dimension")? {
        b"3" => Ok(()),
        other => Err(scanner.unexpected_word(other, "dimension 3")),
    }
}

/// Skips the numbers of a section that is not needed.
fn skip_section(scanner: &mut Scanner<'_>, keyword: &[u8]) -> Result<(), ReadError> {
    if !keyword.first().is_some_and(u8::is_ascii_alphabetic) {
        return Err(scanner.unexpected_word(keyword, "a section such as `Tetrahedra`"));
    }
    while scanner.peek().is_some_and(|word| !word[0].is_ascii_alphabetic()) {
        scanner.next_word();
    }
    Ok(())
}

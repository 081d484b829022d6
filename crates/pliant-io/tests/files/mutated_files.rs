//! Readers of meshes never panic: a changed file gives a mesh or an error.

use std::path::Path;
use std::time::{Duration, Instant};

use pliant::element::Kind;
use pliant::mesh::Mesh;
use pliant_io::gmsh::{self, Encoding};
use pliant_io::{MeshFile, ReadError, medit, tetgen, vtu, write_mesh};

use crate::random::{Random, for_cases};

/// The longest time a reader may take for a small invalid file. A valid one takes microseconds.
const LIMIT: Duration = Duration::from_secs(2);

/// Words that may cause trouble: overflow, huge allocations, NaN.
const HOSTILE: [&str; 12] = [
    "-1",
    "0",
    "4294967296",
    "18446744073709551615",
    "99999999999999999999999",
    "1e400",
    "nan",
    "-inf",
    "2147483647",
    "$Nodes",
    "</DataArray>",
    "\u{0}",
];

/// One change to a file.
#[derive(Debug, Clone)]
enum Mutation {
    /// Flips bits of a byte.
    Flip(usize, u8),
    /// Cuts off the end.
    Truncate(usize),
    /// Removes a line.
    DropLine(usize),
    /// Repeats a line.
    RepeatLine(usize),
    /// Replaces a word by a hostile one.
    Replace(usize, usize),
    /// Overwrites eight bytes, for example of a binary count.
    Overwrite(usize, u64),
}

fn mutation(random: &mut Random) -> Mutation {
    let (kind, at) = (random.below(6), random.bits() as usize);
    match kind {
        0 => Mutation::Flip(at, random.bits() as u8),
        1 => Mutation::Truncate(at),
        2 => Mutation::DropLine(at),
        3 => Mutation::RepeatLine(at),
        4 => Mutation::Replace(at, random.below(HOSTILE.len())),
        _ => {
            let counts = [random.bits(), u64::MAX, 1 << 40, 1 << 31];
            Mutation::Overwrite(at, counts[random.below(counts.len())])
        }
    }
}

impl Mutation {
    fn apply(&self, bytes: &mut Vec<u8>) {
        if bytes.is_empty() {
            return;
        }
        let length = bytes.len();
        match *self {
            Self::Flip(at, bits) => bytes[at % length] ^= bits,
            Self::Truncate(at) => bytes.truncate(at % length),
            Self::DropLine(at) => {
                let line = line(bytes, at);
                bytes.drain(line);
            }
            Self::RepeatLine(at) => {
                let line = line(bytes, at);
                let copy = bytes[line.clone()].to_vec();
                bytes.splice(line.start..line.start, copy);
            }
            Self::Replace(at, word) => {
                let range = word_around(bytes, at % length);
                bytes.splice(range, HOSTILE[word].bytes());
            }
            Self::Overwrite(at, value) => {
                let at = at % length;
                let end = (at + 8).min(length);
                bytes[at..end].copy_from_slice(&value.to_le_bytes()[..end - at]);
            }
        }
    }
}

/// The bytes of the line at a position.
fn line(bytes: &[u8], at: usize) -> std::ops::Range<usize> {
    let at = at % bytes.len();
    let start = bytes[..at].iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
    let end =
        bytes[at..].iter().position(|byte| *byte == b'\n').map_or(bytes.len(), |k| at + k + 1);
    start..end
}

/// The bytes of the number or word at a position; attributes of tags count as words.
fn word_around(bytes: &[u8], at: usize) -> std::ops::Range<usize> {
    let ends = |byte: &u8| byte.is_ascii_whitespace() || *byte == b'"';
    let start = bytes[..at].iter().rposition(ends).map_or(0, |at| at + 1);
    let end = bytes[at..].iter().position(ends).map_or(bytes.len(), |k| at + k);
    start..end.max(start)
}

/// Two small files of a format: one with curved cells, one with cells of all shapes.
fn written(extension: &str, write: impl Fn(&Path, &Mesh)) -> Vec<Vec<u8>> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("sample").with_extension(extension);
    let bytes = |mesh: &Mesh| {
        write(&path, mesh);
        std::fs::read(&path).unwrap()
    };
    vec![bytes(&crate::samples::sample(Kind::Tet10, true)), bytes(&crate::samples::mixed())]
}

fn check(name: &str, read: impl Fn() -> Result<MeshFile, ReadError>) {
    let start = Instant::now();
    if let Ok(file) = read() {
        // An accepted mesh must be valid.
        file.mesh.check().unwrap();
    }
    assert!(start.elapsed() < LIMIT, "{name} took {:?}", start.elapsed());
}

const CASES: usize = 2000;

/// Reads files with one to three random changes, and with every truncation.
fn never_panics(name: &str, base: &[Vec<u8>], read: fn(&[u8]) -> Result<MeshFile, ReadError>) {
    for_cases(CASES, &mut |random| {
        let mut bytes = base[random.below(base.len())].clone();
        for _ in 0..1 + random.below(3) {
            mutation(random).apply(&mut bytes);
        }
        check(name, || read(&bytes));
    });
    for length in 0..base[0].len().min(3000) {
        check(name, || read(&base[0][..length]));
    }
}

fn gmsh_files(encoding: Encoding) -> Vec<Vec<u8>> {
    written("msh", |path, mesh| gmsh::write(path, mesh, encoding).unwrap())
}

fn read_gmsh(bytes: &[u8]) -> Result<MeshFile, ReadError> {
    gmsh::parse("mutated.msh".as_ref(), bytes)
}

fn read_vtu(bytes: &[u8]) -> Result<MeshFile, ReadError> {
    vtu::parse("mutated.vtu".as_ref(), bytes)
}

/// Both files of TetGen in one, so that changes reach both.
fn read_tetgen(bytes: &[u8]) -> Result<MeshFile, ReadError> {
    let cut = bytes.windows(3).position(|window| window == b"===").unwrap_or(bytes.len());
    let elements = bytes.get(cut + 4..).unwrap_or_default();
    tetgen::parse("mutated.ele".as_ref(), &bytes[..cut], elements)
}

const TETGEN: &str = "# nodes\n5 3 1 1\n1 0 0 0 7.5 1\n2 1 0 0 7.5 1\n3 0 1 0 7.5 0\n4 0 0 1 7.5 2\n5 1 1 1 0 2\n\
    ===\n2 4 1\n1 1 2 3 4 10\n2 2 5 3 4 20\n";

const MEDIT: &str = "MeshVersionFormatted 2\n# comment\nDimension\n3\nVertices\n6\n0 0 0 0\n1 0 0 0\n0 1 0 0\n0 0 1 0\n1 1 1 3\n2 2 2 0\n\
    Corners\n2\n1\n2\nTetrahedra\n2\n1 2 3 4 5\n2 5 3 4 6\nTriangles\n1\n1 2 3 9\nNormals\n1\n0 0 -1.5e0\nEnd\n";

/// A hand-written file in the text encoding, which this project does not write.
const VTU_TEXT: &str = "<?xml version=\"1.0\"?>\n<VTKFile type=\"UnstructuredGrid\" version=\"0.1\" byte_order=\"LittleEndian\">\n\
    <UnstructuredGrid><Piece NumberOfPoints=\"4\" NumberOfCells=\"1\">\n\
    <Points><DataArray type=\"Float32\" NumberOfComponents=\"3\" format=\"ascii\">0 0 0 1 0 0 0 1 0 0 0 1</DataArray></Points>\n\
    <Cells><DataArray type=\"Int32\" Name=\"connectivity\" format=\"ascii\">0 1 2 3</DataArray>\n\
    <DataArray type=\"Int32\" Name=\"offsets\" format=\"ascii\">4</DataArray>\n\
    <DataArray type=\"UInt8\" Name=\"types\" format=\"ascii\">10</DataArray></Cells>\n\
    <CellData><DataArray type=\"Int32\" Name=\"material\" format=\"ascii\">3</DataArray></CellData>\n\
    </Piece></UnstructuredGrid></VTKFile>\n";

#[test]
fn gmsh_text_41() {
    never_panics("Gmsh, text 4.1", &gmsh_files(Encoding::Text41), read_gmsh);
}

#[test]
fn gmsh_binary_41() {
    never_panics("Gmsh, binary 4.1", &gmsh_files(Encoding::Binary41), read_gmsh);
}

#[test]
fn gmsh_text_22() {
    never_panics("Gmsh, text 2.2", &gmsh_files(Encoding::Text22), read_gmsh);
}

/// A straight tetrahedron of degree 4, as text.
fn gmsh_degree_4() -> Vec<u8> {
    let corner = [[0, 0, 0], [4, 0, 0], [0, 4, 0], [0, 0, 4]];
    let edges = [[0, 1], [1, 2], [2, 0], [3, 0], [3, 2], [3, 1]];
    let inside = [[1, 2, 0], [1, 1, 0], [2, 1, 0], [1, 0, 1], [2, 0, 1], [1, 0, 2], [0, 1, 1]];
    let more = [[0, 1, 2], [0, 2, 1], [1, 1, 2], [2, 1, 1], [1, 2, 1], [1, 1, 1]];
    let on_edge = |[a, b]: [usize; 2], k: i32| {
        let at = |x: usize| (corner[a][x] * (4 - k) + corner[b][x] * k) / 4;
        [at(0), at(1), at(2)]
    };
    let mut nodes: Vec<[i32; 3]> = corner.to_vec();
    nodes.extend(edges.iter().flat_map(|edge| (1..4).map(|k| on_edge(*edge, k))));
    nodes.extend(inside.into_iter().chain(more));
    let rows = nodes.iter().enumerate();
    let rows: String = rows.map(|(k, [x, y, z])| format!("{} {x} {y} {z}\n", k + 1)).collect();
    let list: Vec<String> = (1..=35).map(|k| k.to_string()).collect();
    format!(
        "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n35\n{rows}$EndNodes\n$Elements\n1\n1 30 2 1 1 {}\n$EndElements\n",
        list.join(" ")
    )
    .into_bytes()
}

#[test]
fn gmsh_of_degree_4() {
    assert_eq!(read_gmsh(&gmsh_degree_4()).unwrap().report.lowered_cells, 1);
    never_panics("Gmsh, degree 4", &[gmsh_degree_4()], read_gmsh);
}

#[test]
fn vtu_raw() {
    let files = written("vtu", |path, mesh| write_mesh(path, mesh).unwrap());
    never_panics("VTU, raw", &files, read_vtu);
}

#[test]
fn vtu_text() {
    never_panics("VTU, text", &[VTU_TEXT.into()], read_vtu);
}

#[test]
fn tetgen_pair() {
    never_panics("TetGen", &[TETGEN.into()], read_tetgen);
}

#[test]
fn medit_text() {
    let read = |bytes: &[u8]| medit::parse("mutated.mesh".as_ref(), bytes);
    never_panics("Medit", &[MEDIT.into()], read);
}

/// The unchanged hand-written files are read.
#[test]
fn the_unmutated_files_are_sound() {
    assert_eq!(read_tetgen(TETGEN.as_bytes()).unwrap().mesh.cell_count(), 2);
    assert_eq!(medit::parse("a.mesh".as_ref(), MEDIT.as_bytes()).unwrap().mesh.cell_count(), 2);
    assert_eq!(read_vtu(VTU_TEXT.as_bytes()).unwrap().mesh.regions[0].name, "region_3");
}

/// A file larger than memory is refused. (Earlier, reading went on until memory was full.)
#[test]
fn a_file_larger_than_memory_is_refused() {
    let file = tempfile::NamedTempFile::new().unwrap();
    // A sparse file, which takes no space on the disk.
    file.as_file().set_len(1 << 40).unwrap();
    let error = pliant_io::read_mesh(file.path()).unwrap_err();
    assert!(error.to_string().contains("larger than 2 GiB"), "{error}");
}

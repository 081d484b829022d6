//! VTU files as other programs write them, and invalid ones.

use std::io::Write;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use glam::DVec3;
use pliant::element::Kind;
use pliant_io::{MeshFile, ReadError, vtu};

fn parse(bytes: impl AsRef<[u8]>) -> Result<MeshFile, ReadError> {
    vtu::parse("test.vtu".as_ref(), bytes.as_ref())
}

/// The encoding of a file.
#[derive(Debug, Clone, Copy)]
struct Form {
    big: bool,
    wide_header: bool,
    zlib: bool,
    appended: bool,
    base64: bool,
}

impl Form {
    fn all() -> Vec<Self> {
        let flag = |bits: u8, k: u8| bits >> k & 1 == 1;
        (0..32)
            .map(|bits| Self {
                big: flag(bits, 0),
                wide_header: flag(bits, 1),
                zlib: flag(bits, 2),
                appended: flag(bits, 3),
                base64: flag(bits, 4),
            })
            // Raw bytes cannot be inline between tags.
            .filter(|form| form.appended || form.base64)
            .collect()
    }

    fn header(self, values: &[usize]) -> Vec<u8> {
        let number = |x: &usize| match (self.wide_header, self.big) {
            (true, true) => (*x as u64).to_be_bytes().to_vec(),
            (true, false) => (*x as u64).to_le_bytes().to_vec(),
            (false, true) => (*x as u32).to_be_bytes().to_vec(),
            (false, false) => (*x as u32).to_le_bytes().to_vec(),
        };
        values.iter().flat_map(number).collect()
    }

    /// The bytes of an array as they are in the file; compressed in blocks of 32 bytes.
    fn encode(self, bytes: &[u8]) -> Vec<u8> {
        const BLOCK: usize = 32;
        let (header, data) = if self.zlib {
            let blocks: Vec<Vec<u8>> = bytes.chunks(BLOCK).map(deflated).collect();
            let mut sizes = vec![blocks.len(), BLOCK, bytes.len() % BLOCK];
            sizes.extend(blocks.iter().map(Vec::len));
            (self.header(&sizes), blocks.concat())
        } else {
            (self.header(&[bytes.len()]), bytes.to_vec())
        };
        match (self.base64, self.zlib) {
            (false, _) => [header, data].concat(),
            (true, false) => STANDARD.encode([header, data].concat()).into_bytes(),
            // The header of compressed data is encoded by itself.
            (true, true) => [STANDARD.encode(header), STANDARD.encode(data)].concat().into_bytes(),
        }
    }

    fn reals(self, values: &[f32]) -> Vec<u8> {
        let number = |x: &f32| if self.big { x.to_be_bytes() } else { x.to_le_bytes() };
        values.iter().flat_map(number).collect()
    }

    fn ints(self, values: &[i32]) -> Vec<u8> {
        let number = |x: &i32| if self.big { x.to_be_bytes() } else { x.to_le_bytes() };
        values.iter().flat_map(number).collect()
    }

    /// Two tetrahedra that share a triangle, and the triangle itself, which the reader ignores.
    fn file(self) -> Vec<u8> {
        let points = [0., 0., 0., 1., 0., 0., 0., 1., 0., 0., 0., 1., 0., 0., -1.];
        let arrays = [
            ("Points", "p", "Float32", 3, self.reals(&points)),
            ("Cells", "connectivity", "Int32", 1, self.ints(&[0, 1, 2, 0, 1, 2, 3, 0, 2, 1, 4])),
            ("Cells", "offsets", "Int32", 1, self.ints(&[3, 7, 11])),
            ("Cells", "types", "UInt8", 1, vec![5, 10, 10]),
            ("CellData", "material", "Int32", 1, self.ints(&[9, 4, 2])),
        ];
        let order = if self.big { "BigEndian" } else { "LittleEndian" };
        let header = if self.wide_header { "UInt64" } else { "UInt32" };
        let compressor = if self.zlib { "compressor=\"vtkZLibDataCompressor\"" } else { "" };
        let mut text = format!(
            "<?xml version=\"1.0\"?>\n<VTKFile type=\"UnstructuredGrid\" version=\"1.0\" byte_order=\"{order}\" header_type=\"{header}\" {compressor}>\n\
             <UnstructuredGrid><Piece NumberOfPoints=\"5\" NumberOfCells=\"3\">\n"
        )
        .into_bytes();
        let mut data = Vec::new();
        for (section, name, number, components, bytes) in arrays {
            let encoded = self.encode(&bytes);
            let tag = format!(
                "<{section}><DataArray type=\"{number}\" Name=\"{name}\" NumberOfComponents=\"{components}\""
            );
            text.extend(tag.into_bytes());
            if self.appended {
                text.extend(
                    format!(" format=\"appended\" offset=\"{}\"/>", data.len()).into_bytes(),
                );
                data.extend(encoded);
            } else {
                text.extend(b" format=\"binary\">\n  ");
                text.extend(encoded);
                text.extend(b"\n</DataArray>");
            }
            text.extend(format!("</{section}>\n").into_bytes());
        }
        text.extend(b"</Piece></UnstructuredGrid>\n");
        if self.appended {
            let encoding = if self.base64 { "base64" } else { "raw" };
            text.extend(format!("<AppendedData encoding=\"{encoding}\">\n  _").into_bytes());
            text.extend(data);
            text.extend(b"\n</AppendedData>");
        }
        text.extend(b"</VTKFile>\n");
        text
    }
}

fn deflated(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::default());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

/// All encodings, by byte order, header, compression and place of the data, give the same mesh.
#[test]
fn every_encoding_gives_the_same_mesh() {
    for form in Form::all() {
        let file = parse(form.file()).unwrap_or_else(|error| panic!("{form:?}: {error}"));
        let mesh = file.mesh;
        assert_eq!(
            mesh.nodes,
            [DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::Z, DVec3::NEG_Z],
            "{form:?}"
        );
        assert_eq!(mesh.blocks[0].kind, Kind::Tet4);
        assert_eq!(mesh.blocks[0].nodes, [0, 1, 2, 3, 0, 2, 1, 4], "{form:?}");
        let regions: Vec<_> =
            mesh.regions.iter().map(|r| (r.name.as_str(), &r.cells[..])).collect();
        assert_eq!(regions, [("region_2", &[1][..]), ("region_4", &[0])], "{form:?}");
    }
}

/// Compressed data that claims an impossible size is refused before memory is allocated.
#[test]
fn a_bomb_is_refused() {
    let form = Form { big: false, wide_header: true, zlib: true, appended: true, base64: false };
    let text = form.file();
    let claim = b"NumberOfPoints=\"5\"";
    let at = text.windows(claim.len()).position(|window| window == claim).unwrap();
    let bomb = [&text[..at], b"NumberOfPoints=\"4000000000\"", &text[at + claim.len()..]].concat();
    let error = parse(bomb).unwrap_err().to_string();
    assert!(error.contains("12000000000 numbers"), "{error}");
}

const TEXT: &str = "<VTKFile type=\"UnstructuredGrid\" version=\"0.1\"><UnstructuredGrid><Piece NumberOfPoints=\"8\" NumberOfCells=\"1\">\n\
    <Points><DataArray type=\"Float64\" NumberOfComponents=\"3\" format=\"ascii\">0 0 0 1 0 0 0 1 0 1 1 0 0 0 1 1 0 1 0 1 1 1 1 1</DataArray></Points>\n\
    <Cells><DataArray type=\"Int64\" Name=\"connectivity\" format=\"ascii\">0 1 2 3 4 5 6 7</DataArray>\n\
    <DataArray type=\"Int64\" Name=\"offsets\" format=\"ascii\">8</DataArray>\n\
    <DataArray type=\"UInt8\" Name=\"types\" format=\"ascii\">11</DataArray></Cells>\n\
    </Piece></UnstructuredGrid></VTKFile>\n";

/// A VTK voxel is read as a hexahedron with its own order of nodes.
#[test]
fn a_voxel_is_a_hexahedron() {
    let mesh = parse(TEXT).unwrap().mesh;
    assert_eq!(mesh.blocks[0].kind, Kind::Hex8);
    // Rounding of a sum of dozens of terms.
    assert!((mesh.volume() - 1.0).abs() < 1e-14, "{}", mesh.volume());
}

/// Errors have the file, the place, the value and the expected value.
#[test]
fn errors_say_what_where_and_what_to_change() {
    let cases = [
        (
            TEXT.replace("0 0 0 1 0 0", "0 0 nan 1 0 0"),
            "line 2: found NaN at point 0, expected a coordinate that is finite",
        ),
        (TEXT.replace("4 5 6 7", "4 5 6 8"), "line 3: found point 8 in cell 0, expected 0 to 7"),
        (
            TEXT.replace(">8<", ">9<"),
            "array `connectivity` cut short, too long or garbled, expected 9 numbers",
        ),
        (TEXT.replace(">8<", ">-1<"), "line 4: found offset -1 of cell 0, expected at least 0"),
        (TEXT.replace(">11<", ">42<"), "cell 0, a polyhedron, is not supported"),
        (TEXT.replace(">11<", ">10<"), "cell 0 of VTK type 10 with 8 nodes"),
        (TEXT.replace(">11<", ">9<"), "this is a surface (1 faces"),
        (TEXT.replace("\"types\"", "\"kinds\""), "no array `types` in <Cells>"),
        (
            TEXT.replace("UnstructuredGrid\" v", "PolyData\" v"),
            "a VTK file of type `PolyData` is not supported",
        ),
        (
            TEXT.replace(" version", " compressor=\"vtkLZ4DataCompressor\" version"),
            "compression by vtkLZ4DataCompressor is not supported; save the file uncompressed or with zlib",
        ),
        (
            TEXT.replace("NumberOfPoints=\"8\"", "NumberOfPoints=\"-3\""),
            "found NumberOfPoints=`-3`",
        ),
        (TEXT.replace("</Points>", "</Pints>"), "expected XML"),
        (TEXT[..TEXT.find("</DataArray>").unwrap()].to_owned(), "expected `</DataArray>`"),
        (String::new(), "found no <Piece>"),
    ];
    for (text, expected) in cases {
        let found = parse(&text).unwrap_err().to_string();
        assert!(found.contains(expected), "got `{found}`, expected `{expected}`");
        assert!(found.starts_with("test.vtu"), "{found}");
    }
}

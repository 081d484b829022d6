//! Reads the first section of a file: version, encoding, byte order.

use std::fmt;

use crate::error::ReadError;
use crate::scanner::Scanner;
use crate::source::{Source, quote};

use super::input::{ByteOrder, Input, NumberEncoding};

/// Version of the format.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Version {
    /// 2.2, and 2.1, which has the same sections.
    V2,
    /// 4.1.
    V4,
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::V2 => "2.2",
            Self::V4 => "4.1",
        })
    }
}

/// Reads `$MeshFormat`; returns the rest of the file as input.
pub(super) fn open(source: Source<'_>) -> Result<(Input<'_>, Version), ReadError> {
    let mut scanner = Scanner::new(source);
    let first = scanner.next_word().unwrap_or_default();
    if first != b"$MeshFormat" {
        let expected = "`$MeshFormat`, the first word of a Gmsh file";
        return Err(source.unexpected(source.line(0), quote(first), expected));
    }
    let version = version(&mut scanner)?;
    let binary: u8 = scanner.number("0 for text or 1 for binary")?;
    let size_bytes = size_bytes(&mut scanner)?;
    scanner.rest_of_line();
    let encoding = match binary {
        0 => NumberEncoding::Text,
        1 => NumberEncoding::Binary { order: byte_order(&mut scanner)?, size_bytes },
        _ => {
            return Err(scanner
                .unexpected_word(binary.to_string().as_bytes(), "0 for text or 1 for binary"));
        }
    };
    let mut input = Input::new(scanner, encoding);
    input.end_section(b"MeshFormat")?;
    Ok((input, version))
}

fn version(scanner: &mut Scanner<'_>) -> Result<Version, ReadError> {
    match scanner.word("a version")? {
        b"2.2" | b"2.1" => Ok(Version::V2),
        b"4.1" => Ok(Version::V4),
        other => Err(scanner.source.unsupported(
            scanner.line(),
            format!("version {} of the Gmsh format", quote(other)),
            "use 2.2 or 4.1: save the mesh again with `gmsh FILE -save -format msh41 -o NEW.msh`",
        )),
    }
}

/// Reads the width of the integers that version 4.1 calls `size_t`.
fn size_bytes(scanner: &mut Scanner<'_>) -> Result<usize, ReadError> {
    match scanner.word("a data size")? {
        b"4" => Ok(4),
        b"8" => Ok(8),
        other => Err(scanner.unexpected_word(other, "a data size of 8 or 4 bytes")),
    }
}

/// Reads the integer 1, whose bytes give the byte order of binary files.
fn byte_order(scanner: &mut Scanner<'_>) -> Result<ByteOrder, ReadError> {
    let bytes = scanner.rest().get(..4).unwrap_or_default();
    scanner.at += bytes.len();
    match bytes {
        [1, 0, 0, 0] => Ok(ByteOrder::Little),
        [0, 0, 0, 1] => Ok(ByteOrder::Big),
        _ => Err(scanner.source.unexpected(
            scanner.source.byte(scanner.at - bytes.len()),
            format!("{bytes:02x?}"),
            "the four bytes of the integer 1, which give the byte order",
        )),
    }
}

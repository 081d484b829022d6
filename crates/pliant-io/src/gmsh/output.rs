//! Writes numbers as text or binary through the same functions.

use std::io::{self, Write};

use glam::DVec3;

/// A destination for numbers.
pub(super) struct Output<'a> {
    writer: &'a mut dyn Write,
    binary: bool,
    at_line_start: bool,
}

impl<'a> Output<'a> {
    pub(super) fn new(writer: &'a mut dyn Write, binary: bool) -> Self {
        Self { writer, binary, at_line_start: true }
    }

    /// Writes a line of text, in either encoding.
    pub(super) fn text(&mut self, line: &str) -> io::Result<()> {
        writeln!(self.writer, "{line}")
    }

    /// Writes an `int`.
    pub(super) fn int(&mut self, value: i32) -> io::Result<()> {
        if self.binary { self.writer.write_all(&value.to_le_bytes()) } else { self.word(value) }
    }

    /// Writes a `size_t`.
    pub(super) fn size(&mut self, value: usize) -> io::Result<()> {
        let value = value as u64;
        if self.binary { self.writer.write_all(&value.to_le_bytes()) } else { self.word(value) }
    }

    /// Writes a point; in text, with the fewest digits that are read back as the same bits.
    pub(super) fn point(&mut self, point: DVec3) -> io::Result<()> {
        for x in point.to_array() {
            if self.binary {
                self.writer.write_all(&x.to_le_bytes())?;
            } else {
                self.word(format_args!("{x:?}"))?;
            }
        }
        Ok(())
    }

    /// Ends a line of text; does nothing in binary.
    pub(super) fn end_line(&mut self) -> io::Result<()> {
        self.at_line_start = true;
        if self.binary { Ok(()) } else { writeln!(self.writer) }
    }

    /// Ends the numbers of a section, so that its end mark is on a separate line.
    pub(super) fn end_numbers(&mut self) -> io::Result<()> {
        if self.binary { writeln!(self.writer) } else { Ok(()) }
    }

    fn word(&mut self, value: impl std::fmt::Display) -> io::Result<()> {
        let separator = if std::mem::replace(&mut self.at_line_start, false) { "" } else { " " };
        write!(self.writer, "{separator}{value}")
    }
}

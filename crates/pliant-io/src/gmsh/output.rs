//! Numbers written as text or binary by the same calls.

use std::io::{self, Write};

use glam::DVec3;

/// Where numbers are written to.
pub(super) struct Output<'a> {
    writer: &'a mut dyn Write,
    binary: bool,
    at_line_start: bool,
}

impl<'a> Output<'a> {
    pub(super) fn new(writer: &'a mut dyn Write, binary: bool) -> Self {
        Self { writer, binary, at_line_start: true }
    }

    /// A line of text, in either encoding.
    pub(super) fn text(&mut self, line: &str) -> io::Result<()> {
        writeln!(self.writer, "{line}")
    }

    /// An `int`.
    pub(super) fn int(&mut self, value: i32) -> io::Result<()> {
        if self.binary { self.writer.write_all(&value.to_le_bytes()) } else { self.word(value) }
    }

    /// A `size_t`.
    pub(super) fn size(&mut self, value: usize) -> io::Result<()> {
        let value = value as u64;
        if self.binary { self.writer.write_all(&value.to_le_bytes()) } else { self.word(value) }
    }

    /// A point. In text the shortest digits that read back as the same bits.
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

    /// Ends a line of text; nothing in binary.
    pub(super) fn end_line(&mut self) -> io::Result<()> {
        self.at_line_start = true;
        if self.binary { Ok(()) } else { writeln!(self.writer) }
    }

    /// Ends a section's numbers, so that its end mark stands on a line of its own.
    pub(super) fn end_numbers(&mut self) -> io::Result<()> {
        if self.binary { writeln!(self.writer) } else { Ok(()) }
    }

    fn word(&mut self, value: impl std::fmt::Display) -> io::Result<()> {
        let separator = if std::mem::replace(&mut self.at_line_start, false) { "" } else { " " };
        write!(self.writer, "{separator}{value}")
    }
}

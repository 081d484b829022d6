//! Lines and words of OBJ files and their material libraries.

use std::borrow::Cow;

use crate::source::without_mark;

/// Numbered lines without comments; a line that ends in a backslash continues in the next one.
pub(super) struct Lines<'a> {
    rest: Option<&'a [u8]>,
    line: usize,
}

impl<'a> Lines<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Self {
        Self { rest: Some(without_mark(bytes)), line: 0 }
    }

    fn physical(&mut self) -> Option<&'a [u8]> {
        let rest = self.rest?;
        let end = rest.iter().position(|byte| *byte == b'\n');
        self.rest = end.map(|end| &rest[end + 1..]);
        self.line += 1;
        Some(rest[..end.unwrap_or(rest.len())].trim_ascii())
    }
}

impl<'a> Iterator for Lines<'a> {
    type Item = (usize, Cow<'a, [u8]>);

    fn next(&mut self) -> Option<Self::Item> {
        let mut text = Cow::Borrowed(self.physical()?);
        let line = self.line;
        while text.ends_with(b"\\") {
            let whole = text.to_mut();
            whole.pop();
            whole.push(b' ');
            whole.extend_from_slice(self.physical().unwrap_or_default());
        }
        if let Some(comment) = text.iter().position(|byte| *byte == b'#') {
            text.to_mut().truncate(comment);
        }
        Some((line, text))
    }
}

/// Returns the words of a line.
pub(super) fn tokens(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    text.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty())
}

/// Returns the rest of a line as one name.
pub(super) fn joined<'t>(words: impl Iterator<Item = &'t [u8]>) -> String {
    let words: Vec<_> = words.map(String::from_utf8_lossy).collect();
    words.join(" ")
}

/// Keywords that are ignored (Wavefront, appendix B1, and others found in practice).
pub(super) const IGNORED_KEYWORDS: &[&[u8]] = &[
    b"vp",
    b"p",
    b"s",
    b"mg",
    b"maplib",
    b"usemap",
    b"bevel",
    b"c_interp",
    b"d_interp",
    b"lod",
    b"shadow_obj",
    b"trace_obj",
    b"ctech",
    b"stech",
    b"cstype",
    b"deg",
    b"bmat",
    b"step",
    b"curv",
    b"curv2",
    b"surf",
    b"parm",
    b"trim",
    b"hole",
    b"scrv",
    b"sp",
    b"end",
    b"con",
    b"call",
    b"csh",
];

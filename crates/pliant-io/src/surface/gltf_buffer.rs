//! The buffers of a glTF document and their numbers.

use crate::error::{Place, ReadError};
use crate::source::{Source, quote};

use super::gltf_json::{Accessor, BufferView, Document};
use super::uri::bytes_of_uri;

/// A document with its buffers loaded.
#[derive(Debug)]
pub(super) struct LoadedDocument<'a> {
    pub(super) source: Source<'a>,
    pub(super) document: Document,
    pub(super) buffers: Vec<Vec<u8>>,
}

/// Loads the buffers: the chunk of a GLB, data in the document, or files next to it.
pub(super) fn load<'a>(
    source: Source<'a>,
    document: Document,
    chunk: Option<&[u8]>,
) -> Result<LoadedDocument<'a>, ReadError> {
    let mut buffers = Vec::new();
    for (index, buffer) in document.buffers.iter().enumerate() {
        let bytes = match &buffer.uri {
            Some(uri) => bytes_of_uri(source, uri)?,
            None => embedded(source, index, chunk)?,
        };
        if bytes.len() < buffer.byte_length {
            let found = format!("buffer {index} with {} bytes", bytes.len());
            let expected = format!("the {} in its `byteLength`", buffer.byte_length);
            return Err(source.unexpected(Place::File, found, expected));
        }
        buffers.push(bytes);
    }
    Ok(LoadedDocument { source, document, buffers })
}

fn embedded(source: Source<'_>, index: usize, chunk: Option<&[u8]>) -> Result<Vec<u8>, ReadError> {
    chunk.filter(|_| index == 0).map(<[u8]>::to_vec).ok_or_else(|| {
        let found = format!("buffer {index} without uri");
        source.unexpected(Place::File, found, "a uri, or the binary chunk of a .glb as buffer 0")
    })
}

impl LoadedDocument<'_> {
    /// Returns the rows of an accessor with `N` components as floating-point numbers.
    pub(super) fn rows<const N: usize>(&self, index: usize) -> Result<Vec<[f64; N]>, ReadError> {
        let accessor = self.document.accessors.get(index);
        let accessor = accessor.ok_or_else(|| self.missing("accessor", index))?;
        if accessor.sparse.is_some() || accessor.buffer_view.is_none() {
            let what = format!("accessor {index}, which is sparse or empty,");
            return Err(self.source.unsupported(Place::File, what, "export plain accessors"));
        }
        if components(&accessor.shape) != Some(N) {
            let found = format!("accessor {index} of type {}", quote(accessor.shape.as_bytes()));
            return Err(self.source.unexpected(Place::File, found, format!("{N} components")));
        }
        let Some(kind) = Kind::of(accessor) else {
            let found = format!("accessor {index} of component type {}", accessor.component_type);
            return Err(self.source.unexpected(Place::File, found, "5120 to 5123, 5125 or 5126"));
        };
        let row = N * kind.size();
        let (bytes, stride) = self.window(index, accessor, row)?;
        let number = |start: usize| kind.decode(&bytes[start..start + kind.size()]);
        let rows = (0..accessor.count).map(|k| k * stride);
        Ok(rows.map(|start| std::array::from_fn(|c| number(start + c * kind.size()))).collect())
    }

    /// Returns the bytes of an accessor with rows of this size and its stride; checks that all rows are in the
    /// buffer.
    fn window(
        &self,
        index: usize,
        accessor: &Accessor,
        row: usize,
    ) -> Result<(&[u8], usize), ReadError> {
        let view_index = accessor.buffer_view.unwrap_or(usize::MAX);
        let (view, bytes) = self.view(view_index)?;
        let stride = view.byte_stride.unwrap_or(row);
        let bytes = bytes.and_then(|bytes| bytes.get(accessor.byte_offset..));
        let needed = match accessor.count.checked_sub(1) {
            None => Some(0),
            Some(last) => last.checked_mul(stride).and_then(|last| last.checked_add(row)),
        };
        let fits = |bytes: &&[u8]| stride >= row && needed.is_some_and(|n| n <= bytes.len());
        bytes.filter(fits).map(|bytes| (bytes, stride)).ok_or_else(|| {
            let found = format!("accessor {index} with {} rows of {row} bytes", accessor.count);
            let expected = format!("rows that fit into buffer view {view_index} and its buffer");
            self.source.unexpected(Place::File, found, expected)
        })
    }

    /// Returns a buffer view and its bytes; no bytes if they exceed the buffer.
    pub(super) fn view(&self, index: usize) -> Result<(&BufferView, Option<&[u8]>), ReadError> {
        let view = self.document.buffer_views.get(index);
        let view = view.ok_or_else(|| self.missing("buffer view", index))?;
        let buffer =
            self.buffers.get(view.buffer).ok_or_else(|| self.missing("buffer", view.buffer))?;
        let end = view.byte_offset.checked_add(view.byte_length);
        Ok((view, end.and_then(|end| buffer.get(view.byte_offset..end))))
    }

    /// Returns the error for a reference to a missing item.
    pub(super) fn missing(&self, what: &str, index: usize) -> ReadError {
        let found = format!("a reference to {what} {index}");
        self.source.unexpected(Place::File, found, "an item of the document")
    }
}

fn components(shape: &str) -> Option<usize> {
    Some(match shape {
        "SCALAR" => 1,
        "VEC2" => 2,
        "VEC3" => 3,
        "VEC4" => 4,
        _ => return None,
    })
}

/// A component type and the divisor of its integers.
#[derive(Debug, Clone, Copy)]
struct Kind {
    component: u32,
    scale: f64,
}

impl Kind {
    fn of(accessor: &Accessor) -> Option<Self> {
        let full = match accessor.component_type {
            5120 => 127.0,
            5121 => 255.0,
            5122 => 32767.0,
            5123 => 65535.0,
            5125 | 5126 => 1.0,
            _ => return None,
        };
        let scale = if accessor.normalized { full } else { 1.0 };
        Some(Self { component: accessor.component_type, scale })
    }

    fn size(self) -> usize {
        match self.component {
            5120 | 5121 => 1,
            5122 | 5123 => 2,
            _ => 4,
        }
    }

    fn decode(self, bytes: &[u8]) -> f64 {
        let mut four = [0; 4];
        four[..bytes.len()].copy_from_slice(bytes);
        let [a, b, ..] = four;
        let value: f64 = match self.component {
            5120 => i8::from_le_bytes([a]).into(),
            5121 => a.into(),
            5122 => i16::from_le_bytes([a, b]).into(),
            5123 => u16::from_le_bytes([a, b]).into(),
            5125 => u32::from_le_bytes(four).into(),
            _ => f32::from_le_bytes(four).into(),
        };
        if self.scale == 1.0 { value } else { (value / self.scale).max(-1.0) }
    }
}

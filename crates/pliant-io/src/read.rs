//! stub
use crate::error::ReadError;
pub(crate) fn read_volume_mesh(path: &std::path::Path) -> Result<pliant::mesh::Mesh, ReadError> {
    let source = std::io::Error::other("not yet");
    Err(ReadError::Io { path: path.to_owned(), source })
}

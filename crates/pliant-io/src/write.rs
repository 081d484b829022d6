//! Writes files whole or not at all.

use std::fs::{self, File, Metadata};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

use crate::error::WriteError;

/// Writes a file whole or not at all.
///
/// `body` writes into a temporary file in the same folder, which replaces `path` only when it is complete on disk. On
/// any failure, such as a full disk, the temporary file is removed and the file at `path` is unchanged. Missing
/// folders are created, links are followed, and a device or pipe (`/dev/stdout`) is written to directly.
///
/// ```
/// use std::io::Write;
///
/// let folder = tempfile::tempdir()?;
/// let path = folder.path().join("made/on/the/way/hello.txt");
/// pliant_io::write_atomic(&path, |file| file.write_all(b"hello"))?;
/// assert_eq!(std::fs::read(&path)?, b"hello");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn write_atomic(
    path: &Path,
    body: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> Result<(), WriteError> {
    replace(path, body).map_err(|source| WriteError::Io { path: path.to_owned(), source })
}

fn replace(path: &Path, body: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
    let (target, present) = destination(path)?;
    if present.as_ref().is_some_and(|metadata| !metadata.is_file()) {
        // A device must not be replaced by a file of the same name.
        let mut device = BufWriter::new(File::options().write(true).open(&target)?);
        body(&mut device)?;
        return device.flush();
    }
    let file = temporary_beside(&target, present.as_ref())?;
    // Use the bare file, so that errors do not name the temporary path.
    let mut writer = BufWriter::with_capacity(1 << 16, file.as_file());
    body(&mut writer)?;
    writer.flush()?;
    drop(writer);
    file.as_file().sync_all()?;
    file.persist(&target).map_err(|error| error.error)?;
    Ok(())
}

/// Returns the path with links resolved, and its metadata if it exists.
fn destination(path: &Path) -> io::Result<(PathBuf, Option<Metadata>)> {
    match fs::metadata(path) {
        Ok(metadata) => Ok((fs::canonicalize(path)?, Some(metadata))),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok((path.to_owned(), None)),
        Err(error) => Err(error),
    }
}

/// Creates a temporary file in the folder of `target`, with the permissions that `target` has or would have.
fn temporary_beside(target: &Path, present: Option<&Metadata>) -> io::Result<NamedTempFile> {
    let folder = match target.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    fs::create_dir_all(folder)?;
    let mut builder = tempfile::Builder::new();
    builder.prefix(".pliant-").suffix(".tmp");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        // The umask still applies, as to any new file.
        builder.permissions(fs::Permissions::from_mode(0o666));
    }
    // Keep the system error of the folder only: the error of `tempfile` names a path unknown to the user.
    let file = builder.tempfile_in(folder).map_err(|error| match error.raw_os_error() {
        Some(code) => io::Error::from_raw_os_error(code),
        None => error.kind().into(),
    })?;
    if let Some(metadata) = present {
        file.as_file().set_permissions(metadata.permissions())?;
    }
    Ok(file)
}

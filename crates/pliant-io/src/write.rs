//! Files that are written whole or not at all.

use std::fs::{self, File, Metadata};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

use crate::error::WriteError;

/// Writes a file whole or not at all.
///
/// `body` writes into a temporary file of the same folder, which takes the place of `path` only
/// when all of it has reached the disk. If anything fails, the disk being full for one, the
/// temporary file is removed and what stood at `path` before is still there. Missing folders are
/// made; a link is followed; a device or pipe (`/dev/stdout`) is written to directly.
///
/// ```
/// use std::io::Write;
///
/// let folder = tempfile::tempdir()?;
/// let path = folder.path().join("made/on/the/way/hello.txt");
/// pliant_io::write_whole(&path, |file| file.write_all(b"hello"))?;
/// assert_eq!(std::fs::read(&path)?, b"hello");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn write_whole(
    path: &Path,
    body: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> Result<(), WriteError> {
    replace(path, body).map_err(|source| WriteError::Io { path: path.to_owned(), source })
}

fn replace(path: &Path, body: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
    let (target, present) = destination(path)?;
    if present.as_ref().is_some_and(|metadata| !metadata.is_file()) {
        // A device cannot be replaced by a file of the same name without doing harm.
        let mut device = BufWriter::new(File::options().write(true).open(&target)?);
        body(&mut device)?;
        return device.flush();
    }
    let file = temporary_beside(&target, present.as_ref())?;
    // Through the bare file, so that errors do not name the temporary one.
    let mut writer = BufWriter::with_capacity(1 << 16, file.as_file());
    body(&mut writer)?;
    writer.flush()?;
    drop(writer);
    file.as_file().sync_all()?;
    file.persist(&target).map_err(|error| error.error)?;
    Ok(())
}

/// Where to write: links followed, and what stands there now.
fn destination(path: &Path) -> io::Result<(PathBuf, Option<Metadata>)> {
    match fs::metadata(path) {
        Ok(metadata) => Ok((fs::canonicalize(path)?, Some(metadata))),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok((path.to_owned(), None)),
        Err(error) => Err(error),
    }
}

/// A temporary file in the folder of `target`, with the rights `target` has or would have.
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
    // What was wrong with the folder; the error of `tempfile` names a file nobody asked for.
    let file = builder.tempfile_in(folder).map_err(|error| match error.raw_os_error() {
        Some(code) => io::Error::from_raw_os_error(code),
        None => error.kind().into(),
    })?;
    if let Some(metadata) = present {
        file.as_file().set_permissions(metadata.permissions())?;
    }
    Ok(file)
}

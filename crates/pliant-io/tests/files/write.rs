//! A file is written completely or not at all.

use std::fs;
use std::io::{self, Write};
use std::path::Path;
use std::process::Command;

use pliant_io::{WriteError, write_atomic};

/// The names of all files in a folder.
fn listing(folder: &Path) -> Vec<String> {
    let mut names: Vec<String> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

/// A failure while writing leaves the old file and no temporary file.
#[test]
fn a_failure_midway_leaves_the_old_file_and_nothing_else() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("mesh.vtu");
    write_atomic(&path, |file| file.write_all(b"old")).unwrap();

    let failing = |file: &mut dyn Write| {
        file.write_all(&[b'x'; 1 << 18])?;
        Err(io::Error::other("the cable was pulled"))
    };
    let error = write_atomic(&path, failing).unwrap_err();

    assert!(error.to_string().contains("the cable was pulled"), "{error}");
    assert_eq!(fs::read(&path).unwrap(), b"old");
    assert_eq!(listing(folder.path()), ["mesh.vtu"]);
}

/// A failure while writing a new file leaves no file.
#[test]
fn a_failure_of_a_new_file_leaves_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("new.obj");
    write_atomic(&path, |_| Err(io::Error::other("no"))).unwrap_err();
    assert!(listing(folder.path()).is_empty());
}

/// A panic while writing leaves no file.
#[test]
fn a_writer_that_panics_leaves_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("new.obj");
    let caught = std::panic::catch_unwind(|| write_atomic(&path, |_| panic!("a bug")));
    assert!(caught.is_err());
    assert!(listing(folder.path()).is_empty());
}

/// Writing to a full device is an error and does not replace the device. Skipped without `/dev/full`.
#[cfg(unix)]
#[test]
fn a_full_device_is_an_error_and_stays_a_device() {
    use std::os::unix::fs::FileTypeExt;

    let path = Path::new("/dev/full");
    if !path.exists() {
        println!("skipped: no /dev/full here");
        return;
    }
    let error = write_atomic(path, |file| file.write_all(&[0; 1 << 20])).unwrap_err();
    assert!(
        matches!(&error, WriteError::Io { source, .. } if source.kind() == io::ErrorKind::StorageFull)
    );
    assert!(fs::metadata(path).unwrap().file_type().is_char_device());
}

/// A replaced file keeps its permissions.
#[cfg(unix)]
#[test]
fn the_rights_of_a_replaced_file_are_kept() {
    use std::os::unix::fs::PermissionsExt;

    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("shared.ply");
    fs::write(&path, "old").unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).unwrap();
    write_atomic(&path, |file| file.write_all(b"new")).unwrap();
    assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o640);
}

/// Writing to a symbolic link replaces its target and keeps the link.
#[cfg(unix)]
#[test]
fn a_link_is_followed() {
    let folder = tempfile::tempdir().unwrap();
    let (path, link) = (folder.path().join("real"), folder.path().join("link"));
    fs::write(&path, "old").unwrap();
    std::os::unix::fs::symlink(&path, &link).unwrap();
    write_atomic(&link, |file| file.write_all(b"new")).unwrap();
    assert_eq!(fs::read(&path).unwrap(), b"new");
    assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
}

/// A mounted file system of 64 kB, unmounted when dropped.
struct SmallDisk(tempfile::TempDir);

impl SmallDisk {
    fn mount() -> Option<Self> {
        let folder = tempfile::tempdir().ok()?;
        let mut mount = Command::new("mount");
        mount.args(["-t", "tmpfs", "-o", "size=64k", "tmpfs"]).arg(folder.path());
        mount.output().ok()?.status.success().then(|| Self(folder))
    }
}

impl Drop for SmallDisk {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg(self.0.path()).output();
    }
}

/// A full disk is an error and leaves the old file. Skipped without the right to mount.
#[test]
fn a_full_disk_leaves_the_old_file() {
    let Some(disk) = SmallDisk::mount() else {
        println!("skipped: mounting a small disk needs to be root");
        return;
    };
    let path = disk.0.path().join("frame.vtu");
    write_atomic(&path, |file| file.write_all(b"old")).unwrap();
    let error = write_atomic(&path, |file| file.write_all(&[b'x'; 1 << 18])).unwrap_err();
    assert!(
        matches!(&error, WriteError::Io { source, .. } if source.kind() == io::ErrorKind::StorageFull)
    );
    assert_eq!(fs::read(&path).unwrap(), b"old");
    assert_eq!(listing(disk.0.path()), ["frame.vtu"]);
}

/// Writing to the path of a folder is an error and keeps the folder.
#[test]
fn a_folder_in_the_way_is_an_error() {
    let folder = tempfile::tempdir().unwrap();
    assert!(write_atomic(folder.path(), |file| file.write_all(b"x")).is_err());
    assert!(folder.path().is_dir());
}

//! Lists the files of the page and the pictures of the gallery, so that they are compiled in.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

fn main() -> io::Result<()> {
    let variable = |name: &str| env::var_os(name).map(PathBuf::from).unwrap_or_default();
    for name in ["page", "gallery"] {
        let folder = variable("CARGO_MANIFEST_DIR").join(name);
        println!("cargo::rerun-if-changed={}", folder.display());
        let mut files = Vec::new();
        collect(&folder, &mut files)?;
        files.sort();
        fs::write(variable("OUT_DIR").join(format!("{name}.rs")), listing(&folder, &files))?;
    }
    Ok(())
}

/// Collects all files below a folder, except hidden ones.
fn collect(folder: &Path, files: &mut Vec<PathBuf>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        let hidden = path.file_name().is_some_and(|name| name.to_string_lossy().starts_with('.'));
        if path.is_dir() {
            collect(&path, files)?;
        } else if !hidden {
            files.push(path);
        }
    }
    Ok(())
}

/// A Rust array of paths and bytes.
fn listing(folder: &Path, files: &[PathBuf]) -> String {
    let mut code = String::from("&[\n");
    for file in files {
        let name = file.strip_prefix(folder).unwrap_or(file).to_string_lossy().replace('\\', "/");
        let path = file.to_string_lossy();
        let _ = writeln!(code, "    Asset {{ path: {name:?}, bytes: include_bytes!({path:?}) }},");
    }
    code + "]\n"
}

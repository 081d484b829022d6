//! Lists the scenes of the catalogue, so that they can be built into the library.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

fn main() -> io::Result<()> {
    let variable = |name: &str| env::var_os(name).map(PathBuf::from).unwrap_or_default();
    let folder = variable("CARGO_MANIFEST_DIR").join("scenes");
    println!("cargo::rerun-if-changed={}", folder.display());
    let mut files = Vec::new();
    collect(&folder, &mut files)?;
    files.sort();
    fs::write(variable("OUT_DIR").join("catalogue.rs"), listing(&folder, &files))
}

/// All `.toml` files below a folder.
fn collect(folder: &Path, files: &mut Vec<PathBuf>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            collect(&path, files)?;
        } else if path.extension().is_some_and(|extension| extension == "toml") {
            files.push(path);
        }
    }
    Ok(())
}

/// A Rust array of names and texts.
fn listing(folder: &Path, files: &[PathBuf]) -> String {
    let mut code = String::from("&[\n");
    for file in files {
        let name = file.strip_prefix(folder).unwrap_or(file).with_extension("");
        let name = name.to_string_lossy().replace('\\', "/");
        let path = file.to_string_lossy();
        let _ = writeln!(code, "    Entry {{ name: {name:?}, text: include_str!({path:?}) }},");
    }
    code + "]\n"
}

//! Modules import downward only. The order below is the architecture.
#![allow(clippy::unwrap_used, reason = "tests may panic")]

use std::fs;
use std::path::{Path, PathBuf};

/// A module may use those before it.
const LAYERS: [&str; 15] = [
    "math",
    "persist",
    "geometry",
    "element",
    "mesh",
    "material",
    "body",
    "force",
    "constraint",
    "solver",
    "contact",
    "plasticity",
    "fracture",
    "island",
    "world",
];

fn src() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("src")
}

/// Files and folders right below `folder`, in order.
fn entries(folder: &Path) -> Vec<PathBuf> {
    let mut entries: Vec<_> =
        fs::read_dir(folder).unwrap().map(|item| item.unwrap().path()).collect();
    entries.sort();
    entries
}

/// All sources of a module: `src/module.rs` and what lies below `src/module/`.
fn sources(path: &Path) -> Vec<PathBuf> {
    if path.is_dir() {
        entries(path).iter().flat_map(|path| sources(path)).collect()
    } else {
        vec![path.to_owned()]
    }
}

/// The modules there are, with their paths.
fn modules() -> Vec<(String, PathBuf)> {
    let name = |path: &Path| path.file_stem().unwrap().to_str().unwrap().to_owned();
    let modules = entries(&src()).into_iter().map(|path| (name(&path), path));
    modules.filter(|(name, _)| name != "lib").collect()
}

/// The lines of a file that are code, without what stands in comments.
fn code(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let stripped = text.lines().map(|line| line.split("//").next().unwrap_or(""));
    (1..).zip(stripped).filter(|(_, line)| !line.trim().is_empty())
}

/// The names that follow `crate::` in a line.
fn imports(line: &str) -> impl Iterator<Item = &str> {
    line.match_indices("crate::").map(|(at, found)| {
        let rest = &line[at + found.len()..];
        let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_');
        &rest[..end.unwrap_or(rest.len())]
    })
}

/// How deep a file's module lies below the crate: as many `super::` lead to its root.
fn depth(file: &Path) -> usize {
    let path = file.strip_prefix(src()).unwrap().with_extension("");
    path.components().count() - usize::from(path.ends_with("mod"))
}

#[test]
fn every_module_has_its_layer() {
    for (module, path) in modules() {
        let known = LAYERS.contains(&module.as_str());
        assert!(known, "{} is in no layer: give it a place in LAYERS", path.display());
    }
}

#[test]
fn modules_import_only_lower_layers() {
    let level = |name: &str| LAYERS.iter().position(|layer| *layer == name);
    for (module, path) in modules() {
        for file in sources(&path) {
            let text = fs::read_to_string(&file).unwrap();
            for (number, line) in code(&text) {
                let place = format!("{}:{number}: `{}`", file.display(), line.trim());
                for import in imports(line) {
                    let Some(imported) = level(import) else {
                        panic!("{place}: write `use crate::layer::Thing`, one layer a line");
                    };
                    assert!(Some(imported) <= level(&module), "{place} climbs from {module}");
                }
                let climb = "super::".repeat(depth(&file));
                assert!(!line.contains(&climb), "{place} reaches the crate's root by `super`");
            }
        }
    }
}

#[test]
fn the_reader_of_imports_is_not_blind() {
    assert_eq!(imports("use crate::mesh::Mesh; let x = crate::math::One;").count(), 2);
    assert_eq!(imports("use crate::{a, b};").collect::<Vec<_>>(), [""]);
    assert_eq!(code("//! crate::world\nlet a; // crate::world\n").count(), 1);
    assert_eq!((depth(&src().join("mesh/mod.rs")), depth(&src().join("mesh/mesh.rs"))), (1, 2));
}

/// Tests beside private code run only if `inline.rs` reads their file.
#[test]
fn no_test_inside_of_a_file_is_forgotten() {
    let inline = fs::read_to_string(src().join("../tests/inline.rs")).unwrap();
    for path in sources(&src()) {
        let text = fs::read_to_string(&path).unwrap();
        let place = path.strip_prefix(src()).unwrap().display().to_string();
        let listed = inline.contains(&format!("\"../src/{place}\""));
        // What has none may be listed because one that has needs it.
        assert!(
            listed || !text.contains("#[cfg(test)]"),
            "tests/inline.rs should list what has tests, and {place} is amiss"
        );
    }
}

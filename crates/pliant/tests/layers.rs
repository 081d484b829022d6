//! Modules import downward only. The order below is the architecture.
#![allow(clippy::unwrap_used, reason = "tests may panic")]

use std::fs;
use std::path::{Path, PathBuf};

/// A module may use those before it. The lower crates are below them all. The last one only names things for tests.
const LAYERS: [&str; 10] = [
    "persist",
    "body",
    "force",
    "solver",
    "contact",
    "plasticity",
    "fracture",
    "sleep",
    "world",
    "internals",
];

/// The modules of `pliant-kernels`, in the same order.
const KERNEL_LAYERS: [&str; 13] = [
    "math",
    "element",
    "material",
    "lanes",
    "elastic",
    "tangent",
    "warped",
    "xpbd",
    "plastic",
    "separation",
    "bundles",
    "wide_rows",
    "single_rows",
];

/// The modules of `pliant-mesh`, in the same order; the first two re-export the kernels.
const MESH_LAYERS: [&str; 4] = ["math", "element", "geometry", "mesh"];

/// The source folders of the three crates, each with its layers.
fn crates() -> [(PathBuf, &'static [&'static str]); 3] {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    [
        (folder.join("src"), &LAYERS),
        (folder.join("../pliant-mesh/src"), &MESH_LAYERS),
        (folder.join("../pliant-kernels/src"), &KERNEL_LAYERS),
    ]
}

/// Files and folders right below `folder`, in order.
fn entries(folder: &Path) -> Vec<PathBuf> {
    let mut entries: Vec<_> =
        fs::read_dir(folder).unwrap().map(|item| item.unwrap().path()).collect();
    entries.sort();
    entries
}

/// All source files of a module: `src/module.rs`, or all files below `src/module/`.
fn sources(path: &Path) -> Vec<PathBuf> {
    if path.is_dir() {
        entries(path).iter().flat_map(|path| sources(path)).collect()
    } else {
        vec![path.to_owned()]
    }
}

/// The modules of a crate, with their paths.
fn modules(src: &Path) -> Vec<(String, PathBuf)> {
    let name = |path: &Path| path.file_stem().unwrap().to_str().unwrap().to_owned();
    let modules = entries(src).into_iter().map(|path| (name(&path), path));
    modules.filter(|(name, _)| name != "lib").collect()
}

/// The numbered lines of code of a file, without comments.
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

/// The depth of a file's module below the crate root: the number of `super::` that lead to the root.
fn depth(src: &Path, file: &Path) -> usize {
    let path = file.strip_prefix(src).unwrap().with_extension("");
    path.components().count() - usize::from(path.ends_with("mod"))
}

/// Every module of the three crates is in the list of layers.
#[test]
fn every_module_has_its_layer() {
    for (src, layers) in crates() {
        for (module, path) in modules(&src) {
            let known = layers.contains(&module.as_str());
            assert!(known, "{} is in no layer: add it to the list in this file", path.display());
        }
    }
}

/// No module imports a module of a higher layer, neither by `crate::` nor by `super::`.
#[test]
fn modules_import_only_lower_layers() {
    for (src, layers) in crates() {
        let level = |name: &str| layers.iter().position(|layer| *layer == name);
        for (module, path) in modules(&src) {
            for file in sources(&path) {
                let text = fs::read_to_string(&file).unwrap();
                for (number, line) in code(&text) {
                    let place = format!("{}:{number}: `{}`", file.display(), line.trim());
                    for import in imports(line) {
                        let Some(imported) = level(import) else {
                            panic!("{place}: write `use crate::layer::Thing`, one layer a line");
                        };
                        assert!(
                            Some(imported) <= level(&module),
                            "{place}: {module} imports a higher layer"
                        );
                    }
                    let climb = "super::".repeat(depth(&src, &file));
                    assert!(!line.contains(&climb), "{place} reaches the crate root by `super`");
                }
            }
        }
    }
}

/// The helpers of this file find imports, skip comments and count the depth of modules, on small examples.
#[test]
fn the_reader_of_imports_is_not_blind() {
    assert_eq!(imports("use crate::mesh::Mesh; let x = crate::math::One;").count(), 2);
    assert_eq!(imports("use crate::{a, b};").collect::<Vec<_>>(), [""]);
    assert_eq!(code("//! crate::world\nlet a; // crate::world\n").count(), 1);
    let src = Path::new("src");
    let depth = |file: &str| depth(src, &src.join(file));
    assert_eq!((depth("mesh/mod.rs"), depth("mesh/mesh.rs")), (1, 2));
}

/// Tests beside private code run only if `inline.rs` reads their file.
#[test]
fn no_test_inside_of_a_file_is_forgotten() {
    for (src, _) in crates() {
        let inline = fs::read_to_string(src.join("../tests/inline.rs")).unwrap_or_default();
        for path in sources(&src) {
            let text = fs::read_to_string(&path).unwrap();
            let place = path.strip_prefix(&src).unwrap().display().to_string();
            let listed = inline.contains(&format!("\"../src/{place}\""));
            // A file without tests may be listed too, because a file with tests needs it.
            assert!(
                listed || !text.contains("#[cfg(test)]"),
                "{place} has tests but is missing in tests/inline.rs"
            );
        }
    }
}

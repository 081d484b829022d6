//! Limits on the structure of the code: small folders, small structs, no import cycles, no type name defined twice.
#![allow(clippy::unwrap_used, reason = "tests may panic")]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};

/// Folders whose files have no import cycles: crate, and folder below its `src`.
const WITHOUT_CIRCLES: [(&str, &str); 10] = [
    ("pliant", "body"),
    ("pliant", "contact"),
    ("pliant", "force"),
    ("pliant", "fracture"),
    ("pliant", "persist"),
    ("pliant", "plasticity"),
    ("pliant", "sleep"),
    ("pliant", "solver"),
    ("pliant", "world"),
    ("pliant-io", "scene"),
];

/// The largest number of files and folders in one of these folders or their subfolders.
const MAX_SIBLINGS: usize = 16;

/// The largest number of fields of a struct in `world`.
const MAX_FIELDS: usize = 12;

/// The most public names of the engine, without those that are hidden from the documentation.
const MAX_NAMES: usize = 140;

/// The sources of the engine.
fn src() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("src")
}

/// The sources of a crate of the workspace; `None`, with a message, if they are missing, as beside a published crate.
fn sources(krate: &str) -> Option<PathBuf> {
    let sources = match krate {
        "pliant" => src(),
        other => Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(other).join("src"),
    };
    if !sources.is_dir() {
        // Written past the capture of the test harness, so that the message is visible in a passing run.
        let _ =
            writeln!(std::io::stderr(), "skipped: no sources of {krate} at {}", sources.display());
        return None;
    }
    Some(sources)
}

/// The folders of [`WITHOUT_CIRCLES`] that exist: the sources of their crate, and the folder.
fn checked_folders() -> Vec<(PathBuf, &'static str)> {
    let folders = WITHOUT_CIRCLES.into_iter();
    folders.filter_map(|(krate, folder)| Some((sources(krate)?, folder))).collect()
}

/// All files and folders below a folder.
fn below(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let mut all = Vec::new();
    for path in entries {
        if path.is_dir() {
            all.extend(below(&path));
        }
        all.push(path);
    }
    all.sort();
    all
}

/// The path of a file's module in the crate with these sources, such as `world::slot::slots`.
fn module(sources: &Path, file: &Path) -> String {
    let path = file.strip_prefix(sources).unwrap().with_extension("");
    let names = path.iter().map(|name| name.to_str().unwrap()).filter(|name| *name != "mod");
    names.collect::<Vec<_>>().join("::")
}

/// The paths that a file imports, from the root of the crate. Lists in braces are expanded.
fn imports(sources: &Path, file: &Path) -> Vec<String> {
    let text = fs::read_to_string(file).unwrap();
    let statements = use_statements(&text);
    let own = module(sources, file);
    let is_folder = file.file_name().is_some_and(|name| name == "mod.rs");
    let paths = statements.iter().flat_map(|statement| written_out(statement));
    paths.filter_map(|path| from_root(&path, &own, is_folder)).collect()
}

/// The paths of all `use` statements at the top level, each on one line.
fn use_statements(text: &str) -> Vec<String> {
    let mut statements: Vec<String> = Vec::new();
    let mut open = false;
    for line in text.lines().map(|line| line.split("//").next().unwrap().trim_end()) {
        let start = line.strip_prefix("use ").or_else(|| {
            let (before, path) = line.split_once("use ")?;
            (before.starts_with("pub") && before.ends_with([' ', ')'])).then_some(path)
        });
        match start {
            Some(path) if !open => statements.push(path.to_owned()),
            _ if open => statements.last_mut().unwrap().push_str(line.trim()),
            _ => continue,
        }
        open = !line.ends_with(';');
    }
    statements.iter().map(|statement| statement.trim_end_matches(';').to_owned()).collect()
}

/// Expands `a::{b, c::{d, e}}` to `a::b`, `a::c::d`, `a::c::e`.
fn written_out(path: &str) -> Vec<String> {
    let Some(open) = path.find('{') else { return vec![path.trim().to_owned()] };
    let inner = &path[open + 1..path.rfind('}').unwrap_or(path.len())];
    let (mut depth, mut parts) = (0, vec![String::new()]);
    for c in inner.chars() {
        depth += i32::from(c == '{') - i32::from(c == '}');
        match (c, depth) {
            (',', 0) => parts.push(String::new()),
            _ => parts.last_mut().unwrap().push(c),
        }
    }
    let parts = parts.iter().filter(|part| !part.trim().is_empty());
    parts.flat_map(|part| written_out(&format!("{}{}", &path[..open], part.trim()))).collect()
}

/// Resolves an import to a path from the root of the crate; `None` if it is of another crate.
fn from_root(path: &str, own: &str, is_folder: bool) -> Option<String> {
    let path = path.split(" as ").next().unwrap();
    if let Some(rest) = path.strip_prefix("crate::") {
        return Some(rest.to_owned());
    }
    let mut here: Vec<&str> = own.split("::").collect();
    let mut rest = path;
    if rest.starts_with("super::") && !is_folder {
        here.pop();
        rest = &rest["super::".len()..];
    } else if !rest.starts_with("super::") && !is_folder {
        return None;
    }
    while let Some(up) = rest.strip_prefix("super::") {
        here.pop();
        rest = up;
    }
    Some(format!("{}::{}", here.join("::"), rest.trim_start_matches("self::")))
}

/// The import graph of a folder: its files, each with the files of the folder that it imports.
fn graph(sources: &Path, folder: &str) -> BTreeMap<String, BTreeSet<String>> {
    let files = below(&sources.join(folder)).into_iter().filter(|path| path.is_file());
    let files: BTreeMap<String, PathBuf> =
        files.map(|file| (module(sources, &file), file)).collect();
    let target = |import: &String| {
        let parts: Vec<&str> = import.split("::").collect();
        (1..=parts.len()).rev().map(|n| parts[..n].join("::")).find(|path| files.contains_key(path))
    };
    let edges = files.iter().map(|(name, file)| {
        let targets = imports(sources, file)
            .iter()
            .filter_map(target)
            .filter(|other| other != name)
            .collect();
        (name.clone(), targets)
    });
    edges.collect()
}

/// Removes files that import none of the remaining ones, until only cycles, and files that lead to them, are left.
fn circles(mut graph: BTreeMap<String, BTreeSet<String>>) -> BTreeMap<String, BTreeSet<String>> {
    loop {
        let left: BTreeSet<String> = graph.keys().cloned().collect();
        graph.values_mut().for_each(|targets| targets.retain(|target| left.contains(target)));
        let before = graph.len();
        graph.retain(|_, targets| !targets.is_empty());
        if graph.len() == before {
            return graph;
        }
    }
}

/// The import graph of every folder has no cycle. At least 500 imports must be found, so that a broken parser
/// cannot pass.
#[test]
fn files_import_each_other_in_no_circle() {
    let mut imports = 0;
    for (sources, folder) in checked_folders() {
        let graph = graph(&sources, folder);
        imports += graph.values().map(BTreeSet::len).sum::<usize>();
        let left = circles(graph);
        assert!(left.is_empty(), "import cycles, and files that lead to them: {left:#?}");
    }
    assert!(imports > 500, "only {imports} imports found: is the parser broken?");
}

/// No folder has more than [`MAX_SIBLINGS`] entries.
#[test]
fn folders_have_few_files() {
    for folder in checked_folders().into_iter().map(|(sources, folder)| sources.join(folder)) {
        let folders = below(&folder).into_iter().filter(|path| path.is_dir());
        for folder in folders.chain([folder]) {
            let count = fs::read_dir(&folder).unwrap().count();
            assert!(count <= MAX_SIBLINGS, "{count} files and folders in {}", folder.display());
        }
    }
}

/// The crates of the engine.
const ENGINE: [&str; 4] = ["pliant", "pliant-kernels", "pliant-mesh", "pliant-sparse"];

/// No two types of the engine's crates have the same name. At least 400 types must be found, so that a broken
/// parser cannot pass.
#[test]
fn no_type_name_is_defined_twice() {
    let mut known: BTreeMap<String, PathBuf> = BTreeMap::new();
    let folders: Vec<PathBuf> = ENGINE.into_iter().filter_map(sources).collect();
    for folder in &folders {
        for file in below(folder).into_iter().filter(|path| path.is_file()) {
            for name in types(&fs::read_to_string(&file).unwrap()) {
                if let Some(other) = known.insert(name.clone(), file.clone()) {
                    panic!("{name} is defined in {} and {}", other.display(), file.display());
                }
            }
        }
    }
    let least = if folders.len() == ENGINE.len() { 400 } else { 1 };
    assert!(known.len() > least, "only {} types found: is the parser broken?", known.len());
}

/// Names of structs, enums, traits and aliases that a file defines at its top level.
fn types(text: &str) -> impl Iterator<Item = String> {
    text.lines().filter_map(|line| {
        let line = line.strip_prefix("pub").unwrap_or(line);
        let line =
            line.split_once(") ").filter(|_| line.starts_with('(')).map_or(line, |(_, rest)| rest);
        let (kind, rest) = line.trim_start_matches(' ').split_once(' ')?;
        let is_top = !line.starts_with("  ");
        let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
        let known = ["struct", "enum", "trait", "type", "union"].contains(&kind);
        (known && is_top).then(|| rest[..end].to_owned())
    })
}

/// No struct of `world` has more than [`MAX_FIELDS`] fields.
#[test]
fn structs_of_the_world_have_few_fields() {
    for file in below(&src().join("world")).iter().filter(|path| path.is_file()) {
        let text = fs::read_to_string(file).unwrap();
        let mut name = None;
        let mut fields = 0;
        for line in text.lines() {
            if let Some(rest) = line.trim_start_matches("pub(crate) ").strip_prefix("pub struct ") {
                name = line.ends_with('{').then(|| rest.to_owned());
            } else if let Some(rest) =
                line.trim_start_matches("pub(crate) ").strip_prefix("struct ")
            {
                name = line.ends_with('{').then(|| rest.to_owned());
            }
            let field = line.starts_with("    ") && !line.starts_with("     ");
            let field = field && !line.trim_start().starts_with(['/', '#', ')', ']', '}']);
            fields += usize::from(name.is_some() && field && line.contains(": "));
            if line == "}" {
                let struct_name = name.take().unwrap_or_default();
                assert!(fields <= MAX_FIELDS, "{struct_name} has {fields} fields");
                fields = 0;
            }
        }
    }
}

/// Names that a file makes public by `pub use`, also those in modules that are written out in it.
fn public_names(text: &str) -> impl Iterator<Item = String> {
    let lines = text.lines().map(str::trim_start).map(|line| match line.strip_prefix("pub use ") {
        Some(path) => format!("use {path}\n"),
        None => format!("{}\n", line.replace("use ", "")),
    });
    let paths = use_statements(&lines.collect::<String>());
    let paths = paths.into_iter().flat_map(|path| written_out(&path));
    paths.map(|path| path.rsplit("::").next().unwrap().to_owned())
}

#[test]
fn few_names_are_public() {
    let names = all_public_names();
    assert!(names.len() <= MAX_NAMES, "{} public names: {names:#?}", names.len());
    assert!(names.len() > 100, "only {names:?} are found");
}

/// The glossary explains every public name of the engine.
#[test]
fn the_glossary_has_every_public_name() {
    let Ok(glossary) = fs::read_to_string(src().join("../../../docs/glossary.md")) else {
        let _ = writeln!(std::io::stderr(), "skipped: no docs/glossary.md beside the crate");
        return;
    };
    let inside = glossary.find("## Inside the engine").unwrap_or(glossary.len());
    // glam is another crate.
    let explained =
        |name: &String| name == "glam" || glossary[..inside].contains(&format!("`{name}"));
    let missing: Vec<String> =
        all_public_names().into_iter().filter(|name| !explained(name)).collect();
    assert!(missing.is_empty(), "docs/glossary.md lacks {missing:?}");
}

/// The public names of the engine: those of its root and of its public modules.
fn all_public_names() -> BTreeSet<String> {
    let face = fs::read_to_string(src().join("lib.rs")).unwrap();
    let mut names: BTreeSet<String> = public_names(&face).collect();
    for line in face.replace("#[doc(hidden)]\npub", "").lines() {
        if let Some(module) = line.strip_prefix("pub mod ").and_then(|line| line.strip_suffix(';'))
        {
            let text = fs::read_to_string(src().join(module).join("mod.rs")).unwrap();
            names.extend(public_names(&text));
        }
    }
    names
}

#[test]
fn the_reader_of_imports_resolves_paths() {
    assert_eq!(written_out("a::{b, c::{d, e}}"), ["a::b", "a::c::d", "a::c::e"]);
    let text = "pub use a::{\n    b,\n};\n// use c;\nx(\"use d\");\n    use e;\n";
    assert_eq!(use_statements(text), ["a::{b,}"]);
    let resolve = |path: &str, folder: bool| from_root(path, "world::slot::slots", folder);
    assert_eq!(
        resolve("super::handle::BodyHandle", false).unwrap(),
        "world::slot::handle::BodyHandle"
    );
    assert_eq!(resolve("super::super::step", false).unwrap(), "world::step");
    assert_eq!(resolve("crate::body::Body", false).unwrap(), "body::Body");
    assert_eq!(resolve("glam::DVec3", false), None);
    assert_eq!(from_root("world::World", "world", true).unwrap(), "world::world::World");
    let edge = |a: &str, b: &str| (a.to_owned(), BTreeSet::from([b.to_owned()]));
    let text = "pub(crate) struct A<T> {\n    type Output = B;\nenum C {\npub trait D: E {";
    assert_eq!(types(text).collect::<Vec<_>>(), ["A", "C", "D"]);
    let text = "pub(crate) use a::A;\npub mod m {\n    pub use b::{\n        B, C,\n    };\n}\nuse d::D;\n";
    assert_eq!(public_names(text).collect::<Vec<_>>(), ["B", "C"]);
    assert_eq!(circles(BTreeMap::from([edge("a", "b"), edge("b", "a"), edge("c", "d")])).len(), 2);
}

//! Files, test modules and tests that the documents name exist.

use std::fs;
use std::path::{Path, PathBuf};

use crate::markdown::{blocks, spans};

/// Folders of the repository that documents refer to by path.
const FOLDERS: [&str; 4] = ["crates", "docs", "scenes", "scripts"];

/// Folders that are not part of the repository.
const SKIPPED: [&str; 3] = ["target", "node_modules", ".git"];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// All files of the repository, with paths relative to its root.
fn files() -> Vec<PathBuf> {
    let (mut files, mut folders) = (Vec::new(), vec![root()]);
    while let Some(folder) = folders.pop() {
        for path in fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
            let skipped = path.file_name().is_some_and(|name| SKIPPED.iter().any(|s| name == *s));
            match path.is_dir() {
                true if skipped => {}
                true => folders.push(path),
                false => files.push(path.strip_prefix(root()).unwrap().to_owned()),
            }
        }
    }
    files
}

/// The documents: path and text. The changelog also names files of earlier versions.
fn documents(files: &[PathBuf]) -> Vec<(&PathBuf, String)> {
    let documents = files.iter().filter(|path| {
        path.extension().is_some_and(|extension| extension == "md")
            && path.file_name().is_some_and(|name| name != "CHANGELOG.md")
    });
    documents.map(|path| (path, fs::read_to_string(root().join(path)).unwrap())).collect()
}

/// The code of a document: words of its blocks, and its inline code.
fn code(text: &str) -> Vec<String> {
    let (prose, blocks) = blocks(text);
    let split = |c: char| c.is_whitespace() || "()[]\"',;`".contains(c);
    let words = blocks.iter().flat_map(|(_, code)| code.split(split));
    let words: Vec<String> = words.map(str::to_owned).collect();
    spans(&prose).map(str::to_owned).chain(words).collect()
}

/// `a/{b,c}.rs` as `a/b.rs` and `a/c.rs`.
fn expanded(path: &str) -> Vec<String> {
    match (path.find('{'), path.find('}')) {
        (Some(open), Some(close)) if open < close => path[open + 1..close]
            .split(',')
            .map(|name| format!("{}{name}{}", &path[..open], &path[close + 1..]))
            .collect(),
        _ => vec![path.to_owned()],
    }
}

/// True for a path without placeholders, such as `scenes/*.toml` or `crates/…`.
fn is_literal(path: &str) -> bool {
    path.chars().all(|c| c.is_ascii_alphanumeric() || "/._-{},".contains(c))
}

/// A path of the repository, from its root; `pliant-io/src` is in `crates`. `None` for other code.
fn repository_path(code: &str) -> Option<String> {
    let (first, rest) = code.split_once('/')?;
    let in_crate = first.starts_with("pliant")
        && ["src", "tests", "examples", "page"].iter().any(|folder| rest.starts_with(folder));
    match is_literal(code) {
        true if FOLDERS.contains(&first) => Some(code.to_owned()),
        true if in_crate => Some(format!("crates/{code}")),
        _ => None,
    }
}

#[test]
fn paths_in_the_documents_exist() {
    let (files, mut count) = (files(), 0);
    for (document, text) in documents(&files) {
        for path in code(&text).iter().filter_map(|code| repository_path(code)) {
            for path in expanded(&path) {
                assert!(root().join(&path).exists(), "{}: no file {path}", document.display());
                count += 1;
            }
        }
    }
    assert!(count > 80, "only {count} paths are found");
}

#[test]
fn source_files_in_the_documents_exist() {
    let (files, mut count) = (files(), 0);
    for (document, text) in documents(&files) {
        let (prose, _) = blocks(&text);
        let named = spans(&prose).filter(|code| code.ends_with(".rs") || code.ends_with(".js"));
        for name in named.filter(|code| is_literal(code)).flat_map(expanded) {
            let exists = files.iter().any(|file| file.ends_with(name.trim_start_matches("./")));
            assert!(exists, "{}: no source file ends with {name}", document.display());
            count += 1;
        }
    }
    assert!(count > 100, "only {count} source files are found");
}

#[test]
fn links_between_the_documents_lead_to_files() {
    let (files, mut count) = (files(), 0);
    for (document, text) in documents(&files) {
        let (prose, _) = blocks(&text);
        for link in prose.split("](").skip(1).filter_map(|rest| rest.split(')').next()) {
            let path = link.split('#').next().unwrap_or_default();
            if path.is_empty() || path.contains(':') || !is_literal(path) {
                continue;
            }
            let target = root().join(document).parent().unwrap().join(path);
            assert!(target.exists(), "{}: no file {path}", document.display());
            count += 1;
        }
    }
    assert!(count > 50, "only {count} links are found");
}

/// A module of integration tests.
struct TestModule<'a> {
    /// The target that contains it, as in `cargo test --test TARGET`.
    target: &'a str,
    name: &'a str,
    file: &'a Path,
}

/// A test module by its path: `tests/TARGET.rs`, `tests/TARGET/MODULE.rs` or `tests/TARGET/MODULE/mod.rs` of a crate.
fn test_module(file: &Path) -> Option<TestModule<'_>> {
    let path = file.to_str()?.strip_prefix("crates/")?.strip_suffix(".rs")?;
    let (target, name) = match path.split('/').collect::<Vec<_>>()[..] {
        [_, "tests", target] => (target, target),
        [_, "tests", target, name] | [_, "tests", target, name, "mod"] => (target, name),
        _ => return None,
    };
    Some(TestModule { target, name, file })
}

/// Checks the target and the modules in a line such as `cargo test --test TARGET MODULE::`; returns true if it has one.
fn check_test_command(line: &str, modules: &[TestModule<'_>]) -> Result<bool, String> {
    let words: Vec<&str> = line.split_whitespace().collect();
    let after = words.iter().position(|word| *word == "--test");
    let target = after.and_then(|at| words.get(at + 1));
    let Some(target) = target.filter(|_| line.contains("cargo test")) else { return Ok(false) };
    if !modules.iter().any(|module| module.target == *target) {
        return Err(format!("no test target {target} in: {line}"));
    }
    for name in words.iter().filter_map(|word| word.split_once("::")).map(|(name, _)| name) {
        if !modules.iter().any(|module| module.target == *target && module.name == name) {
            return Err(format!("no module {name} of the tests {target} in: {line}"));
        }
    }
    Ok(true)
}

/// Checks a test such as `limits::a_sentence_names_the_test`; returns true for such code.
fn check_test_name(code: &str, modules: &[TestModule<'_>]) -> Result<bool, String> {
    let is_name = code.chars().all(|c| c.is_ascii_lowercase() || c == ':' || c == '_');
    let Some((module, test)) = code.split_once("::").filter(|_| is_name) else { return Ok(false) };
    if test.matches('_').count() < 2 {
        return Ok(false);
    }
    let has_test = |file: &Path| {
        fs::read_to_string(root().join(file)).unwrap().contains(&format!("fn {test}("))
    };
    match modules.iter().any(|known| known.name == module && has_test(known.file)) {
        true => Ok(true),
        false => Err(format!("no test {code}")),
    }
}

#[test]
fn test_modules_and_tests_in_the_documents_exist() {
    let (files, mut count) = (files(), 0);
    let modules: Vec<_> = files.iter().filter_map(|file| test_module(file)).collect();
    for (document, text) in documents(&files) {
        let (prose, blocks) = blocks(&text);
        let code = blocks.iter().flat_map(|(_, code)| code.lines()).chain(spans(&prose));
        for code in code {
            let is_test = check_test_command(code, &modules)
                .and_then(|is_command| Ok(is_command || check_test_name(code, &modules)?));
            count += usize::from(is_test.unwrap_or_else(|e| panic!("{}: {e}", document.display())));
        }
    }
    assert!(count > 5, "only {count} test targets, modules and tests are found");
}

#[test]
fn paths_are_recognised() {
    assert_eq!(expanded("a/{b,c}.rs"), ["a/b.rs", "a/c.rs"]);
    assert_eq!(repository_path("pliant-io/src/lib.rs").unwrap(), "crates/pliant-io/src/lib.rs");
    assert_eq!(repository_path("docs/README.md").unwrap(), "docs/README.md");
    assert_eq!(repository_path("out/default"), None);
    assert_eq!(repository_path("scenes/*.toml"), None);
}

//! Checks of probes and outputs.

use std::collections::BTreeSet;
use std::path::{Component, Path, PathBuf};

use toml::Spanned;

use super::problems::Problems;
use super::world::given;
use crate::scene::file::scene::{OutputFile, ProbeFile};
use crate::scene::plan::output::{Field, Format, Output, Probe};
use crate::scene::problem::fault::Fault;
use crate::scene::read::value::Word;

/// Maximum length of a part of an output path, in bytes: file systems allow 255.
const MAX_PART_BYTES: usize = 200;

/// Checks `[[probe]]`; `bodies` are the names of all bodies of the file.
pub(crate) fn probe(file: &ProbeFile, bodies: &[&Word], problems: &mut Problems) -> Option<Probe> {
    let ProbeFile { name, body, at } = file;
    let position = problems.triple("at", at);
    let body = named_body(name, body.as_ref(), bodies, MISSING_PROBE_BODY, problems)?;
    Some(Probe { name: name.get_ref().clone(), body, at: Spanned::new(at.span(), position?) })
}

const MISSING_PROBE_BODY: Fault =
    Fault::Missing { what: "the probe's `body`", example: "body = \"beam\"" };

/// Returns the index of the body that the probe or attachment `name` refers to: the named one, or the only body.
pub(crate) fn named_body(
    name: &Word,
    body: Option<&Word>,
    bodies: &[&Word],
    missing: Fault,
    problems: &mut Problems,
) -> Option<usize> {
    match body {
        Some(word) => {
            let names: Vec<(&str, usize)> =
                bodies.iter().enumerate().map(|(k, name)| (name.get_ref().as_str(), k)).collect();
            problems.choice("body", word, &names)
        }
        None if bodies.len() == 1 => Some(0),
        None => {
            problems.add(name.span(), missing);
            None
        }
    }
}

/// Checks `[[output]]`.
pub(crate) fn output(file: &OutputFile, problems: &mut Problems) -> Option<Output> {
    let OutputFile { format, path, every, fields } = file;
    let formats = Format::ALL.map(|format| (format.name(), format));
    let known = Field::ALL.map(|field| (field.name(), field));
    let every = given(every, |every| {
        problems.whole("every", every, 1..1_000_001, "a whole number from 1 to 1000000")
    });
    let fields = fields.iter().filter_map(|word| problems.choice("field", word, &known)).collect();
    let path = given(path, |path| relative_path(path, problems));
    let format = problems.choice("format", format, &formats)?;
    Some(Output { format, path, every: every.unwrap_or(1), fields })
}

fn relative_path(path: &Word, problems: &mut Problems) -> Option<PathBuf> {
    let text = path.get_ref();
    let stays = |part: Component<'_>| matches!(part, Component::Normal(_) | Component::CurDir);
    let fault = match Path::new(text) {
        path if !path.components().all(stays) => Fault::PathOutsideResults { path: text.clone() },
        _ if !is_valid_output_path(text) => Fault::BadPath { path: text.clone() },
        path => return Some(path.to_owned()),
    };
    problems.add(path.span(), fault);
    None
}

/// Returns true if every part of a path is a valid name, with room for a frame number.
fn is_valid_output_path(path: &str) -> bool {
    let last = path.rsplit('/').next().unwrap_or(path);
    !matches!(last.trim(), "" | ".")
        && path.split('/').all(|part| part.len() <= MAX_PART_BYTES)
        && !path.contains(char::is_control)
}

/// Adds a fault for each output that would overwrite another.
pub(crate) fn distinct_outputs(files: &[OutputFile], problems: &mut Problems) {
    let mut seen = BTreeSet::new();
    for OutputFile { format, path, .. } in files {
        let stem = path.as_ref().map(|path| without_extension(path.get_ref(), format.get_ref()));
        let known = Format::ALL.into_iter().find(|known| known.name() == format.get_ref());
        if let (Some(known), false) = (known, seen.insert((format.get_ref(), stem))) {
            let span = path.as_ref().map_or(format.span(), |path| path.span());
            problems.add(span, Fault::SameOutput { format: known.name() });
        }
    }
}

/// Returns `a/b` for both `a/b` and `./a/b.png`.
fn without_extension(path: &str, extension: &str) -> PathBuf {
    let path: PathBuf =
        Path::new(path).components().filter(|part| *part != Component::CurDir).collect();
    match path.extension() {
        Some(given) if given == extension => path.with_extension(""),
        _ => path,
    }
}

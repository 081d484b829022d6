//! Checks of everything in a scene except its bodies.

use std::collections::BTreeSet;
use std::path::{Component, Path, PathBuf};
use std::time::Duration;

use pliant::contact::ContactLevel;
use pliant::island::SleepConfig;
use pliant::solver::StaticConfig;
use pliant::world::WorldConfig;
use toml::Spanned;

use super::check_toughness;
use super::fault::Fault;
use super::file::{OutputFile, ProbeFile, SceneFile, SleepFile, StaticsFile, Word, WorldFile};
use super::plan::{Field, Format, Mode, Output, Probe};
use super::problems::Problems;
use super::shorthand::FlagOr;

/// Maximum number of frames of a scene: a day at 60 frames per second.
const MOST_FRAMES: f64 = 60.0 * 86_400.0;

/// Maximum length of a part of an output path, in bytes: file systems allow 255.
const MOST_BYTES: usize = 200;

/// Checks `mode`; the default is a motion.
pub(super) fn mode(file: &SceneFile, problems: &mut Problems) -> Mode {
    let choices = [Mode::Dynamic, Mode::Static].map(|mode| (mode.name(), mode));
    let mode = file.mode.as_ref().and_then(|word| problems.choice("mode", word, &choices));
    let mode = mode.unwrap_or(Mode::Dynamic);
    if let (Mode::Dynamic, Some(statics)) = (mode, &file.statics) {
        let when = "in a dynamic scene; it belongs to `mode = \"static\"`";
        problems.add(statics.span(), Fault::NoEffect { key: "statics", when });
    }
    mode
}

/// Checks `[world]` except its duration and budget.
pub(super) fn world(file: &WorldFile, problems: &mut Problems) -> WorldConfig {
    let WorldFile {
        gravity,
        dt,
        duration: _,
        budget: _,
        damping,
        substeps,
        contact,
        sleep,
        anneal,
        fracture,
        debris,
    } = file;
    let default = WorldConfig::default();
    let strong = "three finite numbers of at most 1e9 m/s²";
    let possible = |gravity| WorldConfig { gravity, ..default }.check().is_ok();
    let short = "a finite number above 0 and at most 1";
    let damped = "a finite number of 0 or more";
    let count = "a whole number from 1 to 1000000";
    let levels = ContactLevel::ALL.map(|level| (level.name(), level));
    WorldConfig {
        gravity: given(gravity, |g| problems.triple_where("gravity", g, strong, possible))
            .unwrap_or(default.gravity),
        dt: given(dt, |dt| problems.number("dt", dt, short, |dt| dt > 0.0 && dt <= 1.0))
            .unwrap_or(default.dt),
        damping: given(damping, |d| problems.number("damping", d, damped, |d| d >= 0.0))
            .unwrap_or(default.damping),
        substeps: given(substeps, |s| problems.whole("substeps", s, 1..1_000_001, count)),
        contact: given(contact, |word| problems.choice("contact", word, &levels))
            .unwrap_or(default.contact),
        sleep: sleep.as_ref().map_or(default.sleep, |file| sleeping(file.get_ref(), problems)),
        anneal: given(anneal, |after| {
            problems.number("anneal", after, "a finite number above 0, in s", |after| after > 0.0)
        }),
        debris: debris.as_ref().and_then(|file| check_toughness::debris(file, problems)),
        fracture: fracture
            .as_ref()
            .map_or(default.fracture, |file| check_toughness::fracture(file, problems)),
    }
}

/// Checks `sleep`.
fn sleeping(file: &FlagOr<SleepFile>, problems: &mut Problems) -> Option<SleepConfig> {
    let default = SleepConfig::default();
    let SleepFile { speed, steps, force } = match file {
        FlagOr::Flag(on) => return on.then_some(default),
        FlagOr::Table(file) => &**file,
    };
    let speed = given(speed, |speed| {
        problems.number("speed", speed, "a finite number of 0 or more, in m/s", |v| v >= 0.0)
    });
    let most = "a whole number from 1 to 1000000";
    let steps = given(steps, |steps| problems.whole("steps", steps, 1..1_000_001, most));
    let force = given(force, |force| {
        problems.number("force", force, "a finite number of 0 or more, in N", |f| f >= 0.0)
    });
    Some(SleepConfig {
        speed: speed.unwrap_or(default.speed),
        steps: steps.unwrap_or(default.steps),
        force: force.unwrap_or(default.force),
    })
}

/// Checks the length of the scene, in s.
pub(super) fn duration(
    file: &WorldFile,
    world: &WorldConfig,
    mode: Mode,
    problems: &mut Problems,
) -> f64 {
    let default = if mode == Mode::Static { 1.0 } else { 4.0 };
    let Some(number) = &file.duration else { return default };
    let most = if mode == Mode::Static { f64::MAX } else { MOST_FRAMES * world.dt };
    let expected = "a finite number above 0, and at most 5184000 frames";
    let fits = |value| value > 0.0 && value <= most;
    problems.number("duration", number, expected, fits).unwrap_or(default)
}

/// Checks the maximum computing time of a step.
pub(super) fn budget(file: &WorldFile, mode: Mode, problems: &mut Problems) -> Option<Duration> {
    let number = file.budget.as_ref()?;
    if mode == Mode::Static {
        let when = "in a static scene, which takes no steps";
        problems.add(number.span(), Fault::NoEffect { key: "budget", when });
        return None;
    }
    let expected = "a number from 0.001 to 60000, in ms per step";
    let fits = |ms| (1e-3..=6e4).contains(&ms);
    let ms = problems.number("budget", number, expected, fits)?;
    Some(Duration::from_secs_f64(1e-3 * ms))
}

/// Checks `[statics]`.
pub(super) fn statics(
    file: Option<&Spanned<StaticsFile>>,
    duration: f64,
    problems: &mut Problems,
) -> StaticConfig {
    let default = StaticConfig { duration, ..Default::default() };
    let Some(file) = file else { return default };
    let StaticsFile { tolerance, load_steps, max_iterations } = file.get_ref();
    let small = |value| (1e-14..=0.1).contains(&value);
    let count = "a whole number from 1 to 100000";
    StaticConfig {
        tolerance: given(tolerance, |number| {
            problems.number("tolerance", number, "a number from 1e-14 to 0.1", small)
        })
        .unwrap_or(default.tolerance),
        load_steps: given(load_steps, |n| problems.whole("load_steps", n, 1..100_001, count))
            .unwrap_or(default.load_steps),
        max_iterations: given(max_iterations, |n| {
            problems.whole("max_iterations", n, 1..100_001, count)
        })
        .unwrap_or(default.max_iterations),
        duration,
    }
}

fn given<T, U>(value: &Option<T>, check: impl FnOnce(&T) -> Option<U>) -> Option<U> {
    value.as_ref().and_then(check)
}

/// Checks `[[probe]]`; `bodies` are the names of all bodies of the file.
pub(super) fn probe(file: &ProbeFile, bodies: &[&Word], problems: &mut Problems) -> Option<Probe> {
    let ProbeFile { name, body, at } = file;
    let position = problems.triple("at", at);
    let body = named_body(name, body.as_ref(), bodies, PROBED, problems)?;
    Some(Probe { name: name.get_ref().clone(), body, at: Spanned::new(at.span(), position?) })
}

const PROBED: Fault = Fault::Missing { what: "the probe's `body`", example: "body = \"beam\"" };

/// Returns the index of the body that the probe or attachment `name` refers to: the named one, or the only body.
pub(super) fn named_body(
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
pub(super) fn output(file: &OutputFile, problems: &mut Problems) -> Option<Output> {
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
        path if !path.components().all(stays) => Fault::PathLeaves { path: text.clone() },
        _ if !names_a_file(text) => Fault::BadPath { path: text.clone() },
        path => return Some(path.to_owned()),
    };
    problems.add(path.span(), fault);
    None
}

/// Returns true if every part of a path is a valid name, with room for a frame number.
fn names_a_file(path: &str) -> bool {
    let last = path.rsplit('/').next().unwrap_or(path);
    !matches!(last.trim(), "" | ".")
        && path.split('/').all(|part| part.len() <= MOST_BYTES)
        && !path.contains(char::is_control)
}

/// Adds a fault for each output that would overwrite another.
pub(super) fn distinct_outputs(files: &[OutputFile], problems: &mut Problems) {
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

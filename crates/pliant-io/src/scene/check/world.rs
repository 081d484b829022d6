//! Checks of everything in a scene except its bodies.

use std::time::Duration;

use pliant::contact::ContactLevel;
use pliant::sleep::SleepConfig;
use pliant::solver::StaticConfig;
use pliant::world::WorldConfig;
use toml::Spanned;

use super::fracture;
use super::problems::Problems;
use crate::scene::file::scene::SceneFile;
use crate::scene::file::world::{SleepFile, StaticsFile, WorldFile};
use crate::scene::plan::mode::Mode;
use crate::scene::problem::fault::Fault;
use crate::scene::read::shorthand::FlagOr;

/// Maximum number of frames of a scene: a day at 60 frames per second.
const MAX_FRAMES: f64 = 60.0 * 86_400.0;

/// Checks `mode`; the default is a motion.
pub(crate) fn mode(file: &SceneFile, problems: &mut Problems) -> Mode {
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
pub(crate) fn world(file: &WorldFile, problems: &mut Problems) -> WorldConfig {
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
        debris: debris.as_ref().and_then(|file| fracture::debris(file, problems)),
        fracture: fracture
            .as_ref()
            .map_or(default.fracture, |file| fracture::fracture(file, problems)),
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
pub(crate) fn duration(
    file: &WorldFile,
    world: &WorldConfig,
    mode: Mode,
    problems: &mut Problems,
) -> f64 {
    let default = if mode == Mode::Static { 1.0 } else { 4.0 };
    let Some(number) = &file.duration else { return default };
    let most = if mode == Mode::Static { f64::MAX } else { MAX_FRAMES * world.dt };
    let expected = "a finite number above 0, and at most 5184000 frames";
    let fits = |value| value > 0.0 && value <= most;
    problems.number("duration", number, expected, fits).unwrap_or(default)
}

/// Checks the maximum computing time of a step.
pub(crate) fn budget(file: &WorldFile, mode: Mode, problems: &mut Problems) -> Option<Duration> {
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
pub(crate) fn statics(
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

pub(crate) fn given<T, U>(value: &Option<T>, check: impl FnOnce(&T) -> Option<U>) -> Option<U> {
    value.as_ref().and_then(check)
}

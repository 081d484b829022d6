//! Checks of `[method]` and `[body.method]`.

use std::ops::Range;

use pliant::solver::{
    AdaptiveConfig, LinearSolver, Mass, MethodConfig, MethodError, Projection, Rayleigh, Rotation,
    Stepper,
};
use toml::Spanned;

use super::problems::Problems;
use crate::scene::file::method::{AdaptiveFile, MethodFile, RayleighFile};
use crate::scene::plan::method_spans::MethodSpans;
use crate::scene::plan::mode::Mode;
use crate::scene::problem::fault::Fault;
use crate::scene::read::shorthand::FlagOr;
use crate::scene::read::value::{Number, Word};

/// Maximum number of iterations.
const MAX_ITERATIONS: i64 = 1_000_000;

/// Checks the table of a method, if there is one; missing keys are as in `base`. A static scene takes no steps, so a
/// method there is a fault.
pub(crate) fn method(
    file: Option<&Spanned<MethodFile>>,
    base: MethodConfig,
    mode: Mode,
    problems: &mut Problems,
) -> MethodConfig {
    match (file, mode) {
        (None, _) => base,
        (Some(file), Mode::Dynamic) => from_table(file.get_ref(), base, problems),
        (Some(file), Mode::Static) => {
            let when = "in a static scene, whose solver is set in `[statics]`; it belongs to `mode = \"dynamic\"`";
            problems.add(file.span(), Fault::NoEffect { key: "method", when });
            base
        }
    }
}

/// Checks the table of a method; returns `base` if a key is invalid, so that no error is reported twice.
fn from_table(file: &MethodFile, base: MethodConfig, problems: &mut Problems) -> MethodConfig {
    let before = problems.count();
    let words = words(file, base, problems);
    let method = numbers(file, words, problems);
    check_alone(file, method, problems);
    if let (Err(error), true) = (method.check(), problems.count() == before) {
        let span = error_span(file, &error).unwrap_or(0..0);
        problems.add(span, error.into());
    }
    if problems.count() == before { method } else { base }
}

fn words(file: &MethodFile, base: MethodConfig, problems: &mut Problems) -> MethodConfig {
    let MethodFile { stepper, solver, rotation, mass, projection, .. } = file;
    let steppers = Stepper::ALL.map(|choice| (choice.name(), choice));
    let solvers = LinearSolver::ALL.map(|choice| (choice.name(), choice));
    let rotations = Rotation::ALL.map(|choice| (choice.name(), choice));
    let masses = Mass::ALL.map(|choice| (choice.name(), choice));
    let projections = Projection::ALL.map(|choice| (choice.name(), choice));
    MethodConfig {
        stepper: chosen("stepper", stepper, &steppers, base.stepper, problems),
        solver: chosen("solver", solver, &solvers, base.solver, problems),
        rotation: chosen("rotation", rotation, &rotations, base.rotation, problems),
        mass: chosen("mass", mass, &masses, base.mass, problems),
        projection: chosen("projection", projection, &projections, base.projection, problems),
        ..base
    }
}

fn chosen<T: Copy>(
    what: &'static str,
    word: &Option<Word>,
    choices: &[(&str, T)],
    base: T,
    problems: &mut Problems,
) -> T {
    word.as_ref().and_then(|word| problems.choice(what, word, choices)).unwrap_or(base)
}

fn numbers(file: &MethodFile, base: MethodConfig, problems: &mut Problems) -> MethodConfig {
    let MethodFile { tolerance, max_iterations, newton_iterations, lazy, substeps, sweeps, .. } =
        file;
    MethodConfig {
        tolerance: value(tolerance).unwrap_or(base.tolerance),
        max_iterations: iterations("max_iterations", max_iterations, problems)
            .unwrap_or(base.max_iterations),
        newton_iterations: iterations("newton_iterations", newton_iterations, problems)
            .unwrap_or(base.newton_iterations),
        refactor_threshold: value(lazy).unwrap_or(base.refactor_threshold),
        substeps: iterations("substeps", substeps, problems).or(base.substeps),
        sweeps: iterations("sweeps", sweeps, problems).unwrap_or(base.sweeps),
        rayleigh: rayleigh(file.rayleigh.as_ref(), base.rayleigh),
        adaptive: match file.adaptive.as_ref().map(Spanned::get_ref) {
            None => base.adaptive,
            Some(FlagOr::Flag(on)) => on.then(|| base.adaptive.unwrap_or_default()),
            Some(FlagOr::Table(file)) => {
                Some(adaptive(file, base.adaptive.unwrap_or_default(), problems))
            }
        },
        ..base
    }
}

fn value(number: &Option<Number>) -> Option<f64> {
    number.as_ref().map(|number| *number.get_ref())
}

fn iterations(
    key: &'static str,
    number: &Option<Spanned<i64>>,
    problems: &mut Problems,
) -> Option<u32> {
    let expected = "a whole number from 1 to 1000000";
    let number = number.as_ref()?;
    problems.whole(key, number, 1..MAX_ITERATIONS + 1, expected)
}

fn rayleigh(file: Option<&Spanned<RayleighFile>>, base: Rayleigh) -> Rayleigh {
    let Some(file) = file.map(Spanned::get_ref) else { return base };
    Rayleigh {
        mass: value(&file.mass).unwrap_or(base.mass),
        stiffness: value(&file.stiffness).unwrap_or(base.stiffness),
    }
}

/// Checks the thresholds; if only `refine` is given, `coarsen` keeps its ratio to it.
fn adaptive(file: &AdaptiveFile, base: AdaptiveConfig, problems: &mut Problems) -> AdaptiveConfig {
    let refine = value(&file.refine).unwrap_or(base.refine);
    let coarsen = value(&file.coarsen).unwrap_or(base.coarsen / base.refine * refine);
    let expected = "a whole number of steps from 0 to 1000000";
    let dwell = file.dwell.as_ref();
    let dwell = dwell.and_then(|n| problems.whole("dwell", n, 0..1_000_001, expected));
    AdaptiveConfig { refine, coarsen, dwell: dwell.unwrap_or(base.dwell) }
}

/// Adds a fault for each number that is invalid by itself, at its own position.
fn check_alone(file: &MethodFile, method: MethodConfig, problems: &mut Problems) {
    let default = MethodConfig::default();
    let MethodConfig { tolerance, refactor_threshold, .. } = method;
    let Rayleigh { mass, stiffness } = method.rayleigh;
    let damped =
        |mass, stiffness| MethodConfig { rayleigh: Rayleigh { mass, stiffness }, ..default };
    let adapting = |config| MethodConfig { adaptive: Some(config), ..default };
    let AdaptiveConfig { refine, coarsen, dwell } = method.adaptive.unwrap_or_default();
    let damping = file.rayleigh.as_ref().map(Spanned::get_ref);
    let thresholds = thresholds(file);
    let alone = [
        (file.tolerance.as_ref(), MethodConfig { tolerance, ..default }),
        (file.lazy.as_ref(), MethodConfig { refactor_threshold, ..default }),
        (damping.and_then(|file| file.mass.as_ref()), damped(mass, 0.0)),
        (damping.and_then(|file| file.stiffness.as_ref()), damped(0.0, stiffness)),
        (
            thresholds.and_then(|file| file.refine.as_ref()),
            adapting(AdaptiveConfig { refine, coarsen: 0.0, dwell }),
        ),
        (
            thresholds.and_then(|file| file.coarsen.as_ref()),
            adapting(AdaptiveConfig { refine: f64::MAX, coarsen, dwell }),
        ),
    ];
    for (number, method) in alone {
        if let (Some(number), Err(error @ MethodError::OutOfRange { .. })) =
            (number, method.check())
        {
            problems.add(number.span(), Fault::Method(error));
        }
    }
}

fn thresholds(file: &MethodFile) -> Option<&AdaptiveFile> {
    file.adaptive.as_ref()?.get_ref().table()
}

/// Returns the position of the key that caused an error.
fn error_span(file: &MethodFile, error: &MethodError) -> Option<Range<usize>> {
    let place = |key: &str| match key {
        "adaptive" => file.adaptive.as_ref().map(Spanned::span),
        "mass" => file.mass.as_ref().map(Spanned::span),
        "rayleigh" => file.rayleigh.as_ref().map(Spanned::span),
        "solver" => file.solver.as_ref().map(Spanned::span),
        "rotation" => file.rotation.as_ref().map(Spanned::span),
        _ => file.stepper.as_ref().map(Spanned::span),
    };
    match error {
        MethodError::Thresholds { .. } => {
            let given = thresholds(file)?;
            given.coarsen.as_ref().or(given.refine.as_ref()).map(Spanned::span)
        }
        MethodError::Conflict { one, other, .. } => {
            let keys = ["adaptive", "rayleigh", "mass", "solver", "rotation", "stepper"];
            let named = |text: &str| keys.into_iter().find(|key| text.contains(key));
            [one, other].into_iter().find_map(|text| place(named(text)?))
        }
        MethodError::NothingToAdapt => place("adaptive"),
        _ => place("stepper"),
    }
}

impl MethodSpans {
    /// Takes the positions in the body's table, else in the scene's table, else the name of the body.
    pub(crate) fn new(
        own: Option<&MethodFile>,
        scene: Option<&MethodFile>,
        name: &Range<usize>,
    ) -> Self {
        let files = || own.into_iter().chain(scene);
        let adaptive = files().find_map(|file| file.adaptive.as_ref().map(Spanned::span));
        let stepper = files().find_map(|file| file.stepper.as_ref().map(Spanned::span));
        Self {
            adaptive: adaptive.unwrap_or(name.clone()),
            stepper: stepper.unwrap_or(name.clone()),
        }
    }
}

//! Checks of `start` and `[[body.pull]]`: initial positions and pulls.

use pliant::body::{InitialShape, Motion};
use toml::Spanned;

use crate::scene::check::motion::ramp;
use crate::scene::check::problems::Problems;
use crate::scene::file::body::{PullFile, StartFile};
use crate::scene::plan::body::PullPlan;
use crate::scene::plan::mode::Mode;
use crate::scene::problem::fault::Fault;

/// Checks `start = { … }`.
pub(crate) fn start(
    file: &Spanned<StartFile>,
    mode: Mode,
    problems: &mut Problems,
) -> Option<InitialShape> {
    let StartFile { scale, about, scatter } = file.get_ref();
    if mode == Mode::Static {
        let when =
            "in a static scene, which is solved from rest; it belongs to `mode = \"dynamic\"`";
        problems.add(file.span(), Fault::NoEffect { key: "start", when });
        return None;
    }
    match (scale, scatter) {
        (Some(scale), None) => {
            let expected = "three finite numbers of at most 1e6; 0 flattens, below 0 inverts";
            let fits = |factors: glam::DVec3| factors.abs().max_element() <= 1e6;
            let factors = problems.triple_where("scale", scale, expected, fits);
            let about = match about {
                Some(point) => Some(problems.position("about", point)?),
                None => None,
            };
            Some(InitialShape::Scaled { factors: factors?, about })
        }
        (None, Some(seed)) => {
            if let Some(about) = about {
                let when = "with `scatter`; it belongs to `scale`";
                problems.add(about.span(), Fault::NoEffect { key: "about", when });
            }
            Some(InitialShape::Scattered { seed: seed.cast_unsigned() })
        }
        _ => {
            let count = usize::from(scale.is_some()) + usize::from(scatter.is_some());
            let (what, choices) = ("a start", "`scale`, `scatter`");
            problems.add(file.span(), Fault::NotExactlyOne { what, count, choices });
            None
        }
    }
}

/// Checks `[[body.pull]]`.
pub(crate) fn pull(
    file: &Spanned<PullFile>,
    mode: Mode,
    duration: f64,
    problems: &mut Problems,
) -> Option<PullPlan> {
    let PullFile { at, motion, stiffness, damping } = file.get_ref();
    if mode == Mode::Static {
        let when = "in a static scene; it belongs to `mode = \"dynamic\"`, where `damping` lets it come to rest";
        problems.add(file.span(), Fault::NoEffect { key: "body.pull", when });
        return None;
    }
    let strong = "a finite number from 0 to 1e15";
    let fits = |value: f64| (0.0..=1e15).contains(&value);
    let point = problems.position("at", at);
    let stiffness = problems.number("stiffness", stiffness, strong, fits);
    let damping = damping.as_ref();
    let damping = damping.map_or(Some(0.0), |d| problems.number("damping", d, strong, fits));
    let ramps: Vec<_> = motion.iter().map(|file| ramp(file, duration, problems)).collect();
    let motion = Motion { ramps: ramps.into_iter().collect::<Option<_>>()? };
    let at = Spanned::new(at.span(), point?);
    Some(PullPlan { at, motion, stiffness: stiffness?, damping: damping? })
}

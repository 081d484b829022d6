//! Checks of the wind.

use pliant::force::{Gusts, Wind};
use toml::Spanned;

use super::file::{Number, WindFile};
use super::problems::Problems;

/// Checks `[wind]`; `None` if one of its numbers is invalid.
pub(super) fn wind(file: &WindFile, problems: &mut Problems) -> Option<Wind> {
    let WindFile { velocity, density, drag, friction, gusts, gust_length, seed, start, end } = file;
    let default = Wind::default();
    let velocity = problems.velocity(velocity);
    let mut number = |key, given: &Option<Number>, default: f64, (low, high), expected| {
        let within = |value: f64| (low..=high).contains(&value);
        given.as_ref().map_or(Some(default), |n| problems.number(key, n, expected, within))
    };
    let coefficient = "a number from 0 to 1000";
    let density = number("density", density, 1.2, (0.0, 1e6), "a number from 0 to 1e6, in kg/m³");
    let drag = number("drag", drag, default.drag, (0.0, 1e3), coefficient);
    let friction = number("friction", friction, default.friction, (0.0, 1e3), coefficient);
    let strength = number("gusts", gusts, 0.0, (0.0, 100.0), "a number from 0 to 100");
    let (usual, lengths) = (default.gusts.length, (1e-6, 1e9));
    let length =
        number("gust_length", gust_length, usual, lengths, "a number from 1e-6 to 1e9, in m");
    let start = number("start", start, default.start, (0.0, 1e9), "a time from 0 to 1e9 s");
    let earliest = start.unwrap_or(0.0).max(0.0);
    let after = "a time after `start`, at most 1e9 s";
    let end = number("end", end, default.end, (earliest, 1e9), after);
    let seeds = "a whole number from 0 to 4294967295";
    let seed = whole(seed.as_ref(), seeds, problems);
    let gusts = Gusts { strength: strength?, length: length?, seed: seed? };
    Some(Wind {
        velocity: velocity?,
        density: density?,
        drag: drag?,
        friction: friction?,
        gusts,
        start: start?,
        end: end?,
    })
}

fn whole(
    seed: Option<&Spanned<i64>>,
    expected: &'static str,
    problems: &mut Problems,
) -> Option<u64> {
    let Some(seed) = seed else { return Some(0) };
    problems.whole("seed", seed, 0..1 << 32, expected).map(u64::from)
}

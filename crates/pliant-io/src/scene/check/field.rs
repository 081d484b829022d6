//! Checks of wind, explosions and force fields.

use glam::DVec3;
use pliant::force::{Blast, FieldError, FieldKind, ForceField, Gusts, Wind};
use toml::Spanned;

use super::problems::Problems;
use crate::scene::file::field::{BlastFile, FieldFile, WindFile};
use crate::scene::problem::fault::Fault;
use crate::scene::read::value::Number;

/// Checks `[wind]`; `None` if one of its numbers is invalid.
pub(crate) fn wind(file: &WindFile, problems: &mut Problems) -> Option<Wind> {
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

/// Checks `[[blast]]`.
pub(crate) fn blast(file: &Spanned<BlastFile>, problems: &mut Problems) -> Option<Blast> {
    let BlastFile { centre, radius, impulse, time } = file.get_ref();
    let centre = problems.position("centre", centre);
    let radius = problems.positive("radius", radius);
    let strong = "a number from -1e12 to 1e12, in N·s/m²";
    let impulse = problems.number("impulse", impulse, strong, |value| value.abs() <= 1e12);
    let late = "a time from 0 to 1e9 s";
    let time = time.as_ref().map_or(Some(0.0), |time| {
        problems.number("time", time, late, |value| (0.0..=1e9).contains(&value))
    });
    let blast = Blast { centre: centre?, radius: radius?, impulse: impulse?, time: time? };
    checked(blast.check(), file, problems).map(|()| blast)
}

/// Checks `[[field]]`.
pub(crate) fn field(file: &Spanned<FieldFile>, problems: &mut Problems) -> Option<ForceField> {
    let FieldFile { centre, radius, steady, towards, swirl, start, end } = file.get_ref();
    let default = ForceField::default();
    let count = [steady.is_some(), towards.is_some(), swirl.is_some()];
    let count = count.into_iter().filter(|given| *given).count();
    if count != 1 {
        let choices = "`steady`, `towards` or `swirl`";
        problems.add(file.span(), Fault::NotExactlyOne { what: "a force field", count, choices });
        return None;
    }
    let kind = match (steady, towards, swirl) {
        (Some(by), _, _) => problems.triple("steady", by).map(FieldKind::Steady),
        (_, Some(strength), _) => Some(FieldKind::Towards(*strength.get_ref())),
        (_, _, Some(swirl)) => problems
            .direction("axis", &swirl.axis)
            .map(|axis| FieldKind::Swirl { axis, strength: *swirl.strength.get_ref() }),
        _ => None,
    };
    let centre = centre.as_ref().map_or(Some(DVec3::ZERO), |c| problems.position("centre", c));
    let radius = problems.positive_or("radius", radius, default.radius);
    let field = ForceField {
        centre: centre?,
        radius: radius?,
        kind: kind?,
        start: start.as_ref().map_or(default.start, |start| *start.get_ref()),
        end: end.as_ref().map_or(default.end, |end| *end.get_ref()),
    };
    checked(field.check(), file, problems).map(|()| field)
}

fn checked<T>(
    result: Result<(), FieldError>,
    file: &Spanned<T>,
    problems: &mut Problems,
) -> Option<()> {
    result.map_err(|error| problems.add(file.span(), Fault::Field(error))).ok()
}

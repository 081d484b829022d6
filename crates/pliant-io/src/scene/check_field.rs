//! Checks of explosions and force fields.

use glam::DVec3;
use pliant::force::{Blast, FieldError, FieldKind, ForceField};
use toml::Spanned;

use super::fault::Fault;
use super::problems::Problems;
use super::toughness_file::{BlastFile, FieldFile};

/// Checks `[[blast]]`.
pub(super) fn blast(file: &Spanned<BlastFile>, problems: &mut Problems) -> Option<Blast> {
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
pub(super) fn field(file: &Spanned<FieldFile>, problems: &mut Problems) -> Option<ForceField> {
    let FieldFile { centre, radius, steady, towards, swirl, start, end } = file.get_ref();
    let default = ForceField::default();
    let count = [steady.is_some(), towards.is_some(), swirl.is_some()];
    let count = count.into_iter().filter(|given| *given).count();
    if count != 1 {
        let choices = "`steady`, `towards` or `swirl`";
        problems.add(file.span(), Fault::NotOne { what: "a force field", count, choices });
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

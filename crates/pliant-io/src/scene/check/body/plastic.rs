//! Checks of plastic flow.

use std::ops::Range;

use pliant::material::Plastic;
use toml::Spanned;

use crate::scene::check::problems::Problems;
use crate::scene::file::material::PlasticFile;
use crate::scene::problem::fault::Fault;
use crate::scene::read::shorthand::FlagOr;
use crate::scene::read::value::Number;

/// Checks the plastic flow of a material; `Some(None)` for `plastic = false`, which a region of a plastic body can
/// use.
pub(crate) fn plastic(
    file: &Spanned<FlagOr<PlasticFile>>,
    problems: &mut Problems,
) -> Option<Option<Plastic>> {
    match file.get_ref() {
        FlagOr::Flag(false) => Some(None),
        FlagOr::Flag(true) => {
            problems.add(file.span(), MISSING_YIELD);
            None
        }
        FlagOr::Table(table) => flow(table, file.span(), problems).map(Some),
    }
}

/// Reads the table of a plastic flow; its numbers are checked later, with those of the material.
fn flow(file: &PlasticFile, span: Range<usize>, problems: &mut Problems) -> Option<Plastic> {
    let PlasticFile { yield_stress, hardening, yield_strain, rate, limit } = file;
    let (value, or) = (
        |number: &Number| *number.get_ref(),
        |number: &Option<Number>, default| number.as_ref().map_or(default, |n| *n.get_ref()),
    );
    let limit = or(limit, f64::INFINITY);
    match (yield_stress, yield_strain) {
        (Some(stress), None) => {
            let fits = no_effect("rate", rate, "with `yield_stress`", problems);
            let yield_stress = value(stress);
            fits.then_some(Plastic::Hardening {
                yield_stress,
                hardening: or(hardening, 0.0),
                limit,
            })
        }
        (None, Some(strain)) => {
            let fits = no_effect("hardening", hardening, "with `yield_strain`", problems);
            let Some(rate) = rate else {
                problems.add(span, MISSING_RATE);
                return None;
            };
            let (yield_strain, rate) = (value(strain), value(rate));
            fits.then_some(Plastic::Creep { yield_strain, rate, limit })
        }
        (first, _) => {
            let count = if first.is_some() { 2 } else { 0 };
            let choices = "`yield_stress` (hardening) or `yield_strain` (creep)";
            problems.add(span, Fault::NotExactlyOne { what: "a plastic flow", count, choices });
            None
        }
    }
}

const MISSING_YIELD: Fault = Fault::Missing {
    what: "the `yield_stress` or `yield_strain` of the plastic flow",
    example: "plastic = { yield_stress = 1e4, hardening = 1e3 }",
};

const MISSING_RATE: Fault =
    Fault::Missing { what: "the creep's `rate`, in 1/s", example: "rate = 1" };

/// Adds a fault for a key without effect; returns true if the key is not given.
fn no_effect(
    key: &'static str,
    number: &Option<Number>,
    when: &'static str,
    problems: &mut Problems,
) -> bool {
    if let Some(number) = number {
        problems.add(number.span(), Fault::NoEffect { key, when });
    }
    number.is_none()
}

//! Checks of transforms and motions.

use glam::{DAffine3, DQuat, DVec3};
use pliant::body::{Action, Ramp};
use toml::Spanned;

use super::problems::Problems;
use crate::scene::file::motion::{RampFile, RotateFile};
use crate::scene::problem::fault::Fault;
use crate::scene::read::value::{Number, Triple};

/// Checks a transform: scale, then rotation, then translation.
pub(crate) fn affine_transform(
    (scale, rotate, translate): (&Option<Number>, &Option<RotateFile>, &Option<Triple>),
    problems: &mut Problems,
) -> Option<DAffine3> {
    let scale = scale.as_ref().map_or(Some(1.0), |scale| problems.positive("scale", scale));
    let translate = translate.as_ref();
    let translate = translate.map_or(Some(DVec3::ZERO), |by| problems.triple("translate", by));
    let rotate =
        rotate.as_ref().map_or(Some((DVec3::ZERO, DVec3::Y, 0.0)), |file| rotation(file, problems));
    let (centre, axis, angle) = rotate?;
    let turn = DQuat::from_axis_angle(axis, angle);
    let about_centre = DAffine3::from_translation(centre)
        * DAffine3::from_quat(turn)
        * DAffine3::from_translation(-centre);
    let scale = DAffine3::from_scale(DVec3::splat(scale?));
    Some(DAffine3::from_translation(translate?) * about_centre * scale)
}

/// Checks a rotation; returns centre, unit axis and angle in rad.
pub(crate) fn rotation(file: &RotateFile, problems: &mut Problems) -> Option<(DVec3, DVec3, f64)> {
    let RotateFile { centre, axis, angle_deg } = file;
    let centre = centre.as_ref().map_or(Some(DVec3::ZERO), |at| problems.position("centre", at));
    let axis = problems.direction("axis", axis);
    let angle = problems.number("angle_deg", angle_deg, "a finite number of degrees", |_| true);
    Some((centre?, axis?, angle?.to_radians()))
}

/// Checks one ramp; by default it lasts for the whole scene.
pub(crate) fn ramp(
    file: &Spanned<RampFile>,
    duration: f64,
    problems: &mut Problems,
) -> Option<Ramp> {
    let span = file.span();
    let RampFile { start, end, translate, rotate } = file.get_ref();
    let from_zero = "a finite number of 0 or more, in s";
    let start = start.as_ref().map_or(Some(0.0), |start| {
        problems.number("start", start, from_zero, |value| value >= 0.0)
    })?;
    let end = end.as_ref().map_or(Some(duration.max(start)), |end| {
        problems.number("end", end, "a finite number, not before `start`", |end| end >= start)
    });
    let action = match (translate, rotate) {
        (Some(by), None) => problems.position("translate", by).map(Action::Translate),
        (None, Some(file)) => rotation(file, problems)
            .map(|(centre, axis, angle)| Action::Rotate { centre, axis, angle }),
        _ => {
            let count = usize::from(translate.is_some()) + usize::from(rotate.is_some());
            let choices = "`translate`, `rotate`";
            problems.add(span, Fault::NotExactlyOne { what: "a motion", count, choices });
            None
        }
    };
    Some(Ramp { start, end: end?, action: action? })
}

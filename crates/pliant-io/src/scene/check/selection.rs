//! Checks of selections.

use std::ops::Range;
use std::path::PathBuf;

use glam::DVec3;
use toml::Spanned;

use super::colour::colour;
use super::problems::Problems;
use crate::scene::file::selection::{Selector, ShapeFile};
use crate::scene::plan::selection::Selection;
use crate::scene::problem::fault::Fault;

/// Checks a selection by name or shape.
pub(crate) fn selection(
    file: &Spanned<Selector>,
    problems: &mut Problems,
) -> Option<Spanned<Selection>> {
    let span = file.span();
    let selection = match file.get_ref() {
        Selector::Name(name) => Some(Selection::Named(name.clone())),
        Selector::Shape(shape) => shape_selection(shape, &span, problems),
    };
    Some(Spanned::new(span, selection?))
}

fn shape_selection(
    file: &ShapeFile,
    span: &Range<usize>,
    problems: &mut Problems,
) -> Option<Selection> {
    let ShapeFile { block, sphere, half_space, surface, colour: paint } = file;
    let given = [
        block.is_some(),
        sphere.is_some(),
        half_space.is_some(),
        surface.is_some(),
        paint.is_some(),
    ];
    let count = given.into_iter().filter(|given| *given).count();
    if count != 1 {
        let choices = "`box`, `sphere`, `half_space`, `surface`, `colour`";
        let fault = Fault::NotExactlyOne { what: "a shape to select with", count, choices };
        problems.add(span.clone(), fault);
        return None;
    }
    if let Some(file) = block {
        let min = problems.triple("min", &file.min)?;
        let expected = "no coordinate below that of `min`";
        let above = |max: DVec3| max.cmpge(min).all();
        let max = problems.triple_where("max", &file.max, expected, above)?;
        return Some(Selection::Box { min, max });
    }
    if let Some(file) = sphere {
        let centre = problems.triple("centre", &file.centre);
        let radius = problems.positive("radius", &file.radius);
        return Some(Selection::Sphere { centre: centre?, radius: radius? });
    }
    if let Some(file) = half_space {
        let point = problems.triple("point", &file.point);
        let normal = problems.direction("normal", &file.normal);
        return Some(Selection::HalfSpace { point: point?, normal: normal? });
    }
    if let Some(path) = surface {
        return Some(Selection::Enclosed(PathBuf::from(path.get_ref())));
    }
    let paint = colour(paint.as_ref()?, problems)?;
    Some(Selection::Painted(paint.map(|byte| f32::from(byte) / 255.0)))
}

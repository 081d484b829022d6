//! Builds tetrahedra from a surface.

use pliant::geometry::Surface;
use pliant_mesher::Embedding;
use pliant_mesher::tets::{SizeRule, SizeSource, TetConfig, TetError, Tetrahedra, tetrahedra_with};
use toml::Spanned;

use super::chooser::{Chooser, Files, PAINT_TOLERANCE};
use super::meshed::Meshed;
use crate::scene::plan::body::BodyPlan;
use crate::scene::plan::surface::FinerPlan;
use crate::scene::problem::fault::Fault;

/// Builds tetrahedra from a surface; an error carries its position in the text.
pub(crate) fn meshed(
    body: &BodyPlan,
    surface: Surface,
    config: &TetConfig,
    finer: &[FinerPlan],
    files: &Files<'_>,
) -> Result<Meshed, Box<Spanned<Fault>>> {
    let (low, high) = surface.bounds();
    let choosers = choosers(finer, files, (high - low).length())?;
    let Tetrahedra { mesh, places, .. } = sized(&surface, config, finer, &choosers)
        .map_err(|error| placed(error, body, &surface, finer))?;
    let embedding = Some(Embedding { surface, places });
    Ok(Meshed { mesh, contents: None, embedding })
}

fn choosers(
    finer: &[FinerPlan],
    files: &Files<'_>,
    size: f64,
) -> Result<Vec<Chooser>, Box<Spanned<Fault>>> {
    let chooser = |place: &FinerPlan| {
        Chooser::new(place.selection.get_ref(), files, size)
            .map_err(|fault| Box::new(Spanned::new(place.selection.span(), fault)))
    };
    finer.iter().map(chooser).collect()
}

fn sized(
    surface: &Surface,
    config: &TetConfig,
    finer: &[FinerPlan],
    choosers: &[Chooser],
) -> Result<Tetrahedra, TetError> {
    let choices: Vec<_> =
        choosers.iter().map(|chooser| move |x| chooser.chooses(x, None)).collect();
    let rules: Vec<SizeRule<'_>> = finer
        .iter()
        .zip(choosers.iter().zip(&choices))
        .map(|(place, (chooser, choice))| {
            let source = match chooser {
                Chooser::Painted(colour) => {
                    SizeSource::Painted { colour: *colour, tolerance: PAINT_TOLERANCE }
                }
                _ => SizeSource::Region(choice),
            };
            SizeRule { size: place.size, source }
        })
        .collect();
    tetrahedra_with(surface, config, &rules)
}

/// Returns the fault at the position of the key that caused it.
fn placed(
    error: TetError,
    body: &BodyPlan,
    surface: &Surface,
    finer: &[FinerPlan],
) -> Box<Spanned<Fault>> {
    match error {
        TetError::NotPainted { rule, .. } => {
            Box::new(Spanned::new(finer[rule].selection.span(), error.into()))
        }
        TetError::NothingThere { rule } => {
            let (min, max) = surface.bounds();
            let (what, of, body) = ("`finer`", "cell", body.name.clone());
            let fault = Fault::EmptySelection { what, of, body, min, max };
            Box::new(Spanned::new(finer[rule].selection.span(), fault))
        }
        error => Box::new(Spanned::new(body.mesh.span.clone(), error.into())),
    }
}

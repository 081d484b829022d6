//! Builds tetrahedra from a surface.

use pliant::geometry::Surface;
use pliant_mesher::Embedding;
use pliant_mesher::tets::{SizeRule, SizeSource, TetConfig, TetError, Tetrahedra, tetrahedra_with};
use toml::Spanned;

use super::body_mesh::BodyMesh;
use super::point_selector::{Files, PAINT_TOLERANCE, PointSelector};
use crate::scene::plan::body::BodyPlan;
use crate::scene::plan::surface::FinerPlan;
use crate::scene::problem::fault::Fault;

/// Builds tetrahedra from a surface; an error carries its position in the text.
pub(crate) fn body_mesh(
    body: &BodyPlan,
    surface: Surface,
    config: &TetConfig,
    finer: &[FinerPlan],
    files: &Files<'_>,
) -> Result<BodyMesh, Box<Spanned<Fault>>> {
    let (low, high) = surface.bounds();
    let selectors = selectors(finer, files, (high - low).length())?;
    let Tetrahedra { mesh, places, .. } = mesh_with_sizes(&surface, config, finer, &selectors)
        .map_err(|error| at_key(error, body, &surface, finer))?;
    let embedding = Some(Embedding { surface, places });
    Ok(BodyMesh { embedding, ..BodyMesh::from(mesh) })
}

fn selectors(
    finer: &[FinerPlan],
    files: &Files<'_>,
    size: f64,
) -> Result<Vec<PointSelector>, Box<Spanned<Fault>>> {
    let selector = |place: &FinerPlan| {
        PointSelector::new(place.selection.get_ref(), files, size)
            .map_err(|fault| Box::new(Spanned::new(place.selection.span(), fault)))
    };
    finer.iter().map(selector).collect()
}

fn mesh_with_sizes(
    surface: &Surface,
    config: &TetConfig,
    finer: &[FinerPlan],
    selectors: &[PointSelector],
) -> Result<Tetrahedra, TetError> {
    let choices: Vec<_> =
        selectors.iter().map(|selector| move |x| selector.selects(x, None)).collect();
    let rules: Vec<SizeRule<'_>> = finer
        .iter()
        .zip(selectors.iter().zip(&choices))
        .map(|(place, (selector, choice))| {
            let source = match selector {
                PointSelector::Painted(colour) => {
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
fn at_key(
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

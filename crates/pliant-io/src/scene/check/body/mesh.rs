//! Checks of the source of a mesh.

use std::ops::Range;
use std::path::PathBuf;

use toml::Spanned;

use super::shape::shape;
use super::surface;
use crate::scene::check::problems::Problems;
use crate::scene::file::mesh::MeshFile;
use crate::scene::plan::mesh::{MeshPlan, MeshSource};
use crate::scene::problem::fault::Fault;

/// Checks `[body.mesh]`.
pub(crate) fn mesh(file: &Spanned<MeshFile>, problems: &mut Problems) -> Option<MeshPlan> {
    let span = file.span();
    let file = file.get_ref();
    let refine = file.refine.as_ref().map_or(Some(0), |refine| {
        problems.whole("refine", refine, 0..9, "a whole number from 0 to 8")
    });
    let degree = match &file.degree {
        Some(degree) => Some(problems.whole("degree", degree, 1..4, "1, 2 or 3")? as usize),
        None => None,
    };
    let source = source(file, &span, degree, problems)?;
    let refine = refine?;
    if let (MeshSource::Surface(_), Some(key)) = (&source, &file.refine) {
        let when = "on a mesh made from a surface; give a smaller size";
        problems.add(key.span(), Fault::NoEffect { key: "refine", when });
        return None;
    }
    if let MeshSource::Shape(shape) = &source {
        let nodes = shape.estimated_nodes() * f64::from(8_u32.pow(refine));
        if !problems.add_nodes(span.clone(), nodes) {
            return None;
        }
        if let Err(error) = shape.check() {
            problems.add(span, error.into());
            return None;
        }
    }
    Some(MeshPlan { source, degree, refine, span })
}

/// Checks the source of a mesh, of which there must be exactly one.
fn source(
    file: &MeshFile,
    span: &Range<usize>,
    degree: Option<usize>,
    problems: &mut Problems,
) -> Option<MeshSource> {
    let MeshFile { file: path, block, ball, torus, curved_bar, helix, fin, sculpture, .. } = file;
    let MeshFile { surface, figure, .. } = file;
    let given = [
        path.is_some(),
        block.is_some(),
        ball.is_some(),
        torus.is_some(),
        curved_bar.is_some(),
        helix.is_some(),
        fin.is_some(),
        sculpture.is_some(),
        surface.is_some(),
        figure.is_some(),
    ];
    let count = given.into_iter().filter(|given| *given).count();
    if count != 1 {
        let choices = "`file`, `box`, `ball`, `torus`, `curved-bar`, `helix`, `fin`, `sculpture`, `surface`, `figure`";
        problems.add(span.clone(), Fault::NotExactlyOne { what: "a mesh", count, choices });
        return None;
    }
    if surface.is_some() || figure.is_some() {
        let plan = surface::surface(file, degree, problems)?;
        return Some(MeshSource::Surface(Box::new(plan)));
    }
    without_mesher(file, problems)?;
    match path {
        Some(path) => Some(MeshSource::File(PathBuf::from(path.get_ref()))),
        None => shape(file, degree, problems).map(MeshSource::Shape),
    }
}

/// Adds a fault for keys that need a surface.
fn without_mesher(file: &MeshFile, problems: &mut Problems) -> Option<()> {
    let MeshFile { edge, voxels, tetrahedra, .. } = file;
    let spans = [
        ("edge", edge.as_ref().map(Spanned::span)),
        ("voxels", voxels.as_ref().map(Spanned::span)),
        ("tetrahedra", tetrahedra.as_ref().map(Spanned::span)),
    ];
    let Some((key, span)) = spans.into_iter().find_map(|(key, span)| Some((key, span?))) else {
        return Some(());
    };
    let when = "without a `surface` or `figure` to make a mesh from";
    problems.add(span, Fault::NoEffect { key, when });
    None
}

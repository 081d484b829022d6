//! Selections prepared for queries.

use std::path::Path;

use glam::{DAffine3, DVec3};
use pliant_mesher::SurfaceTree;

use super::surface::surface;
use crate::scene::plan::body::RegionPlan;
use crate::scene::plan::selection::Selection;
use crate::scene::plan::surface::SurfaceSource;
use crate::scene::problem::fault::Fault;

/// Tolerance for points outside a shape, relative to the size of the mesh.
pub(crate) const SELECTION_TOLERANCE: f64 = 1e-9;

/// Tolerance per colour channel for painted vertices.
pub(crate) const PAINT_TOLERANCE: f32 = 0.02;

/// The folder of the scene files and the transform of their contents.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Files<'a> {
    /// The folder of the scene.
    pub(crate) base: &'a Path,
    /// Transform from the coordinates of a body's files to those of the scene.
    pub(crate) world_from_mesh: &'a DAffine3,
}

/// A selection by position or colour, prepared for queries.
pub(crate) enum PointSelector {
    /// Points in a simple shape, with a tolerance in m.
    Shape(Selection, f64),
    /// Points inside a surface.
    Enclosed(SurfaceTree),
    /// Points of a colour.
    Painted([f32; 3]),
}

impl PointSelector {
    /// Prepares a selection that is not a name, for a body of this size in m.
    pub(crate) fn new(selection: &Selection, files: &Files<'_>, size: f64) -> Result<Self, Fault> {
        Ok(match selection {
            Selection::Named(name) => {
                let (what, name) = ("region", name.clone());
                return Err(Fault::UnknownName { what, name, known: Vec::new() });
            }
            Selection::Enclosed(path) => {
                let source = SurfaceSource::File(path.clone());
                let surface = surface(&source, files.base, files.world_from_mesh)?;
                Self::Enclosed(SurfaceTree::new(&surface)?)
            }
            Selection::Painted(colour) => Self::Painted(*colour),
            shape => Self::Shape(shape.clone(), SELECTION_TOLERANCE * size),
        })
    }

    /// Prepares the selection of a region of a body of this size in m.
    pub(crate) fn of_region(
        region: &RegionPlan,
        files: &Files<'_>,
        size: f64,
    ) -> Result<Self, Fault> {
        match &region.selection {
            Some(selection) => Self::new(selection.get_ref(), files, size),
            None => Self::new(&Selection::Named(region.name.get_ref().clone()), files, size),
        }
    }

    /// Returns true if the point, or its colour, is selected.
    pub(crate) fn selects(&self, x: DVec3, colour: Option<[f32; 3]>) -> bool {
        match self {
            Self::Shape(selection, tolerance) => contains(selection, x, *tolerance),
            Self::Enclosed(tree) => tree.winding(x) > 0.5,
            Self::Painted(wanted) => colour.is_some_and(|colour| {
                colour.iter().zip(wanted).all(|(a, b)| (a - b).abs() <= PAINT_TOLERANCE)
            }),
        }
    }

    /// Returns an error for a selection by colour: nodes and cells have no colour.
    pub(crate) fn without_colour(self) -> Result<Self, Fault> {
        if let Self::Painted(_) = self { Err(Fault::NoColour) } else { Ok(self) }
    }
}

fn contains(selection: &Selection, x: DVec3, tolerance: f64) -> bool {
    match selection {
        Selection::Named(_) | Selection::Enclosed(_) | Selection::Painted(_) => false,
        Selection::Box { min, max } => {
            x.cmpge(*min - tolerance).all() && x.cmple(*max + tolerance).all()
        }
        Selection::Sphere { centre, radius } => x.distance(*centre) <= radius + tolerance,
        Selection::HalfSpace { point, normal } => (x - *point).dot(*normal) >= -tolerance,
    }
}

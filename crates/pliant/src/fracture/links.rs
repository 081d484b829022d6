//! Transfer of material points from a body to its fragment.

use crate::body::{MaterialPoint, Model, Pull};
use pliant_mesh::mesh::Fragment;

/// Maps material points of a body to a fragment of it.
pub(crate) struct Links<'a> {
    part: &'a Fragment,
    model: &'a Model,
}

impl<'a> Links<'a> {
    pub(crate) fn of(part: &'a Fragment, model: &'a Model) -> Self {
        Self { part, model }
    }

    /// The same point in the fragment, or `None` if the fragment does not have its cell.
    pub(crate) fn point(&self, point: &MaterialPoint) -> Option<MaterialPoint> {
        let cell = self.part.cell(point.cell)?;
        let nodes = self.model.mesh().cell(cell as usize).1.to_vec();
        Some(MaterialPoint { cell, nodes, weights: point.weights.clone() })
    }

    /// The same pull on the fragment, or `None` if the fragment does not have its cell.
    pub(crate) fn pull(&self, pull: &Pull) -> Option<Pull> {
        Some(Pull { point: self.point(&pull.point)?, ..pull.clone() })
    }
}

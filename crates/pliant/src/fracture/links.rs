//! Points of an unbroken body, found again in a fragment.

use crate::body::{MaterialPoint, Model, Pull};
use pliant_mesh::mesh::Part;

/// Carries points of a whole over to a part of it.
pub(crate) struct Links<'a> {
    part: &'a Part,
    model: &'a Model,
}

impl<'a> Links<'a> {
    pub(crate) fn of(part: &'a Part, model: &'a Model) -> Self {
        Self { part, model }
    }

    /// A point in a cell of the whole, if the part has that.
    pub(crate) fn point(&self, point: &MaterialPoint) -> Option<MaterialPoint> {
        let cell = self.part.cell(point.cell)?;
        let nodes = self.model.mesh().cell(cell as usize).1.to_vec();
        Some(MaterialPoint { cell, nodes, weights: point.weights.clone() })
    }

    /// The same for a pull.
    pub(crate) fn pull(&self, pull: &Pull) -> Option<Pull> {
        Some(Pull { point: self.point(&pull.point)?, ..pull.clone() })
    }
}

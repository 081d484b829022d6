//! The result of a new rest shape.

use crate::body::model::model::Model;

/// A model with a new rest shape.
#[derive(Debug, Clone)]
pub struct Annealed {
    /// The model.
    pub model: Model,
    /// Cells that keep their old rest shape, in ascending order: those that could not be certified valid in the new shape, and
    /// neighbours that could not be certified next to them.
    pub kept: Vec<u32>,
}

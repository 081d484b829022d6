//! The unbroken body that a fragment comes from.

use std::sync::Arc;

use glam::DVec3;

use crate::body::hold::pin::Pin;
use crate::body::model::model::Model;
use pliant_mesh::mesh::Part;

/// The constant parts of a body before it broke.
#[derive(Debug)]
pub(crate) struct Whole {
    pub(crate) name: String,
    pub(crate) model: Arc<Model>,
    /// Rest positions of the nodes before any shape was committed, in m.
    pub(crate) anchors: Arc<[DVec3]>,
    pub(crate) pins: Vec<Pin>,
}

/// The unbroken body of a fragment, and the cells and nodes of it that the fragment has.
#[derive(Debug, Clone)]
pub(crate) struct PartOf {
    pub(crate) whole: Arc<Whole>,
    pub(crate) part: Part,
}

//! The unbroken body that a fragment comes from.

use std::sync::{Arc, OnceLock};

use glam::DVec3;

use crate::body::flow::flow_state::FlowState;
use crate::body::fracture::splinters::Splinters;
use crate::body::hold::pin::Pin;
use crate::body::model::model::Model;
use pliant_mesh::mesh::Fragment;

/// A body before it broke.
#[derive(Debug)]
pub(crate) struct Whole {
    pub(crate) name: String,
    pub(crate) model: Arc<Model>,
    /// Its plastic flow when it broke.
    pub(crate) flow: Option<FlowState>,
    /// Rest positions of the nodes before any shape was committed, in m.
    pub(crate) anchors: Arc<[DVec3]>,
    pub(crate) pins: Vec<Pin>,
}

/// The unbroken body of a fragment, and the cells and nodes of it that the fragment has.
#[derive(Debug)]
pub(crate) struct PartOf {
    pub(crate) whole: Arc<Whole>,
    pub(crate) part: Fragment,
    /// The model of the fragment when it came off, in whose rest shape its surface is made.
    pub(crate) model: Arc<Model>,
    /// Faces that a break opened, each as a cell and the number of the face in it, in ascending order.
    pub(crate) fresh_faces: Vec<[u32; 2]>,
    /// The drawn surface, made when it is first asked for: the step that breaks a body must not spend time on surfaces
    /// that may never be drawn.
    pub(crate) splinters: OnceLock<Option<Splinters>>,
}

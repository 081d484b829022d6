//! Where a body was before the last step, and its triangles.

use bevy_ecs::component::Component;
use pliant::Body;
use pliant::glam::DVec3;

use super::creases::Creased;

/// What drawing a body needs beside its state.
#[derive(Component, Debug, Default)]
pub(crate) struct DrawnBody {
    /// Positions of the nodes before the last step, in m.
    before: Vec<DVec3>,
    /// The positions that are drawn: between those before and after the last step.
    nodes: Vec<DVec3>,
    /// The version of the body that the triangles belong to; `None` before the first one.
    version: Option<u64>,
    /// True if the body has not moved since it was drawn.
    is_up_to_date: bool,
    pub(super) creased: Creased,
}

impl DrawnBody {
    /// Stores the positions of the nodes before a step. Nothing is copied for a body that rests.
    pub(crate) fn store(&mut self, nodes: &[DVec3]) {
        if self.before != nodes {
            self.before.clear();
            self.before.extend_from_slice(nodes);
        }
    }

    /// Places the nodes at a fraction of the way through the last step; returns false if they are there already.
    ///
    /// Vertices are combinations of nodes, `p = H q`, so those of blended nodes are the blended vertices: nodes are blended, which are few, and
    /// not vertices.
    pub(super) fn blend(&mut self, body: &Body, version: Option<u64>, fraction: f64) -> bool {
        let after = &body.state.x;
        let rests = self.before == *after;
        if rests && self.is_up_to_date && self.version == version {
            return false;
        }
        self.nodes.clear();
        if self.before.len() == after.len() {
            let blended = self.before.iter().zip(after).map(|(a, b)| a.lerp(*b, fraction));
            self.nodes.extend(blended);
        } else {
            // A new body, or one that broke: its nodes were others before.
            self.nodes.extend_from_slice(after);
        }
        self.is_up_to_date = rests;
        true
    }

    /// The nodes to draw.
    pub(super) fn nodes(&self) -> &[DVec3] {
        &self.nodes
    }

    /// Makes the triangles again if the body has other cells or another surface than before; returns true if so.
    pub(super) fn renew(&mut self, body: &Body, version: Option<u64>, crease: f64) -> bool {
        if version.is_some() && self.version == version {
            return false;
        }
        self.version = version;
        let skin = body.drawn_skin();
        let mut rest = Vec::new();
        skin.interpolate(&body.model().mesh().nodes, &mut rest);
        self.creased = Creased::new(&rest, skin.triangles(), crease);
        true
    }
}

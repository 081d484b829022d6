//! Pinned nodes of a body.

use glam::DVec3;

use crate::body::body::Body;
use crate::body::hold::pin::Pin;
use crate::math::TimeStep;

impl Body {
    /// What holds it.
    pub fn pins(&self) -> &[Pin] {
        &self.pins
    }

    /// Ends a step to time `t + h`: [pins](Self::place_pins) are where they belong, and what does not deform goes along in one
    /// piece.
    pub fn place_held(&mut self, step: TimeStep) {
        self.place_pins(step);
        self.settle_form();
    }

    /// Puts the pinned nodes where they belong at time `t + h`, with the velocity that took them
    /// there from where they belonged at `t`.
    pub fn place_pins(&mut self, TimeStep { t, h }: TimeStep) {
        let rest = &self.anchors;
        for pin in &self.pins {
            for (k, node) in pin.nodes.iter().map(|node| *node as usize).enumerate() {
                let (from, to) =
                    (pin.position(k, rest[node], t), pin.position(k, rest[node], t + h));
                self.state.x[node] = to;
                self.state.v[node] = (to - from) / h;
            }
        }
    }

    /// Sets `x` of all pinned nodes to where they belong at time `t`.
    pub fn move_pins(&self, t: f64, x: &mut [DVec3]) {
        let rest = &self.anchors;
        for pin in &self.pins {
            for (k, node) in pin.nodes.iter().map(|node| *node as usize).enumerate() {
                x[node] = pin.position(k, rest[node], t);
            }
        }
    }
}

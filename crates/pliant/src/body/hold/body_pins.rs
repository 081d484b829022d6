//! Pinned nodes of a body.

use glam::DVec3;

use crate::body::body::Body;
use crate::body::hold::pin::Pin;
use pliant_kernels::math::TimeStep;

impl Body {
    /// The pins.
    pub fn pins(&self) -> &[Pin] {
        &self.pins
    }

    /// Ends a step to time `t + h`: [places the pins](Self::place_pins), and restores the shape of rigid regions.
    pub(crate) fn place_held(&mut self, step: TimeStep) {
        self.place_pins(step);
        self.settle_form();
    }

    /// Moves pinned nodes to their prescribed positions at time `t + h`. Their velocity is the mean velocity since
    /// `t`.
    pub(crate) fn place_pins(&mut self, TimeStep { t, h }: TimeStep) {
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

    /// Sets `x` of all pinned nodes to their prescribed positions at time `t`.
    pub fn move_pins(&self, t: f64, x: &mut [DVec3]) {
        let rest = &self.anchors;
        for pin in &self.pins {
            for (k, node) in pin.nodes.iter().map(|node| *node as usize).enumerate() {
                x[node] = pin.position(k, rest[node], t);
            }
        }
    }
}

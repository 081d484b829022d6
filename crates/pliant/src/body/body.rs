//! One deformable thing.

use std::sync::Arc;

use glam::DVec3;

use super::{BodyError, Model, Pin, State, Unknowns};

/// A model, where it is now, and what holds it.
#[derive(Debug, Clone)]
pub struct Body {
    name: String,
    model: Arc<Model>,
    pins: Vec<Pin>,
    unknowns: Unknowns,
    /// Positions and velocities.
    pub state: State,
}

impl Body {
    /// A body at rest in the shape of its model.
    pub fn new(
        name: impl Into<String>,
        model: Arc<Model>,
        pins: Vec<Pin>,
    ) -> Result<Self, BodyError> {
        let nodes = &model.mesh().nodes;
        check_pins(&pins, nodes)?;
        let unknowns = Unknowns::with_pins(nodes.len(), &pins);
        let state = State::at_rest(nodes);
        Ok(Self { name: name.into(), model, pins, unknowns, state })
    }

    /// Its name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// What it is made of.
    pub fn model(&self) -> &Arc<Model> {
        &self.model
    }

    /// What holds it.
    pub fn pins(&self) -> &[Pin] {
        &self.pins
    }

    /// Which nodes are free.
    pub fn unknowns(&self) -> &Unknowns {
        &self.unknowns
    }

    /// The same, to tie nodes or let them go.
    pub fn unknowns_mut(&mut self) -> &mut Unknowns {
        &mut self.unknowns
    }

    /// Puts the pinned nodes where they belong at time `t + h`, with the velocity that took them
    /// there from where they belonged at `t`.
    pub fn place_pins(&mut self, t: f64, h: f64) {
        let rest = &self.model.mesh().nodes;
        for pin in &self.pins {
            for &node in &pin.nodes {
                let node = node as usize;
                let (from, to) =
                    (pin.motion.position(rest[node], t), pin.motion.position(rest[node], t + h));
                self.state.x[node] = to;
                self.state.v[node] = (to - from) / h;
            }
        }
    }

    /// Sets `x` of all pinned nodes to where they belong at time `t`.
    pub fn move_pins(&self, t: f64, x: &mut [DVec3]) {
        let rest = &self.model.mesh().nodes;
        for pin in &self.pins {
            for &node in &pin.nodes {
                x[node as usize] = pin.motion.position(rest[node as usize], t);
            }
        }
    }
}

fn check_pins(pins: &[Pin], nodes: &[DVec3]) -> Result<(), BodyError> {
    let mut holder: Vec<Option<usize>> = vec![None; nodes.len()];
    for (index, pin) in pins.iter().enumerate() {
        if pin.nodes.is_empty() {
            return Err(BodyError::EmptyPin { pin: index });
        }
        if let Some(ramp) = pin.motion.ramps.iter().find(|ramp| !ramp.is_sound()) {
            return Err(BodyError::BadRamp { pin: index, ramp: format!("{ramp:?}") });
        }
        for &node in &pin.nodes {
            let (node, node_count) = (node as usize, nodes.len());
            if node >= node_count {
                return Err(BodyError::NoSuchNode { pin: index, node, node_count });
            }
            match holder[node].replace(index) {
                Some(first) if pins[first].motion != pin.motion => {
                    return Err(BodyError::Contradiction { first, second: index, node });
                }
                _ => {}
            }
        }
    }
    Ok(())
}

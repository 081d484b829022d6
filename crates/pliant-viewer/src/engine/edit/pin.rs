//! Adds and removes pins.

use glam::DVec3;
use toml_edit::{Array, InlineTable, TableLike, Value, value};

use crate::engine::order::Refusal;
use crate::engine::table::{list, new_table, sphere, tables, triple};

/// A pin that holds a part of a body in its current place.
#[derive(Debug, Clone)]
pub(crate) struct PinEdit {
    pub(crate) body: usize,
    /// Centre in the rest shape, in m.
    pub(crate) centre: DVec3,
    pub(crate) radius: f64,
    /// Rotation about the centre, and translation after it, from rest to the current place.
    pub(crate) axis: DVec3,
    pub(crate) angle: f64,
    pub(crate) moved: DVec3,
    /// Another pin whose motion is used: two pins that share a node must move alike.
    pub(crate) like: Option<usize>,
    pub(crate) stroke: Option<u32>,
}

impl PinEdit {
    /// Adds the pin to a body.
    pub(super) fn apply(&self, body: &mut dyn TableLike) {
        let Self { centre, radius, .. } = self;
        let mut entry = new_table([("where", sphere(centre.to_array(), *radius))]);
        let Some(pins) = tables(body, "pin") else { return };
        let motion = match self.like.and_then(|like| pins.get(like)) {
            Some(other) => other.get("motion").cloned(),
            None => Some(value(self.motion())).filter(|_| self.moves()),
        };
        motion.map(|motion| entry.insert("motion", motion));
        pins.push(entry);
    }

    fn moves(&self) -> bool {
        self.angle != 0.0 || self.moved != DVec3::ZERO
    }

    /// The motion from the rest shape to the current place, at once.
    fn motion(&self) -> Array {
        let mut motion = Array::new();
        let mut ramp = |key: &str, entry: Value| {
            let mut ramp = InlineTable::new();
            ramp.insert("start", 0.0.into());
            ramp.insert("end", 0.0.into());
            ramp.insert(key, entry);
            motion.push(ramp);
        };
        if self.angle != 0.0 {
            let mut turn = InlineTable::new();
            turn.insert("centre", triple(self.centre.to_array()));
            turn.insert("axis", triple(self.axis.to_array()));
            turn.insert("angle_deg", self.angle.to_degrees().into());
            ramp("rotate", turn.into());
        }
        if self.moved != DVec3::ZERO {
            ramp("translate", triple(self.moved.to_array()));
        }
        motion
    }
}

/// Removes one pin of a body, or all.
pub(super) fn unpin(body: &mut dyn TableLike, pin: Option<usize>) -> Result<(), Refusal> {
    let Some(pin) = pin else {
        body.remove("pin");
        return Ok(());
    };
    let count = list(body, "pin").len();
    if pin >= count {
        let message = format!("there is no pin {pin}, the body has {count}");
        return Err(Refusal::new("unknown-pin", message));
    }
    if let Some(pins) = tables(body, "pin") {
        pins.remove(pin);
    }
    if count == 1 {
        body.remove("pin");
    }
    Ok(())
}

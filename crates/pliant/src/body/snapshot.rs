//! Snapshots of a body.

use std::sync::Arc;

use crate::body::body::Body;
use crate::body::hold::pull::{MIN_PULL_BYTES, Pull};
use crate::persist::{Persist, Reader, SnapshotError, Writer};

/// Everything that changes while the body moves: state, pulls, rest shape and plastic flow.
impl Persist for Body {
    fn save(&self, to: &mut Writer) {
        self.state.save(to);
        to.u32(self.pulls.len() as u32);
        self.pulls.iter().for_each(|pull| pull.save(to));
        let reshaped = self.is_reshaped();
        to.flag(reshaped);
        if reshaped {
            to.vectors(&self.model.mesh().nodes);
            to.f64s(&self.model.rest_volumes());
        }
        to.matrices(&self.model.flowed());
        self.rigid.save(to);
    }

    fn load(&mut self, from: &mut Reader<'_>) -> Result<(), SnapshotError> {
        self.state.load(from)?;
        self.pulls.clear();
        for _ in 0..from.count(MIN_PULL_BYTES)? {
            self.pulls.push(Pull::read(&self.model, from)?);
        }
        let volumes = self.load_shape(from)?;
        let mut flowed = self.model.flowed();
        if from.matrices(&mut flowed)? {
            if !flowed.iter().all(|inverse| inverse.det().is_finite() && inverse.det() > 0.0) {
                return Err(from
                    .bad("a shape at rest of every point that has flowed, not turned inside out"));
            }
            self.own_model().set_flowed(&flowed);
        }
        if let Some(volumes) = volumes {
            self.own_model().set_rest_volumes(&volumes);
        }
        self.rigid.load(from)
    }
}

impl Body {
    /// True if a shape was committed: the rest shape is not the first one.
    fn is_reshaped(&self) -> bool {
        self.model.mesh().nodes[..] != self.anchors[..]
    }

    /// Restores the saved rest shape. Returns the rest volumes of plastic points if it is not the first shape.
    fn load_shape(&mut self, from: &mut Reader<'_>) -> Result<Option<Vec<f64>>, SnapshotError> {
        let reshaped = from.flag()?;
        if !reshaped && !self.is_reshaped() {
            return Ok(None);
        }
        let mut nodes = self.anchors.to_vec();
        if reshaped {
            from.vectors(&mut nodes)?;
        }
        if self.model.mesh().nodes != nodes {
            let model = self.model.at_shape(&nodes);
            self.model = Arc::new(model.map_err(|_| from.bad("a shape that it can rest in"))?);
        }
        if !reshaped {
            return Ok(None);
        }
        let mut volumes = self.model.rest_volumes();
        for volume in &mut volumes {
            *volume = from.f64()?;
        }
        let sound = volumes.iter().all(|volume| volume.is_finite() && *volume >= 0.0);
        if sound { Ok(Some(volumes)) } else { Err(from.bad("volumes of points at rest")) }
    }
}

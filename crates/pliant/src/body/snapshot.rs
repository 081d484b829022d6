//! Snapshots of a body.

use std::sync::Arc;

use crate::body::body::Body;
use crate::body::hold::pull::{MIN_PULL_BYTES, Pull, PullHandle};
use crate::persist::{Persist, Reader, SnapshotError, Writer};
use pliant_kernels::math::Mat3;

/// Everything that changes while the body moves: state, pulls, rest shape and plastic flow.
impl Persist for Body {
    fn save(&self, to: &mut Writer) {
        to.vectors(&self.state.x);
        to.vectors(&self.state.v);
        to.u32(self.pulls.len() as u32);
        for (PullHandle(number), pull) in self.pull_handles.iter().zip(&self.pulls) {
            to.u32(*number);
            pull.save(to);
        }
        to.u32(self.pulls_added);
        let reshaped = self.is_reshaped();
        to.flag(reshaped);
        if reshaped {
            to.vectors(&self.model.mesh().nodes);
            self.rest_shape().plastic_points().for_each(|point| to.f64(point.volume));
        }
        let inverses = self.rest_shape().plastic_points().map(|point| point.inverse);
        to.matrices(&inverses.collect::<Vec<_>>());
        self.rigid.save(to);
    }

    fn load(&mut self, from: &mut Reader<'_>) -> Result<(), SnapshotError> {
        from.vectors(&mut self.state.x)?;
        from.vectors(&mut self.state.v)?;
        self.pulls.clear();
        self.pull_handles.clear();
        for _ in 0..from.count(MIN_PULL_BYTES)? {
            self.pull_handles.push(PullHandle(from.u32()?));
            self.pulls.push(Pull::read(&self.model, from)?);
        }
        self.pulls_added = from.u32()?;
        let are_given = self.pull_handles.last().is_none_or(|last| last.0 < self.pulls_added);
        if !are_given || !self.pull_handles.is_sorted_by(|a, b| a < b) {
            return Err(from.bad("pulls in order"));
        }
        let volumes = self.load_shape(from)?;
        self.load_flow(volumes, from)?;
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
            self.state.flow = None;
        }
        if !reshaped {
            return Ok(None);
        }
        let mut volumes = vec![0.0; self.rest_shape().plastic_points().count()];
        from.f64s(&mut volumes)?;
        let sound = volumes.iter().all(|volume| volume.is_finite() && *volume >= 0.0);
        if sound { Ok(Some(volumes)) } else { Err(from.bad("volumes of points at rest")) }
    }

    /// Restores the rest shapes that points have flowed to, and their volumes if a shape was committed.
    fn load_flow(
        &mut self,
        volumes: Option<Vec<f64>>,
        from: &mut Reader<'_>,
    ) -> Result<(), SnapshotError> {
        let points = self.rest_shape().plastic_points();
        let mut inverses: Vec<Mat3> = points.map(|point| point.inverse).collect();
        let changed = from.matrices(&mut inverses)?;
        if !inverses.iter().all(|inverse| inverse.det().is_finite() && inverse.det() > 0.0) {
            return Err(
                from.bad("a shape at rest of every point that has flowed, not turned inside out")
            );
        }
        if !changed && volumes.is_none() {
            return Ok(());
        }
        let mut flow = self.rest_shape().flow_state();
        let volumes = volumes.unwrap_or_default();
        let (mut inverses, mut volumes) = (inverses.iter(), volumes.iter());
        let batches = self.model.batches().iter().filter(|batch| batch.plastic);
        for (batch, rest) in batches.zip(flow.batches_mut()) {
            for place in batch.places() {
                inverses.next().into_iter().for_each(|inverse| rest.set_inverse(place, inverse));
                volumes.next().into_iter().for_each(|volume| rest.set_volume(place, *volume));
            }
        }
        // A body that has not flowed has no flow: then it equals one that was never saved.
        self.state.flow = (flow != self.model.rest_shape().flow_state()).then_some(flow);
        Ok(())
    }
}

//! Plastic flow of a body, step by step.

use crate::body::Body;
use crate::persist::{Persist, Reader, SnapshotError, Writer};
use crate::plasticity::{Flow, FlowReport};

/// Plastic flow of a body, and the time since it stopped.
#[derive(Debug, Clone)]
pub(crate) struct SlotFlow {
    flow: Flow,
    /// Time since the last flow, in s; `None` if there was none since the body was annealed.
    pub(crate) since: Option<f64>,
}

impl SlotFlow {
    pub(crate) fn new(body: &Body) -> Self {
        Self { flow: Flow::default(), since: body.rest_shape().has_flowed().then_some(0.0) }
    }

    /// Applies plastic flow over `h` seconds.
    pub(crate) fn step(&mut self, body: &mut Body, h: f64) -> FlowReport {
        let report = self.flow.step(body, h);
        if report.points > 0 {
            self.since = Some(0.0);
        }
        report
    }

    /// Advances the time since the last flow by `dt`; returns true once, when it reaches `after`.
    pub(crate) fn has_stopped(&mut self, after: f64, dt: f64) -> bool {
        self.since = self.since.map(|since| since + dt);
        self.since.take_if(|since| *since >= after).is_some()
    }
}

impl Persist for SlotFlow {
    fn save(&self, to: &mut Writer) {
        to.flag(self.since.is_some());
        to.f64(self.since.unwrap_or(0.0));
    }

    fn load(&mut self, from: &mut Reader<'_>) -> Result<(), SnapshotError> {
        let (flowed, since) = (from.flag()?, from.f64()?);
        self.since = flowed.then_some(since);
        Ok(())
    }
}

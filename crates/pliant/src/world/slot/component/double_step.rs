//! A step of twice the length, for bodies at half rate.
//!
//! ```text
//! step n       M (w − vₙ) = 2h [f(xₙ + 2h w) + …]    x₊ = xₙ + 2h w    the body is at (xₙ + x₊)/2, (vₙ + w)/2
//! step n + 1   nothing is solved                                       the body is at x₊, w
//! ```
//!
//! Derived here, for Euler's rule; other rules have their own equation for w and x₊. Only rules that damp take a step of twice the
//! length as well as others. BDF2 starts again with Euler where the length of the step changes.

use glam::DVec3;

use crate::body::{Body, Kinematics, State};
use crate::persist::{Persist, Reader, SnapshotError, Writer};

/// The double step that a body is in the middle of, if it is in one.
#[derive(Debug, Clone)]
pub(crate) struct DoubleStep {
    /// The number of the group that takes the double step together; `None` between double steps.
    group: Option<u32>,
    /// The state at its end.
    end: Kinematics,
    /// True if the double step ended in this step, so that nothing was solved for the body.
    pub(crate) finished: bool,
    /// The number of steps for which the body stays at full rate, after a blow or a break.
    pub(crate) full_rate_steps: u32,
}

impl Default for DoubleStep {
    fn default() -> Self {
        Self { group: None, end: Kinematics::at_rest(&[]), finished: false, full_rate_steps: 0 }
    }
}

/// Steps at full rate after a blow or a break: a longer step would damp the motion that breaks bodies.
const FULL_RATE_STEPS: u32 = 12;

impl DoubleStep {
    /// True in the middle of a double step.
    pub(crate) fn is_under_way(&self) -> bool {
        self.group.is_some()
    }

    /// The group that takes the double step together.
    pub(crate) fn group(&self) -> Option<u32> {
        self.group
    }

    /// Keeps the body at full rate for a while: it was struck, or broke.
    pub(crate) fn hold_full_rate(&mut self) {
        self.full_rate_steps = FULL_RATE_STEPS;
    }

    /// Reserves memory for a body of `nodes` nodes.
    pub(crate) fn make_room(&mut self, nodes: usize) {
        self.end.x.resize(nodes, DVec3::ZERO);
        self.end.v.resize(nodes, DVec3::ZERO);
    }

    /// Stores the end of the double step, and moves the body to the middle between there and `begin`.
    pub(crate) fn start(&mut self, group: u32, body: &mut Body, begin: &Kinematics) {
        self.end.store(&body.state);
        let State { x, v, .. } = &mut body.state;
        x.iter_mut().zip(&begin.x).for_each(|(x, begin)| *x = x.midpoint(*begin));
        v.iter_mut().zip(&begin.v).for_each(|(v, begin)| *v = v.midpoint(*begin));
        self.group = Some(group);
    }

    /// True if the body is still exactly in the middle, and not pulled.
    pub(crate) fn is_undisturbed(&self, body: &Body, begin: &Kinematics) -> bool {
        let (State { x, v, .. }, end) = (&body.state, &self.end);
        let between = |at: &[DVec3], from: &[DVec3], to: &[DVec3]| {
            at.iter().zip(from.iter().zip(to)).all(|(at, (from, to))| *at == to.midpoint(*from))
        };
        body.springs().next().is_none()
            && end.x.len() == x.len()
            && between(x, &begin.x, &end.x)
            && between(v, &begin.v, &end.v)
    }

    /// Ends the double step in the middle.
    pub(crate) fn cancel(&mut self) {
        self.group = None;
    }

    /// Moves the body to the end of the double step.
    pub(crate) fn finish(&mut self, body: &mut Body) {
        self.end.restore(&mut body.state);
        (self.group, self.finished) = (None, true);
    }
}

impl Persist for DoubleStep {
    fn save(&self, to: &mut Writer) {
        to.u32(self.full_rate_steps);
        to.flag(self.group.is_some());
        if let Some(group) = self.group {
            to.u32(group);
            self.end.save(to);
        }
    }

    fn load(&mut self, from: &mut Reader<'_>) -> Result<(), SnapshotError> {
        (self.group, self.finished) = (None, false);
        self.full_rate_steps = from.u32()?;
        if from.flag()? {
            self.group = Some(from.u32()?);
            self.end.load(from)?;
        }
        if self.group.is_none() || self.end.is_finite() {
            Ok(())
        } else {
            Err(from.bad("a finite state"))
        }
    }
}

//! The record of a world: events, breaks and counts of problems.

use super::breaks::Break;
use super::event::Event;

/// Events and breaks of the last step, and counts of problems so far.
#[derive(Debug, Clone, Default)]
pub(crate) struct Record {
    /// Events of the last step, with memory for all that a step can bring.
    pub(crate) events: Vec<Event>,
    /// Breaks of the last step.
    pub(crate) breaks: Vec<Break>,
    /// Bodies whose break the limits of the last step put off.
    pub(crate) breaks_put_off: u32,
    /// Bodies returned to their last finite state so far.
    pub(crate) resets: usize,
    /// Solves above their tolerance so far.
    pub(crate) unconverged: usize,
    /// Steps that were taken again by a damped rule so far.
    pub(crate) fallbacks: usize,
}

/// The most kinds of event that one body can bring in a step.
const EVENTS_PER_BODY: usize = 6;

impl Record {
    /// Reserves memory for the events of a step with `bodies` bodies.
    pub(crate) fn reserve_events(&mut self, bodies: usize) {
        // The list holds only the events of the last step, which are at most as many.
        self.events.reserve(EVENTS_PER_BODY * bodies);
    }

    /// Forgets the events and breaks of the last step.
    pub(crate) fn forget_step(&mut self) {
        self.events.clear();
        self.breaks.clear();
    }
}

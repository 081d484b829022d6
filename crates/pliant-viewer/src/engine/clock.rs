//! The times at which steps are due.

use std::time::{Duration, Instant};

use super::frame::Milliseconds;

/// Time constant of averages, in s.
const AVERAGING_TIME: f64 = 0.5;

/// Paces steps by real time. If steps are late, simulated time runs slower at a constant rate; lost time is not caught
/// up.
#[derive(Debug)]
pub(crate) struct Clock {
    due: Instant,
    last: Option<Instant>,
    /// Mean real time between steps, in s.
    interval: f64,
    ms: Milliseconds,
    pace: f64,
    behind: bool,
}

impl Default for Clock {
    fn default() -> Self {
        let ms = Milliseconds::default();
        Self { due: Instant::now(), last: None, interval: 0.0, ms, pace: 1.0, behind: false }
    }
}

impl Clock {
    /// Starts the clock.
    pub(crate) fn start(&mut self) {
        (self.due, self.last) = (Instant::now(), None);
        (self.pace, self.behind) = (1.0, false);
    }

    /// Time until the next step.
    pub(crate) fn wait(&self) -> Duration {
        self.due.saturating_duration_since(Instant::now())
    }

    /// Records a step that started at `begin`, represents `length` s and took `ms`.
    pub(crate) fn tick(&mut self, begin: Instant, length: f64, ms: Milliseconds) {
        let now = Instant::now();
        let length_time = Duration::from_secs_f64(length);
        self.due += length_time;
        // A delay of up to one step is caught up; a longer one is not.
        if self.due + length_time < now {
            self.due = now;
        }
        let since = self.last.map_or(length, |last| (begin - last).as_secs_f64());
        self.last = Some(begin);
        let share = (since / AVERAGING_TIME).clamp(0.05, 1.0);
        let blend = |old: &mut f64, new: f64| *old += share * (new - *old);
        if self.interval == 0.0 {
            (self.interval, self.ms) = (since, ms);
        }
        blend(&mut self.interval, since);
        let pace = (length / self.interval.max(1e-9)).min(1.0);
        self.pace = if pace > 0.97 { 1.0 } else { pace };
        self.behind = self.pace < 0.95;
        let pairs = [
            (&mut self.ms.step, ms.step),
            (&mut self.ms.contact, ms.contact),
            (&mut self.ms.forces, ms.forces),
            (&mut self.ms.degree, ms.degree),
            (&mut self.ms.assembly, ms.assembly),
            (&mut self.ms.solve, ms.solve),
            (&mut self.ms.update, ms.update),
        ];
        pairs.into_iter().for_each(|(old, new)| blend(old, new));
    }

    /// Mean times of a step.
    pub(crate) fn milliseconds(&self) -> Milliseconds {
        self.ms
    }

    /// Simulated time over real time at the requested speed, and true if that is too slow.
    pub(crate) fn pace(&self) -> (f64, bool) {
        (self.pace, self.behind)
    }

    /// Steps per second.
    pub(crate) fn rate(&self) -> f64 {
        if self.interval > 0.0 { 1.0 / self.interval } else { 0.0 }
    }
}

//! When the next step is due.

use std::time::{Duration, Instant};

use super::frame::Milliseconds;

/// Time over which averages are taken, in s.
const MEMORY: f64 = 0.5;

/// Paces steps by real time. Who is late is forgiven: time passes more slowly then, evenly, and nothing is caught up.
#[derive(Debug)]
pub(crate) struct Clock {
    due: Instant,
    last: Option<Instant>,
    /// Real time from step to step, averaged, in s.
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
    /// Time passes from now on.
    pub(crate) fn start(&mut self) {
        (self.due, self.last) = (Instant::now(), None);
        (self.pace, self.behind) = (1.0, false);
    }

    /// How long until the next step.
    pub(crate) fn wait(&self) -> Duration {
        self.due.saturating_duration_since(Instant::now())
    }

    /// A step was taken that began at `begin` and is to last `length` s; it took `ms`.
    pub(crate) fn tick(&mut self, begin: Instant, length: f64, ms: Milliseconds) {
        let now = Instant::now();
        let length_time = Duration::from_secs_f64(length);
        self.due += length_time;
        // Late by up to a step is made up for; more is not.
        if self.due + length_time < now {
            self.due = now;
        }
        let since = self.last.map_or(length, |last| (begin - last).as_secs_f64());
        self.last = Some(begin);
        let share = (since / MEMORY).clamp(0.05, 1.0);
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

    /// Times of a step, averaged.
    pub(crate) fn milliseconds(&self) -> Milliseconds {
        self.ms
    }

    /// Seconds that passed over seconds that should have; and whether that is too few.
    pub(crate) fn pace(&self) -> (f64, bool) {
        (self.pace, self.behind)
    }

    /// Steps in a second.
    pub(crate) fn rate(&self) -> f64 {
        if self.interval > 0.0 { 1.0 / self.interval } else { 0.0 }
    }
}

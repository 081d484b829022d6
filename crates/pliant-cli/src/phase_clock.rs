//! How long the phases of steps take.

use std::time::{Duration, Instant};

use pliant::solver::Phase;

/// Adds up the time between the beginning of each phase and the next.
#[derive(Debug, Default)]
pub(crate) struct PhaseClock {
    running: Option<(Phase, Instant)>,
    /// By phase, in the order of [`Phase`].
    spent: [Duration; 6],
}

impl PhaseClock {
    /// A phase begins, and the one before it ends.
    pub(crate) fn begin(&mut self, phase: Phase) {
        let now = Instant::now();
        self.end(now);
        self.running = Some((phase, now));
    }

    /// The step is over.
    pub(crate) fn stop(&mut self) {
        self.end(Instant::now());
    }

    fn end(&mut self, now: Instant) {
        if let Some((phase, since)) = self.running.take() {
            self.spent[phase as usize] += now - since;
        }
    }

    /// Time spent in a phase so far.
    pub(crate) fn spent(&self, phase: Phase) -> Duration {
        self.spent[phase as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whatever is told, all of the time goes to some phase, and none is counted twice.
    #[test]
    fn phases_share_the_whole_time() {
        let mut clock = PhaseClock::default();
        let start = Instant::now();
        for phase in [Phase::Forces, Phase::Solve, Phase::Forces, Phase::Update] {
            clock.begin(phase);
            std::hint::black_box((0..1000).sum::<u64>());
        }
        clock.stop();
        clock.stop();
        let whole = start.elapsed();
        let all = [Phase::Forces, Phase::Solve, Phase::Update].map(|phase| clock.spent(phase));
        assert!(all.iter().all(|time| *time > Duration::ZERO));
        assert!(all.iter().sum::<Duration>() <= whole);
        assert_eq!(clock.spent(Phase::Contact), Duration::ZERO);
    }
}

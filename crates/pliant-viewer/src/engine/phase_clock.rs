//! Times of the phases of steps.

use std::sync::Mutex;
use std::time::{Duration, Instant};

use pliant::solver::Phase;

/// Sums the time of each phase on every thread.
#[derive(Debug)]
pub struct PhaseClock {
    /// One clock for callers outside the thread pool, and one for every thread of the pool.
    thread_clocks: Vec<Mutex<ThreadClock>>,
}

/// The clock of one thread.
#[derive(Debug, Default)]
struct ThreadClock {
    running: Option<(Phase, Instant)>,
    /// Time by phase, in the order of [`Phase`].
    spent: [Duration; Phase::COUNT],
}

impl ThreadClock {
    fn switch_to(&mut self, phase: Option<Phase>) {
        let now = Instant::now();
        if let Some((phase, since)) = self.running.take() {
            self.spent[phase as usize] += now - since;
        }
        self.running = phase.map(|phase| (phase, now));
    }
}

impl Default for PhaseClock {
    fn default() -> Self {
        let thread_clocks = 0..=rayon::current_num_threads();
        Self { thread_clocks: thread_clocks.map(|_| Mutex::default()).collect() }
    }
}

impl PhaseClock {
    /// Starts a phase on this thread and ends the previous one; `None` ends the last one.
    pub fn begin_phase(&self, phase: Option<Phase>) {
        let thread = rayon::current_thread_index().map_or(0, |index| index + 1);
        if let Some(Ok(mut grab_state)) = self.thread_clocks.get(thread).map(Mutex::lock) {
            grab_state.switch_to(phase);
        }
    }

    /// Time spent in a phase so far, all threads together.
    pub fn spent(&self, phase: Phase) -> Duration {
        let thread_clocks =
            self.thread_clocks.iter().filter_map(|grab_state| grab_state.lock().ok());
        thread_clocks.map(|grab_state| grab_state.spent[phase as usize]).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The phases share the elapsed time, and no time is counted twice.
    #[test]
    fn phases_share_the_whole_time() {
        let clock = PhaseClock::default();
        let start = Instant::now();
        for phase in [Phase::Forces, Phase::Solve, Phase::Forces, Phase::Update] {
            clock.begin_phase(Some(phase));
            std::hint::black_box((0..1000).sum::<u64>());
        }
        clock.begin_phase(None);
        clock.begin_phase(None);
        let whole = start.elapsed();
        let all = [Phase::Forces, Phase::Solve, Phase::Update].map(|phase| clock.spent(phase));
        assert!(all.iter().all(|time| *time > Duration::ZERO));
        assert!(all.iter().sum::<Duration>() <= whole);
        assert_eq!(clock.spent(Phase::Contact), Duration::ZERO);
    }
}

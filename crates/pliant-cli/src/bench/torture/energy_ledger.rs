//! Energy that comes from nowhere.

use std::collections::VecDeque;

/// Time over which the largest energy is taken, in s. Layers of contact store energy that is not measured, and give it back within this
/// time.
const WINDOW: f64 = 0.5;

/// Adds up the rises of the largest energy of the last half second, while nothing does work on the bodies.
///
/// A collision may store energy in a layer of contact and give it back, which is not a rise. A slow rise and a burst long after a fall
/// are rises, although the energy stays below that of the start.
#[derive(Debug, Clone, Default)]
pub(super) struct EnergyLedger {
    /// Times and energies that no later one in the window exceeds, in s and J: the first is the largest.
    recent: VecDeque<[f64; 2]>,
    gained: f64,
}

impl EnergyLedger {
    /// Adds the energy at a time, in J and s.
    pub(super) fn add(&mut self, time: f64, energy: f64) {
        if let Some([_, largest]) = self.recent.front() {
            self.gained += (energy - largest).max(0.0);
        }
        while self.recent.back().is_some_and(|[_, last]| *last <= energy) {
            self.recent.pop_back();
        }
        self.recent.push_back([time, energy]);
        while self.recent.front().is_some_and(|[first, _]| *first <= time - WINDOW) {
            self.recent.pop_front();
        }
    }

    /// The sum of all rises, in J; `None` before the first energy.
    pub(super) fn gained(&self) -> Option<f64> {
        (!self.recent.is_empty()).then_some(self.gained)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn gained(energies: &[[f64; 2]]) -> Option<f64> {
        let mut ledger = EnergyLedger::default();
        energies.iter().for_each(|[time, energy]| ledger.add(*time, *energy));
        ledger.gained()
    }

    /// A short dip is not a gain; a rise above the start, a burst after a long rest and a slow rise are.
    #[test]
    fn rises_of_the_recent_maximum_are_gains() {
        assert_eq!(gained(&[]), None);
        assert_eq!(gained(&[[0.0, 5.0], [0.1, 2.0], [0.3, 5.0], [0.4, 1.0]]), Some(0.0));
        assert_eq!(gained(&[[0.0, 5.0], [0.1, 7.0], [0.2, 4.0]]), Some(2.0));
        assert_eq!(gained(&[[0.0, 5.0], [0.3, 1.0], [0.7, 1.0], [0.8, 3.0]]), Some(2.0));
        assert_eq!(gained(&[[0.0, 1.0], [0.3, 2.0], [0.6, 3.0], [0.9, 4.0]]), Some(3.0));
    }
}

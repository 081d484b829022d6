//! The figures of a run, gathered step by step.

use super::barrier::Place;
use super::bars::Bars;
use super::energy_ledger::EnergyLedger;
use super::sample::Sample;

/// The part of a run at its end in which the speed at rest is measured.
const LAST: f64 = 0.05;

/// All figures of a run.
#[derive(Debug, Clone, Default)]
pub(super) struct Figures {
    pub(super) resets: usize,
    pub(super) non_finite: usize,
    /// Inverted cells at the end.
    pub(super) inverted: usize,
    /// The energy that the gain is compared with, in J: kinetic and elastic energy at
    /// [`Bars::quiet_from`], and `lift`.
    pub(super) energy_scale: f64,
    /// Largest depth, in m.
    pub(super) depth: f64,
    /// Steps that ended with intersections.
    pub(super) intersecting: usize,
    /// Largest speed in the last twentieth of the run, in m/s.
    pub(super) speed: f64,
    /// Largest distance of a centre from its start at the end, in m.
    pub(super) shift: Option<f64>,
    /// Largest distance of a node from its position at [`Bars::settled`], in m.
    pub(super) drift: Option<f64>,
    /// Time from which on all bodies slept until the end, in s.
    pub(super) asleep: Option<f64>,
    /// Where a ball is, or where it was when it left the front of the sheet that should stop it.
    pub(super) ball: Place,
    /// Simulated time at which the time limit ended the run, in s.
    pub(super) cut_off: Option<f64>,
    /// Processor time of a step while bodies were awake, in ms.
    pub(super) ms: f64,
    /// Times and depths of overlaps, in s and m.
    overlaps: Vec<[f64; 2]>,
    ledger: EnergyLedger,
    lift: f64,
    start: Sample,
    settled: Option<Sample>,
}

impl Figures {
    /// Begins with the state at the start, and the energy that lifts every body by the longest side of its box, in J.
    pub(super) fn new(start: Sample, lift: f64) -> Self {
        Self { start, lift, ..Self::default() }
    }

    /// Adds the state after a step of a run of `seconds`.
    pub(super) fn add(&mut self, sample: Sample, bars: &Bars, seconds: f64) {
        self.resets += sample.resets;
        self.non_finite += usize::from(!sample.is_finite());
        self.inverted = sample.inverted;
        self.depth = self.depth.max(sample.depth);
        self.intersecting += usize::from(sample.intersections > 0);
        self.overlaps.push([sample.time, sample.overlap]);
        if let (Some(barrier), Place::Front) = (bars.barrier, self.ball) {
            self.ball = barrier.place(&self.start, &sample);
        }
        if sample.time > (1.0 - LAST) * seconds {
            self.speed = self.speed.max(sample.fastest);
        }
        self.asleep = if sample.asleep { self.asleep.or(Some(sample.time)) } else { None };
        self.shift = sample.largest_shift(&self.start);
        self.add_energy(&sample, bars.quiet_from);
        self.add_drift(sample, bars);
    }

    fn add_energy(&mut self, sample: &Sample, quiet_from: f64) {
        if sample.time < quiet_from {
            return;
        }
        if self.ledger.gained().is_none() {
            let base = if quiet_from == 0.0 { &self.start } else { sample };
            self.energy_scale = self.lift + base.inner;
            self.ledger.add(base.time, base.energy());
        }
        self.ledger.add(sample.time, sample.energy());
    }

    fn add_drift(&mut self, sample: Sample, bars: &Bars) {
        match &self.settled {
            Some(settled) => {
                let far = sample.largest_move(settled);
                self.drift = far.map(|far| self.drift.unwrap_or(0.0).max(far));
            }
            None if bars.settled.is_some_and(|time| sample.time >= time) => {
                self.settled = Some(sample);
            }
            None => (),
        }
    }

    /// Energy from nowhere since [`Bars::quiet_from`], in J; `None` if something moves until the end.
    pub(super) fn energy_gain(&self) -> Option<f64> {
        self.ledger.gained()
    }

    /// The largest overlap from a time on, in m.
    pub(super) fn overlap_from(&self, time: f64) -> f64 {
        let later = self.overlaps.iter().filter(|[at, _]| *at >= time);
        later.map(|[_, depth]| *depth).fold(0.0, f64::max)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::DVec3;

    fn sample(time: f64, inner: f64, potential: f64, x: f64, asleep: bool) -> Sample {
        let bodies = vec![vec![DVec3::X * x]];
        Sample { time, inner, potential, asleep, bodies, ..Sample::default() }
    }

    /// Work before `quiet_from` is not a gain, an exchange of potential and kinetic energy is none, and the largest later gain counts.
    #[test]
    fn only_energy_after_the_prescribed_motion_is_gained() {
        let bars = Bars { quiet_from: 1.0, ..Bars::default() };
        let mut figures = Figures::new(sample(0.0, 0.0, 5.0, 0.0, false), 2.0);
        for (time, inner, potential) in [
            (0.5, 90.0, 5.0),
            (1.0, 10.0, 5.0),
            (1.5, 14.0, 1.0),
            (2.0, 12.0, 6.0),
            (2.5, 1.0, 0.0),
        ] {
            figures.add(sample(time, inner, potential, 0.0, false), &bars, 2.5);
        }
        assert_eq!((figures.energy_gain(), figures.energy_scale), (Some(3.0), 12.0));
    }

    /// Drift is the largest distance after settling, not that at the end, and a body that wakes up has not slept.
    #[test]
    fn drift_is_the_largest_after_settling() {
        let bars = Bars { settled: Some(1.0), ..Bars::default() };
        let mut figures = Figures::new(sample(0.0, 0.0, 0.0, 0.0, false), 0.0);
        for (time, x, asleep) in
            [(0.5, 9.0, true), (1.0, 3.0, false), (1.5, 3.5, true), (2.0, 3.0, true)]
        {
            figures.add(sample(time, 0.0, 0.0, x, asleep), &bars, 2.0);
        }
        assert_eq!(
            (figures.drift, figures.shift, figures.asleep),
            (Some(0.5), Some(3.0), Some(1.5))
        );
    }
}

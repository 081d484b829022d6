//! The bars of a scene, and the reasons why a run misses them.

use super::barrier::{Barrier, Place};
use super::figures::Figures;

/// What a scene must meet in addition to the bars of all scenes: no reset, no step that is not finite, no inverted cell at the end, no
/// energy from nowhere, no intersection under `safe`.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Bars {
    /// Time from which on nothing prescribed moves, so that no work comes from outside, in s.
    pub(super) quiet_from: f64,
    /// Time from which on the scene should be at rest, and drift is measured, in s; `None` if it never is.
    pub(super) settled: Option<f64>,
    /// Largest distance of the centre of a body from its start at the end, in m.
    pub(super) shift: Option<f64>,
    /// Largest distance that a node moves after `settled`, in m.
    pub(super) drift: Option<f64>,
    /// Largest depth of a point in another body or obstacle, in m.
    pub(super) depth: Option<f64>,
    /// Time until all bodies sleep, in s.
    pub(super) asleep: Option<f64>,
    /// Bodies that begin inside each other must be apart after this time, in s, up to this depth, in m.
    pub(super) apart: Option<[f64; 2]>,
    /// The ball that a sheet must stop.
    pub(super) barrier: Option<Barrier>,
}

/// Share of the energy scale of a scene that it may gain.
const ENERGY_SHARE: f64 = 0.01;

impl Bars {
    /// In words, every bar that a run misses.
    pub(super) fn misses(&self, figures: &Figures, is_safe: bool) -> Vec<String> {
        let mut misses = Vec::new();
        let mut miss = |is_missed: bool, words: String| misses.extend(is_missed.then_some(words));
        let f = figures;
        miss(
            f.cut_off.is_some(),
            format!("stopped by the time limit at {:.1} s", f.cut_off.unwrap_or(0.0)),
        );
        miss(f.resets > 0, format!("{} resets", f.resets));
        miss(f.non_finite > 0, format!("{} steps not finite", f.non_finite));
        miss(f.inverted > 0, format!("{} cells inverted at the end", f.inverted));
        let gain = f.energy_gain.unwrap_or(0.0);
        let most = ENERGY_SHARE * f.energy_scale;
        miss(gain > most, format!("{gain:.3} J from nowhere, {most:.3} allowed"));
        miss(is_safe && f.intersecting > 0, format!("{} steps with intersections", f.intersecting));
        if let Some([time, depth]) = self.apart
            && f.overlap_at(time) > depth
        {
            miss(
                true,
                format!(
                    "still {:.1} mm inside each other after {time} s",
                    1e3 * f.overlap_at(time)
                ),
            );
        }
        miss(f.ball == Place::Beyond, "the ball passed the sheet".to_owned());
        above(self.depth, f.depth, 1e3, "mm deep", &mut miss);
        above(self.shift, f.shift.unwrap_or(0.0), 1e3, "mm away from the start", &mut miss);
        above(self.drift, f.drift.unwrap_or(0.0), 1e3, "mm drift", &mut miss);
        if let Some(limit) = self.asleep {
            match f.asleep {
                None => miss(true, "not asleep at the end".to_owned()),
                Some(time) => {
                    miss(time > limit, format!("asleep after {time:.1} s, {limit:.1} allowed"))
                }
            }
        }
        misses
    }
}

/// Reports a value above its bar, in units of 1/`factor`.
fn above(
    bar: Option<f64>,
    value: f64,
    factor: f64,
    words: &str,
    miss: &mut impl FnMut(bool, String),
) {
    if let Some(bar) = bar {
        miss(value > bar, format!("{:.1} {words}, {:.1} allowed", factor * value, factor * bar));
    }
}

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
    /// True if the scene is bad input, which must end in a finite world and nothing else.
    pub(super) only_finite: bool,
    /// True if bodies break: their fragments share the faces of cracks, where intersections have no meaning.
    pub(super) breaks: bool,
}

/// Share of the energy scale of a scene that it may gain.
const ENERGY_SHARE: f64 = 0.01;

impl Bars {
    /// In words, every bar that a run misses.
    pub(super) fn misses(&self, figures: &Figures, is_safe: bool) -> Vec<String> {
        let mut misses = Misses::default();
        misses
            .add_if(figures.non_finite > 0, || format!("{} steps not finite", figures.non_finite));
        if let Some(time) = figures.cut_off {
            misses.0.push(format!("stopped by the time limit at {time:.1} s"));
        }
        if !self.only_finite {
            every_scene(figures, is_safe && !self.breaks, &mut misses);
            self.own(figures, &mut misses);
        }
        misses.0
    }

    /// Adds the bars of this scene.
    fn own(&self, f: &Figures, misses: &mut Misses) {
        if let Some([time, depth]) = self.apart {
            let overlap = f.overlap_from(time);
            misses.add_if(overlap > depth, || {
                format!("still {:.1} mm inside each other after {time} s", 1e3 * overlap)
            });
        }
        misses.add_if(f.ball == Place::Beyond, || "the ball passed the sheet".to_owned());
        misses.add_above(self.depth, Some(f.depth), "deep");
        misses.add_above(self.shift, f.shift, "away from the start");
        misses.add_above(self.drift, f.drift, "drift");
        match (self.asleep, f.asleep) {
            (Some(_), None) => misses.0.push("not asleep at the end".to_owned()),
            (Some(bar), Some(time)) => {
                misses.add_if(time > bar, || format!("asleep after {time:.1} s, {bar:.1} allowed"))
            }
            (None, _) => (),
        }
    }
}

/// Adds the bars of all scenes.
fn every_scene(f: &Figures, is_safe: bool, misses: &mut Misses) {
    misses.add_if(f.resets > 0, || format!("{} resets", f.resets));
    misses.add_if(f.inverted > 0, || format!("{} cells inverted at the end", f.inverted));
    let (gain, bar) = (f.energy_gain().unwrap_or(0.0), ENERGY_SHARE * f.energy_scale);
    misses
        .add_if(gain > bar, || format!("{} J from nowhere, {} allowed", joules(gain), joules(bar)));
    misses.add_if(is_safe && f.intersecting > 0, || {
        format!("{} steps with intersections", f.intersecting)
    });
}

/// The missed bars of a run, in words.
#[derive(Debug, Default)]
struct Misses(Vec<String>);

impl Misses {
    fn add_if(&mut self, is_missed: bool, words: impl FnOnce() -> String) {
        self.0.extend(is_missed.then(words));
    }

    /// Adds a length above its bar, both in m.
    fn add_above(&mut self, bar: Option<f64>, length: Option<f64>, words: &str) {
        if let (Some(bar), Some(length)) = (bar, length) {
            let text = || format!("{} mm {words}, {:.1} allowed", millimetres(length), 1e3 * bar);
            self.add_if(length > bar, text);
        }
    }
}

/// An energy in J; with an exponent if it is large.
pub(super) fn joules(energy: f64) -> String {
    if energy < 1e5 { format!("{energy:.3}") } else { format!("{energy:.1e}") }
}

/// A length in mm, given in m; with an exponent if it is large.
pub(super) fn millimetres(length: f64) -> String {
    if length < 1e2 { format!("{:.2}", 1e3 * length) } else { format!("{:.1e}", 1e3 * length) }
}

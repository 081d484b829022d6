//! How what begins inside something else gets out.

use glam::DVec3;

/// An overlap that was there when two things first met, and is let out slowly.
///
/// All that pushes would be done with it in a step or two, and throw the two apart at its depth over the step. So
/// so much of the overlap counts as none at all, and that much falls at a speed `u`:
///
/// ```text
/// g* = g + s        s = s₀ − u t ≥ 0        u = |gravity| · dt
/// ```
///
/// - `g`, `g*` gap as it is, and as contact feels it, in m; `s₀` the depth at the begin, in m
/// - `t` time since then, in s; `dt` length of a step, in s
///
/// And of what is deeper than that, as a place is that was not the deepest at the begin, no more counts than what `u` takes
/// out of the law: `g* ≥ −3 h u` in a substep of `h` seconds.
///
/// So the two come apart at `u` at most, the speed that gravity gives in a step, however deep they are in each
/// other; and meanwhile they bear loads as ever.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Easing {
    /// What still counts as none, in m.
    pub depth: f64,
    /// How fast that falls, in m/s.
    pub speed: f64,
}

impl Default for Easing {
    fn default() -> Self {
        Self::NONE
    }
}

/// Substeps in which the law lets out what is pressed in.
const STEPS: f64 = 3.0;

/// Gravity where there is none, in m/s².
const STANDARD: f64 = 9.81;

/// Depth over the spacing of a skin below which an overlap is no mistake: bodies that lie on each other are so deep in each
/// other.
const SHALLOW: f64 = 0.01;

impl Easing {
    /// Nothing to be let out.
    pub const NONE: Self = Self { depth: 0.0, speed: 0.0 };

    /// How fast overlaps are let out with this gravity, in m/s², and steps of `dt` seconds: in a world without gravity as
    /// on Earth.
    pub fn speed(gravity: DVec3, dt: f64) -> f64 {
        let strength = gravity.length();
        dt * if strength > 0.0 { strength } else { STANDARD }
    }

    /// Whether skins with vertices so far apart begin too deep in each other.
    pub fn is_due(depth: f64, spacing: f64) -> bool {
        depth > SHALLOW * spacing
    }

    /// The same, which does not end while something is still so deep, in m, that the law would be faster in a
    /// substep of `h` seconds.
    #[must_use]
    pub fn held_by(self, depth: f64, h: f64) -> Self {
        let fast = self.speed > 0.0 && depth > STEPS * h * self.speed;
        Self { depth: if fast { self.depth.max(f64::MIN_POSITIVE) } else { self.depth }, ..self }
    }

    /// A gap as contact feels it in a substep of `h` seconds.
    pub fn felt(&self, gap: f64, h: f64) -> f64 {
        if self.speed > 0.0 { (gap + self.depth).max(-STEPS * h * self.speed) } else { gap }
    }

    /// What is left of it after a time, in s.
    #[must_use]
    pub fn after(self, time: f64) -> Self {
        Self { depth: (self.depth - self.speed * time).max(0.0), ..self }
    }
}

//! How what is found inside something else gets out.

use glam::DVec3;

/// Lets overlaps out slowly that no motion has led to.
///
/// What comes near is met before it overlaps. Points that are found in something else have been put there, or have got there past
/// a corner or by a body that folds. All that pushes would be done with that in a step or two, and throw them apart at the depth
/// over the step. So that much of the overlap counts as none at all, and falls at a speed `u`:
///
/// ```text
/// g* = g + s        s = s₀ − u t ≥ 0        u = |gravity| · dt
/// ```
///
/// - `g`, `g*` gap as it is, and as contact feels it, in m; `s₀` the depth at the begin, in m
/// - `t` time since then, in s; `dt` length of a step, in s
///
/// So points come apart at about `u`, the speed that gravity gives in a step, however deep they are in each other; and meanwhile they
/// bear loads as ever.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct OverlapRecovery {
    /// u, in m/s.
    pub speed: f64,
}

/// Gravity where there is none, in m/s².
const EARTH_GRAVITY: f64 = 9.81;

/// Depth over the spacing of a skin below which an overlap is no mistake: bodies that lie on each other are so deep in each
/// other.
const PLACED_DEPTH: f64 = 0.01;

/// The same where nobody has put anything anywhere: two layers of the law of contact.
const MOVED_DEPTH: f64 = 0.2;

impl OverlapRecovery {
    /// For a gravity, in m/s², and steps of `dt` seconds: in a world without gravity as on Earth.
    pub fn new(gravity: DVec3, dt: f64) -> Self {
        let strength = gravity.length();
        Self { speed: dt * if strength > 0.0 { strength } else { EARTH_GRAVITY } }
    }

    /// Whether skins with vertices so far apart have been put too deep into each other.
    pub fn is_too_deep(depth: f64, spacing: f64) -> bool {
        depth > PLACED_DEPTH * spacing
    }

    /// What does not count, in m, of a new overlap of a vertex so far from its neighbours; `put` tells whether someone has put it
    /// there.
    pub fn initial_ignored_depth(depth: f64, spacing: f64, put: bool) -> f64 {
        let limit = if put { PLACED_DEPTH } else { MOVED_DEPTH };
        if depth > limit * spacing { depth } else { 0.0 }
    }

    /// What does not count, in m, of an overlap of what has come apart, where so much of it did not before; at most `most` of it
    /// does count.
    ///
    /// Pieces lie where they broke, each held by the others, with edges as sharp as cells are: there is no telling which way out of
    /// each other they lead, and to push them that way would wedge them in ever more tightly. So what overlaps at first never counts;
    /// what comes to overlap does, up to what the pieces bear, beyond which they crumble. All that goes on to approach is resisted as
    /// ever. (Parker & O'Brien 2009, section 6: a response of dampers alone, lest piles chatter.)
    pub fn ignored_depth_of_fragments(before: Option<f64>, depth: f64, most: f64) -> f64 {
        let depth = depth.max(0.0);
        before.unwrap_or(depth).clamp((depth - most).max(0.0), depth)
    }

    /// What is left after a time, in s, of what did not count.
    pub fn remaining(&self, ignored_depth: f64, time: f64) -> f64 {
        (ignored_depth - self.speed * time).max(0.0)
    }
}

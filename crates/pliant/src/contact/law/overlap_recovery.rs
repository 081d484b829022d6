//! Slow recovery from overlaps.

use glam::DVec3;

use super::vertex_law::VertexLaw;

/// Separates overlaps slowly that contact forces did not prevent.
///
/// Contact acts before surfaces overlap. Points found inside another body were placed there, or got there past a corner or by
/// folding. Contact forces would resolve such an overlap in a step or two, and throw the bodies apart at depth over step. So that part of
/// the depth is ignored, and the ignored part decreases at a speed `u`:
///
/// ```text
/// g* = g + s        s = s₀ − u t ≥ 0        u = |gravity| · dt
/// ```
///
/// - `g`, `g*` the geometric gap, and the gap used by the contact law, in m; `s₀` the depth at the start, in m
/// - `t` time since then, in s; `dt` length of a step, in s
///
/// So points separate at about `u`, the speed that gravity adds in a step, at any depth. Meanwhile the contact carries loads as
/// usual.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct OverlapRecovery {
    /// u, in m/s.
    pub speed: f64,
    /// The gravity that it follows from, in m/s².
    gravity: f64,
}

/// Gravity assumed in a world without any, in m/s².
const EARTH_GRAVITY: f64 = 9.81;

/// Depth over the spacing of a skin up to which an overlap of a body just placed is not ignored: bodies at rest on each other
/// overlap that much.
const PLACED_DEPTH: f64 = 0.01;

/// The force at which such an overlap ends for stiff bodies, in weights of the lighter body: a stack at rest presses that hard on one contact. Cards of 1 GPa
/// that are put 2 mm into each other would press with a million times their weight, and be strained by it.
const PLACED_FORCE: f64 = 10.0;

/// The same for overlaps that arise during motion: two layers of the contact law.
const MOVED_DEPTH: f64 = 0.2;

/// The speed at which overlaps up to [`PLACED_DEPTH`] recover, over that of deeper ones. A stiff body between others has no room at first, and would be strained.
const SHALLOW_SHARE: f64 = 0.05;

impl OverlapRecovery {
    /// For a gravity, in m/s², and steps of `dt` seconds; a world without gravity uses that of the Earth.
    pub fn new(gravity: DVec3, dt: f64) -> Self {
        let strength = gravity.length();
        let gravity = if strength > 0.0 { strength } else { EARTH_GRAVITY };
        Self { speed: dt * gravity, gravity }
    }

    /// True if skins with this spacing, in m, were placed too deep into each other. `depth` in m.
    pub fn is_too_deep(depth: f64, spacing: f64) -> bool {
        depth > PLACED_DEPTH * spacing
    }

    /// The depth to ignore, in m, of a new overlap at a contact with this law; `placed` is the mass of the lighter body, in kg, if one was just placed
    /// there.
    pub fn initial_ignored_depth(&self, depth: f64, law: &VertexLaw, placed: Option<f64>) -> f64 {
        let limit = match placed {
            Some(mass) => {
                let pressed = PLACED_FORCE * mass * self.gravity / law.stiffness;
                pressed.min(PLACED_DEPTH * law.spacing)
            }
            None => MOVED_DEPTH * law.spacing,
        };
        if depth > limit { depth } else { 0.0 }
    }

    /// The depth to ignore, in m, at a contact between bodies that overlap by `depth`, and the decrease of that depth. `before` was
    /// ignored in the last step, if the contact existed; `strength` is the tensile strength of the weaker fragment in Pa, if one of
    /// the bodies is a fragment; `placed` the mass of the lighter body, in kg, if one was just placed.
    pub(crate) fn at_contact(
        self,
        law: &VertexLaw,
        strength: Option<f64>,
        (depth, before): (f64, Option<f64>),
        placed: Option<f64>,
    ) -> (f64, Self) {
        match strength {
            Some(strength) => {
                let most = law.crumbling_depth(strength);
                (Self::ignored_depth_of_fragments(before, depth, most), Self::default())
            }
            None => {
                let new = || self.initial_ignored_depth(depth, law, placed);
                let ignored_depth = before.unwrap_or_else(new);
                (ignored_depth, self.from(ignored_depth, law.spacing))
            }
        }
    }

    /// The depth to ignore, in m, of an overlap between fragments, of which `before` was ignored before; at most `most` of the depth
    /// counts.
    ///
    /// Fragments lie where they broke, each held by the others, with edges as sharp as cells. The direction that separates them is not
    /// known, and a push in a wrong direction would wedge them in more tightly. So the initial overlap is always ignored. A later overlap
    /// counts up to the strength of the fragments, beyond which they crumble. Approach is damped as usual. (Parker & O'Brien 2009,
    /// section 6: a response of dampers alone, so that piles do not chatter.)
    fn ignored_depth_of_fragments(before: Option<f64>, depth: f64, most: f64) -> f64 {
        let depth = depth.max(0.0);
        before.unwrap_or(depth).clamp((depth - most).max(0.0), depth)
    }

    /// The recovery of a contact of which this depth, in m, is ignored, at a skin with this spacing: slow if nobody sees the depth.
    pub(crate) fn from(self, ignored_depth: f64, spacing: f64) -> Self {
        let is_shallow = ignored_depth <= PLACED_DEPTH * spacing;
        Self { speed: if is_shallow { SHALLOW_SHARE * self.speed } else { self.speed }, ..self }
    }

    /// The ignored depth that remains after a time, in s.
    pub fn remaining(&self, ignored_depth: f64, time: f64) -> f64 {
        (ignored_depth - self.speed * time).max(0.0)
    }
}

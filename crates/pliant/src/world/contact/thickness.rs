//! The distance at which contact forces begin.

/// Distances at which contact forces between skins begin, in m; zero where skins may overlap.
///
/// Bodies that meet are stopped from a distance on, so that little is left to impulses, which do not know of elasticity. Then the distance shrinks, until it is one that nobody
/// sees. It never grows: that would do work. Only bodies that were laid nearer to each other than that, even flush, are moved apart by it.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(crate) struct Thickness {
    pub(crate) at_rest: f64,
    pub(crate) at_first: f64,
}

/// The time in which the distance shrinks, in s.
const SETTLING: f64 = 1.0;

impl Thickness {
    /// The distance at a contact whose points are `apart` now, in m, in a step of `h` seconds; `before` is that of the last step, if there was
    /// contact.
    pub(crate) fn at_contact(&self, apart: f64, before: Option<f64>, h: f64) -> f64 {
        let new = || apart.clamp(self.at_rest, self.at_first);
        let settled = |before: f64| before - (self.at_first - self.at_rest) * h / SETTLING;
        before.map_or_else(new, settled).max(self.at_rest)
    }
}

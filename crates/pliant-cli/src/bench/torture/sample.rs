//! The state of a world after a step, as far as it is measured.

use glam::DVec3;

/// What is read after every step, in the same way for every engine.
#[derive(Debug, Clone, Default)]
pub(super) struct Sample {
    /// Simulated time, in s.
    pub(super) time: f64,
    /// Kinetic and elastic energy of all bodies, in J.
    pub(super) inner: f64,
    /// Their potential energy in gravity, in J.
    pub(super) potential: f64,
    /// Speed of the fastest node, in m/s.
    pub(super) fastest: f64,
    /// Largest depth of a point inside another body or obstacle that it was not inside at the start, in m.
    pub(super) depth: f64,
    /// Largest depth of a point inside another body, since the start or not, in m.
    pub(super) overlap: f64,
    /// Pairs of intersecting triangles of skins that did not intersect at the start.
    pub(super) intersections: usize,
    /// Bodies that were returned to their last finite state in this step.
    pub(super) resets: usize,
    /// Inverted cells.
    pub(super) inverted: usize,
    /// True if all bodies sleep.
    pub(super) asleep: bool,
    /// Points of each body: its nodes, or four corners of a rigid body in another engine.
    pub(super) bodies: Vec<Vec<DVec3>>,
}

impl Sample {
    /// Kinetic, elastic and potential energy of all bodies, in J.
    pub(super) fn energy(&self) -> f64 {
        self.inner + self.potential
    }

    /// True if all numbers are finite.
    pub(super) fn is_finite(&self) -> bool {
        let points = self.bodies.iter().flatten().all(|point| point.is_finite());
        points && self.energy().is_finite() && self.fastest.is_finite()
    }

    /// The mean of the points of each body.
    pub(super) fn centres(&self) -> Vec<DVec3> {
        let centre =
            |points: &Vec<DVec3>| points.iter().sum::<DVec3>() / points.len().max(1) as f64;
        self.bodies.iter().map(centre).collect()
    }

    /// The largest distance between the same point in two states, in m; `None` if bodies have broken or disappeared between them.
    pub(super) fn largest_move(&self, earlier: &Self) -> Option<f64> {
        largest_distance(self.bodies.iter().flatten(), earlier.bodies.iter().flatten())
    }

    /// The largest distance between the centres of the same body in two states, in m.
    pub(super) fn largest_shift(&self, earlier: &Self) -> Option<f64> {
        largest_distance(self.centres().iter(), earlier.centres().iter())
    }
}

fn largest_distance<'a>(
    now: impl Iterator<Item = &'a DVec3>,
    before: impl Iterator<Item = &'a DVec3>,
) -> Option<f64> {
    let (now, before): (Vec<_>, Vec<_>) = (now.collect(), before.collect());
    let distances = now.iter().zip(&before).map(|(now, before)| now.distance(**before));
    (now.len() == before.len()).then(|| distances.fold(0.0, f64::max))
}

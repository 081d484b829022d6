//! How wrong the last guess was.

use glam::{DMat3, DVec3};

use crate::persist::{Persist, Reader, SnapshotError, Writer};

/// The error of the last guess, as a forecast of the error of the next one.
///
/// The guess of a step continues the velocity of the last two steps on a line. In smooth motion its error is the curvature of the velocity,
/// which changes little from step to step; in a motion that the steps do not resolve it changes at random. So a share of it is added
/// to the next guess: the one that would have been best in the last step.
#[derive(Debug, Clone)]
pub(in crate::solver::implicit) struct Trend {
    /// Solution minus guess in the last step, in m/s; empty if there was none.
    error: Vec<DVec3>,
    /// The share of it that is added to the next guess.
    share: f64,
}

impl Trend {
    /// Memory for this number of nodes.
    pub(super) fn new(nodes: usize) -> Self {
        Self { error: Vec::with_capacity(nodes), share: 0.0 }
    }

    /// Forgets the last step.
    pub(in crate::solver::implicit) fn forget(&mut self) {
        self.error.clear();
        self.share = 0.0;
    }

    /// Adds the forecast to a guess, for a body that turns by `turn` in the step.
    pub(super) fn improve(&self, guess: &mut [DVec3], turn: DMat3) {
        if self.share > 0.0 {
            let turn = turn * self.share;
            guess.iter_mut().zip(&self.error).for_each(|(v, error)| *v += turn * *error);
        }
    }

    /// Records the error of the guess without the forecast.
    pub(super) fn note(&mut self, error: &[DVec3]) {
        let products = |a: &[DVec3], b: &[DVec3]| a.iter().zip(b).map(|(a, b)| a.dot(*b)).sum();
        let (square, product): (f64, f64) =
            (products(&self.error, &self.error), products(&self.error, error));
        self.share = if square > 0.0 { (product / square).clamp(0.0, 1.0) } else { 0.0 };
        self.error.clear();
        self.error.extend_from_slice(error);
    }
}

impl Persist for Trend {
    fn save(&self, to: &mut Writer) {
        to.f64(self.share);
        to.u32(self.error.len() as u32);
        to.vectors(&self.error);
    }

    fn load(&mut self, from: &mut Reader<'_>) -> Result<(), SnapshotError> {
        /// Bytes of a vector.
        const VECTOR: usize = 24;
        self.share = from.f64()?;
        let (count, nodes) = (from.count(VECTOR)?, self.error.capacity());
        if count != 0 && count > nodes || !(0.0..=1.0).contains(&self.share) {
            return Err(from.bad("the error of a guess"));
        }
        self.error.resize(count, DVec3::ZERO);
        from.vectors(&mut self.error)
    }
}

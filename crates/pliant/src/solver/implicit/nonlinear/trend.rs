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
    /// Solution minus guess in the last step, in m/s; zero if there was none.
    error: Vec<DVec3>,
    /// The share of it that is added to the next guess.
    share: f64,
}

impl Trend {
    /// Memory for this number of nodes.
    pub(super) fn new(nodes: usize) -> Self {
        Self { error: vec![DVec3::ZERO; nodes], share: 0.0 }
    }

    /// Forgets the last step.
    pub(in crate::solver::implicit) fn forget(&mut self) {
        self.error.fill(DVec3::ZERO);
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
        self.error.copy_from_slice(error);
    }
}

impl Persist for Trend {
    fn save(&self, to: &mut Writer) {
        to.f64(self.share);
        to.vectors(&self.error);
    }

    fn load(&mut self, from: &mut Reader<'_>) -> Result<(), SnapshotError> {
        self.share = from.f64()?;
        if !(0.0..=1.0).contains(&self.share) {
            return Err(from.bad("the share of an error"));
        }
        from.vectors(&mut self.error)
    }
}

//! The changes of motion in the last steps, from which the next one is guessed.

use glam::{DMat3, DVec3};

use crate::persist::{Persist, Reader, SnapshotError, Writer};

/// The most changes that are remembered. A third one saves fewer iterations than it costs products, as measured.
const MOST: usize = 2;

/// Steps over which gains are averaged, and after which a change that was not worth its product is tried again.
const STEPS: u32 = 16;

/// The changes of the velocities in the last steps of Euler's rule.
///
/// A motion that the steps resolve goes on as it did before, so that its next change lies almost in the span of the last ones. The guess of
/// the next solve is the best vector of that span (Fischer 1998): with A-orthogonal directions d of the span and the residual r,
///
/// ```text
/// v += Σ s d        s = dᵀ r / dᵀ A d
/// ```
///
/// In the energy norm that is never worse than a guess without it, whatever has happened since. Each direction costs a product, and is
/// left out while it lowers the residual by less than an iteration does.
#[derive(Debug, Clone)]
pub(in crate::solver::implicit) struct PastChanges {
    /// The newest first, in m/s; those in use are made orthogonal to the newer ones, which keeps their span.
    pub(super) changes: [Vec<DVec3>; MOST],
    /// Products of the present system with the directions in use, and dᵀ A d.
    pub(super) products: [(Vec<DVec3>, f64); MOST],
    /// Number of changes that are known.
    pub(super) known: usize,
    /// Mean logarithm by which each direction has lowered the residual.
    gains: [f64; MOST],
    /// The same of an iteration of the solver.
    pub(super) gain_of_iteration: f64,
    /// Steps since all directions were tried.
    since_trial: u32,
    /// Residual of the present solve after the directions, or zero without them, and its load.
    pub(super) residual: f64,
    pub(super) load: f64,
}

impl PastChanges {
    /// Memory for a body.
    pub(in crate::solver::implicit) fn new(nodes: usize, unknowns: usize) -> Self {
        let zero = |count: usize| vec![DVec3::ZERO; count];
        Self {
            changes: [zero(nodes), zero(nodes)],
            products: [(zero(unknowns), 0.0), (zero(unknowns), 0.0)],
            known: 0,
            gains: [0.0; MOST],
            gain_of_iteration: 0.0,
            since_trial: 0,
            residual: 0.0,
            load: 0.0,
        }
    }

    /// Forgets all changes.
    pub(in crate::solver::implicit) fn forget(&mut self) {
        self.known = 0;
    }

    /// Turns the changes with the body.
    pub(super) fn turn(&mut self, by: DMat3) {
        for change in self.changes[..self.known].iter_mut().flatten() {
            *change = by * *change;
        }
    }

    /// The number of directions that are worth their products.
    pub(super) fn count_in_use(&mut self) -> usize {
        self.since_trial += 1;
        if self.since_trial > STEPS {
            self.since_trial = 0;
            return self.known;
        }
        let is_worth = |gain: &&f64| **gain >= self.gain_of_iteration;
        self.gains[..self.known].iter().take_while(is_worth).count()
    }

    /// Makes a change orthogonal to the newer ones, with their products; `own` is the change in the unknowns.
    pub(super) fn make_orthogonal(&mut self, index: usize, own: &[DVec3]) {
        let (newer, older) = self.changes.split_at_mut(index);
        for (change, (product, square)) in newer.iter().zip(&self.products) {
            let share = dot(own, product) / square;
            older[0].iter_mut().zip(change).for_each(|(own, change)| *own -= share * *change);
        }
    }

    /// Records the residual after a direction.
    pub(super) fn note_gain(&mut self, index: usize, residual: f64) {
        let before = std::mem::replace(&mut self.residual, residual);
        average(&mut self.gains[index], (before / residual).ln());
    }

    /// Records a change in the place of the oldest.
    pub(super) fn note(&mut self, change: impl Iterator<Item = DVec3>) {
        self.changes.rotate_right(1);
        self.changes[0].iter_mut().zip(change).for_each(|(to, change)| *to = change);
        self.known = MOST.min(self.known + 1);
    }
}

/// Moves a mean towards a value, if that is a number.
pub(super) fn average(mean: &mut f64, value: f64) {
    if value.is_finite() {
        *mean += (value - *mean) / f64::from(STEPS);
    }
}

impl Persist for PastChanges {
    fn save(&self, to: &mut Writer) {
        to.u8(self.known as u8);
        to.u32(self.since_trial);
        to.f64s(&self.gains);
        to.f64(self.gain_of_iteration);
        self.changes[..self.known].iter().for_each(|change| to.vectors(change));
    }

    fn load(&mut self, from: &mut Reader<'_>) -> Result<(), SnapshotError> {
        self.known = usize::from(from.u8()?);
        self.since_trial = from.u32()?;
        from.f64s(&mut self.gains)?;
        self.gain_of_iteration = from.f64()?;
        let sound = self.gains.iter().all(|gain| gain.is_finite());
        if self.known > MOST
            || self.since_trial > STEPS
            || !(sound && self.gain_of_iteration.is_finite())
        {
            return Err(from.bad("the past changes"));
        }
        self.changes[..self.known].iter_mut().try_for_each(|change| from.vectors(change))
    }
}

pub(super) fn dot(a: &[DVec3], b: &[DVec3]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a.dot(*b)).sum()
}

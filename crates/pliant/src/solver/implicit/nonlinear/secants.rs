//! What the last iterations have told about the stiffness.

use glam::DVec3;

/// Number of iterations that are remembered.
const REMEMBERED: usize = 4;

/// The last changes of a solution and of its residual: limited-memory BFGS (Nocedal 1980) on top of a preconditioner (Liu et al.
/// 2017).
#[derive(Debug, Clone)]
pub(super) struct Secants {
    pairs: Vec<Secant>,
    /// Number of pairs in use, the newest last.
    count: usize,
    shares: [f64; REMEMBERED],
}

/// A change of the solution, and how it changed the residual.
#[derive(Debug, Clone)]
struct Secant {
    change: Vec<DVec3>,
    response: Vec<DVec3>,
    /// 1 / (change · response).
    inverse: f64,
}

impl Secants {
    /// Buffers for this number of unknowns.
    pub(super) fn new(unknowns: usize) -> Self {
        let zero = || vec![DVec3::ZERO; unknowns];
        let pair = || Secant { change: zero(), response: zero(), inverse: 0.0 };
        Self {
            pairs: (0..REMEMBERED).map(|_| pair()).collect(),
            count: 0,
            shares: [0.0; REMEMBERED],
        }
    }

    /// Forgets all pairs.
    pub(super) fn clear(&mut self) {
        self.count = 0;
    }

    /// Remembers that `change` lowered the residual from `before` to `after`. A pair along which the stiffness is not positive is left out.
    pub(super) fn push(&mut self, change: &[DVec3], before: &[DVec3], after: &[DVec3]) {
        if self.count == REMEMBERED {
            self.pairs.rotate_left(1);
            self.count -= 1;
        }
        let pair = &mut self.pairs[self.count];
        pair.change.copy_from_slice(change);
        for (to, (before, after)) in pair.response.iter_mut().zip(before.iter().zip(after)) {
            *to = *before - *after;
        }
        pair.inverse = dot(&pair.change, &pair.response).recip();
        if pair.inverse > 0.0 && pair.inverse.is_finite() {
            self.count += 1;
        }
    }

    /// First half of the product with the inverse: before the preconditioner.
    pub(super) fn before(&mut self, r: &mut [DVec3]) {
        for (pair, share) in self.pairs[..self.count].iter().zip(&mut self.shares).rev() {
            *share = pair.inverse * dot(&pair.change, r);
            r.iter_mut().zip(&pair.response).for_each(|(r, y)| *r -= *share * *y);
        }
    }

    /// Second half: after the preconditioner.
    pub(super) fn after(&self, z: &mut [DVec3]) {
        for (pair, share) in self.pairs[..self.count].iter().zip(&self.shares) {
            let share = share - pair.inverse * dot(&pair.response, z);
            z.iter_mut().zip(&pair.change).for_each(|(z, s)| *z += share * *s);
        }
    }
}

fn dot(a: &[DVec3], b: &[DVec3]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a.dot(*b)).sum()
}

//! What the last iterations have told about the stiffness.

use glam::{DMat3, DVec3};

use crate::persist::{Persist, Reader, SnapshotError, Writer};

/// Number of iterations that are remembered: those of the last two or three steps. More of them save no iterations, as measured.
const REMEMBERED: usize = 6;

/// The last changes of a solution and of its residual: limited-memory BFGS (Nocedal 1980) on top of a preconditioner (Liu et al.
/// 2017).
///
/// They are kept from step to step, and turn with the body as its stiffness does. An old factor is wrong in few directions, and in smooth motion these
/// are the same in the next step.
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

    /// Turns all pairs, for a body that turns by `turn` in a step.
    pub(super) fn turn(&mut self, turn: DMat3) {
        if turn == DMat3::IDENTITY {
            return;
        }
        for Secant { change, response, .. } in &mut self.pairs[..self.count] {
            change.iter_mut().chain(response).for_each(|vector| *vector = turn * *vector);
        }
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

impl Persist for Secants {
    fn save(&self, to: &mut Writer) {
        to.u32(self.count as u32);
        for pair in &self.pairs[..self.count] {
            to.f64(pair.inverse);
            to.vectors(&pair.change);
            to.vectors(&pair.response);
        }
    }

    fn load(&mut self, from: &mut Reader<'_>) -> Result<(), SnapshotError> {
        self.count = from.u32()? as usize;
        if self.count > REMEMBERED {
            self.count = 0;
            return Err(from.bad("a number of iterations"));
        }
        self.pairs[..self.count].iter_mut().try_for_each(|pair| {
            pair.inverse = from.f64()?;
            from.vectors(&mut pair.change)?;
            from.vectors(&mut pair.response)
        })
    }
}

/// The sum of all products, in four sums that do not wait for each other.
fn dot(a: &[DVec3], b: &[DVec3]) -> f64 {
    let (a, a_rest) = a.as_chunks::<4>();
    let (b, b_rest) = b.as_chunks::<4>();
    let mut sums = [DVec3::ZERO; 4];
    for (a, b) in a.iter().zip(b) {
        for (sum, (a, b)) in sums.iter_mut().zip(a.iter().zip(b)) {
            *sum += *a * *b;
        }
    }
    for (sum, (a, b)) in sums.iter_mut().zip(a_rest.iter().zip(b_rest)) {
        *sum += *a * *b;
    }
    sums.into_iter().sum::<DVec3>().element_sum()
}

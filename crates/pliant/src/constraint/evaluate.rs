//! S and g of the constraints of a pack of cells.

use crate::body::Batch;
use crate::material::{Law, LawFamily, LawKind, LawVisitor};
use crate::math::{Lane, Lanes, Mat3, Vec3};

use super::gradients::Gradients;
use super::rest::Rest;

/// S of the two constraints of a cell, and its volume.
#[derive(Debug, Clone, Copy)]
pub(super) struct Sums<R> {
    pub(super) terms: [R; 2],
    pub(super) volume: R,
}

/// Room for what is known between nodes and constraints, `P` points at a time.
#[derive(Debug, Clone, Copy)]
pub(super) struct Scratch<R, S, const P: usize> {
    space: S,
    /// What pulls at the space, for each term.
    pub(super) pulls: [S; 2],
    values: Values<R, P>,
}

/// What a law makes of F at some points.
#[derive(Debug, Clone, Copy)]
struct Values<R, const P: usize> {
    /// ψ̃ of both terms.
    energies: [[R; 2]; P],
    /// P̃ of both terms; first F in place of that of shape.
    stresses: [[Mat3<R>; P]; 2],
}

impl<R: Lane, S: Copy, const P: usize> Scratch<R, S, P> {
    #[inline(always)]
    pub(super) fn new(zero: R, space: S) -> Self {
        let values =
            Values { energies: [[zero; 2]; P], stresses: [[Mat3([Vec3([zero; 3]); 3]); P]; 2] };
        Self { space, pulls: [space; 2], values }
    }

    /// S of the terms that a pass takes, zero of others, and, if asked for, what pulls at the gradients.
    #[inline(always)]
    pub(super) fn evaluate<L, G, const N: usize>(
        &mut self,
        gradients: G,
        (lanes, batch, pack): (L, &Batch, usize),
        x: &[Vec3<R>; N],
        terms: [bool; 2],
        pull: bool,
    ) -> Sums<R>
    where
        L: Lanes<Lane = R>,
        G: Gradients<N, Space<R> = S>,
    {
        let Self { space, pulls, values } = self;
        let rest = Rest::new(lanes, batch, pack);
        let [mu, lambda] = batch.pack_constants(pack);
        let moduli = [lanes.load(mu), lanes.load(lambda)];
        let mut sums = Sums { terms: [rest.zero(); 2], volume: rest.zero() };
        gradients.lift(&rest, x, space);
        let point_count = batch.point_count();
        for start in (0..point_count).step_by(P) {
            let count = P.min(point_count - start);
            gradients.at(&rest, space, start, &mut values.stresses[0][..count]);
            split_law(lanes, batch.law, moduli, count, values);
            for (k, energies) in values.energies[..count].iter().enumerate() {
                let volume = rest.volume(start + k);
                sums.volume += volume;
                sums.terms[0] += energies[0] * volume;
                sums.terms[1] += energies[1] * volume;
            }
            for (term, pulls) in pulls.iter_mut().enumerate() {
                if pull && terms[term] {
                    gradients.pull(&rest, pulls, start, &values.stresses[term][..count]);
                }
            }
        }
        for (sum, take) in sums.terms.iter_mut().zip(terms) {
            if !take {
                *sum = rest.zero();
            }
        }
        sums
    }
}

/// The terms of the law at the first `count` points. Not inlined: it is compiled once for each law.
#[inline(never)]
fn split_law<L: Lanes, const P: usize>(
    lanes: L,
    law: LawKind,
    moduli: [L::Lane; 2],
    count: usize,
    values: &mut Values<L::Lane, P>,
) {
    lanes.run(
        #[inline(always)]
        || law.visit(Split::<L, P> { moduli, count, values }),
    );
}

struct Split<'a, L: Lanes, const P: usize> {
    moduli: [L::Lane; 2],
    count: usize,
    values: &'a mut Values<L::Lane, P>,
}

impl<L: Lanes, const P: usize> LawVisitor for Split<'_, L, P> {
    type Output = ();

    #[inline(always)]
    fn visit<F: LawFamily>(self) {
        let law = F::law(self.moduli[0], self.moduli[1]);
        let Values { energies, stresses: [first, second] } = self.values;
        for point in 0..self.count.min(P) {
            let [shape, volume] = law.terms(&first[point]);
            energies[point] = [shape.energy, volume.energy];
            first[point] = shape.stress;
            second[point] = volume.stress;
        }
    }
}

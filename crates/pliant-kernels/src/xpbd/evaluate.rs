//! S and g of the constraints of a pack of cells.

use crate::lanes::Batch;
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

/// What a law makes of F at up to `P` points.
#[derive(Debug, Clone, Copy)]
pub(super) struct Values<R, const P: usize> {
    /// ψ̃ of both terms.
    energies: [[R; 2]; P],
    /// P̃ of both terms; first F in place of that of shape.
    stresses: [[Mat3<R>; P]; 2],
}

impl<R: Lane, const P: usize> Values<R, P> {
    #[inline(always)]
    pub(super) fn new(zero: R) -> Self {
        Self { energies: [[zero; 2]; P], stresses: [[Mat3([Vec3([zero; 3]); 3]); P]; 2] }
    }
}

/// S of the terms that a pass takes and, if there is room for them, their gradients; zero of others.
///
/// ```text
/// S = Σ V ψ̃        gₐ = Σ V P̃ J⁻ᵀ ∂Bₐ/∂ξ
/// ```
#[inline(always)]
pub(super) fn evaluate<L: Lanes, G: Gradients<N>, const N: usize, const P: usize>(
    gradients: G,
    (lanes, batch, pack): (L, &Batch, usize),
    x: &[Vec3<L::Lane>; N],
    terms: [bool; 2],
    values: &mut Values<L::Lane, P>,
    mut g: Option<&mut [[Vec3<L::Lane>; N]; 2]>,
) -> Sums<L::Lane> {
    let (rest, zero) = (Rest::new(lanes, batch, pack), lanes.splat(0.0));
    let [mu, lambda] = batch.pack_constants(pack);
    let moduli = [lanes.load(mu), lanes.load(lambda)];
    let mut sums = Sums { terms: [zero; 2], volume: zero };
    let point_count = batch.point_count();
    for start in (0..point_count).step_by(P) {
        let count = P.min(point_count - start);
        gradients.at(&rest, x, start, &mut values.stresses[0][..count]);
        let Values { energies, stresses: [first, second] } = &mut *values;
        let stresses = [&mut first[..count], &mut second[..count]];
        split_law(lanes, batch.law, moduli, &mut energies[..count], stresses);
        for (k, energies) in values.energies[..count].iter().enumerate() {
            let volume = rest.volume(start + k);
            sums.volume += volume;
            sums.terms[0] += energies[0] * volume;
            sums.terms[1] += energies[1] * volume;
        }
        for term in 0..2 {
            if let Some(g) = &mut g
                && terms[term]
            {
                gradients.pull(&rest, &mut g[term], start, &values.stresses[term][..count]);
            }
        }
    }
    for term in 0..2 {
        if !terms[term] {
            sums.terms[term] = zero;
            if let Some(g) = &mut g {
                g[term] = [Vec3([zero; 3]); N];
            }
        }
    }
    sums
}

/// ψ̃ and P̃ of both terms at points, whose F stand in place of P̃ of the first term. Not inlined: it holds all laws, and serves
/// all kinds of cell.
#[inline(never)]
fn split_law<L: Lanes>(
    lanes: L,
    law: LawKind,
    moduli: [L::Lane; 2],
    energies: &mut [[L::Lane; 2]],
    [first, second]: [&mut [Mat3<L::Lane>]; 2],
) {
    lanes.run(
        #[inline(always)]
        || law.visit(Split { moduli, energies, first, second }),
    );
}

struct Split<'a, R> {
    moduli: [R; 2],
    energies: &'a mut [[R; 2]],
    first: &'a mut [Mat3<R>],
    second: &'a mut [Mat3<R>],
}

impl<R: Lane> LawVisitor for Split<'_, R> {
    type Output = ();

    #[inline(always)]
    fn visit<F: LawFamily>(self) {
        let law = F::law(self.moduli[0], self.moduli[1]);
        let stresses = self.first.iter_mut().zip(self.second);
        for ((first, second), energies) in stresses.zip(self.energies) {
            let [shape, volume] = law.terms(first);
            *energies = [shape.energy, volume.energy];
            *first = shape.stress;
            *second = volume.stress;
        }
    }
}

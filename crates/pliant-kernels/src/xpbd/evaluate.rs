//! Evaluation of S and its gradient g for the constraints of a pack of cells.

use crate::lanes::RestBatch;
use crate::material::{Law, LawFamily, LawKind, LawVisitor};
use crate::math::{Lane, Lanes, Mat3, Vec3};

use super::cell::Sums;
use super::gradients::Gradients;
use super::rest::Rest;

/// Energies and stresses of a law at up to `P` points.
#[derive(Debug, Clone, Copy)]
pub(super) struct Values<R, const P: usize> {
    /// ψ̃ of both terms.
    energies: [[R; 2]; P],
    /// P̃ of both terms; on input the first entry holds F.
    stresses: [[Mat3<R>; P]; 2],
}

impl<R: Lane, const P: usize> Values<R, P> {
    #[inline(always)]
    pub(super) fn new(zero: R) -> Self {
        Self { energies: [[zero; 2]; P], stresses: [[Mat3([Vec3([zero; 3]); 3]); P]; 2] }
    }
}

/// Evaluates S of the terms of a pass and, if `g` is given, their gradients; zero for the other terms.
///
/// ```text
/// S = Σ V ψ̃        gₐ = Σ V P̃ J⁻ᵀ ∂Bₐ/∂ξ
/// ```
#[inline(always)]
pub(super) fn evaluate<L: Lanes, G: Gradients<N>, const N: usize, const P: usize>(
    gradients: G,
    (lanes, batch, pack): (L, RestBatch<'_>, usize),
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
        split_law(lanes, batch.law, moduli, count, values);
        for (k, energies) in values.energies[..count].iter().enumerate() {
            let volume = rest.volume(start + k);
            sums.volume += volume;
            sums.terms[0] = energies[0].mul_add(volume, sums.terms[0]);
            sums.terms[1] = energies[1].mul_add(volume, sums.terms[1]);
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

/// Evaluates the terms of the law at the first `count` points. Not inlined: it is compiled once for each law.
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
        || law.visit(EnergySplit::<L, P> { moduli, count, values }),
    );
}

struct EnergySplit<'a, L: Lanes, const P: usize> {
    moduli: [L::Lane; 2],
    count: usize,
    values: &'a mut Values<L::Lane, P>,
}

impl<L: Lanes, const P: usize> LawVisitor for EnergySplit<'_, L, P> {
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

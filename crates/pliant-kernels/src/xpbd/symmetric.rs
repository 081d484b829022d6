//! Gradients of straight tetrahedra at the points of symmetric rules.

use crate::math::{Lane, Lanes, Mat3, Vec3};

use super::gradients::Gradients;
use super::orbits::SymmetricRule;
use super::rest::Rest;

/// F of a straight tetrahedron in Bernstein form with `M` coefficients, at all `Q` points of a symmetric
/// rule at once:
///
/// ```text
/// F = Σₖ Bₖ p (x[k + eⱼ] − x[k + e₀]) J⁻¹        |k| = p − 1
/// ```
///
/// Computed row by row: a row of F depends on only one component of the nodes, and the intermediate results are few
/// enough to stay in registers.
#[derive(Debug, Clone, Copy)]
pub(super) struct Symmetric<S, const M: usize, const Q: usize>(pub(super) S);

impl<S, const N: usize, const M: usize, const Q: usize> Gradients<N> for Symmetric<S, M, Q>
where
    S: SymmetricRule<M, Q>,
{
    // Counted loops: the compiler unrolls them and folds the table of nodes into the code. It does not do so with an
    // iterator over the table; a sweep over cubic cells then takes half as long again.
    #[expect(clippy::needless_range_loop, reason = "unrolled with constant nodes")]
    #[inline(always)]
    fn at<L: Lanes>(
        &self,
        rest: &Rest<'_, L>,
        x: &[Vec3<L::Lane>; N],
        _start: usize,
        f: &mut [Mat3<L::Lane>],
    ) {
        let f: &mut [Mat3<L::Lane>; Q] = f.first_chunk_mut().expect("all points at once");
        let inverse = rest.inverse(0) * rest.zero().like(S::DEGREE);
        for i in 0..3 {
            let mut coefficients = [[rest.zero(); M]; 3];
            for k in 0..M {
                let [o, a, b, c] = S::NODES[k];
                let origin = x[o].0[i];
                let edges = Vec3([x[a].0[i] - origin, x[b].0[i] - origin, x[c].0[i] - origin]);
                for j in 0..3 {
                    coefficients[j][k] = edges.fused_dot(inverse.0[j]);
                }
            }
            for j in 0..3 {
                let values = self.0.values(&coefficients[j]);
                for point in 0..Q {
                    f[point].0[j].0[i] = values[point];
                }
            }
        }
    }

    #[inline(always)]
    fn pull<L: Lanes>(
        &self,
        rest: &Rest<'_, L>,
        g: &mut [Vec3<L::Lane>; N],
        _start: usize,
        stresses: &[Mat3<L::Lane>],
    ) {
        let stresses: &[Mat3<L::Lane>; Q] = stresses.first_chunk().expect("all points at once");
        let back = rest.inverse(0).transpose() * (rest.volume(0) * S::DEGREE);
        for i in 0..3 {
            let x = self.moments(stresses, i, 0);
            let y = self.moments(stresses, i, 1);
            let z = self.moments(stresses, i, 2);
            let mut sums = [rest.zero(); N];
            for k in 0..M {
                let row = Vec3([x[k], y[k], z[k]]);
                let u = row.fused_dot(back.0[0]);
                let v = row.fused_dot(back.0[1]);
                let w = row.fused_dot(back.0[2]);
                let [o, a, b, c] = S::NODES[k];
                sums[a] += u;
                sums[b] += v;
                sums[c] += w;
                sums[o] -= u + v + w;
            }
            for a in 0..N {
                g[a].0[i] = sums[a];
            }
        }
    }
}

impl<S, const M: usize, const Q: usize> Symmetric<S, M, Q> {
    /// The gradient of one entry of the stresses at all points, with respect to the coefficients of that entry of F.
    #[inline(always)]
    fn moments<R: Lane>(&self, stresses: &[Mat3<R>; Q], i: usize, j: usize) -> [R; M]
    where
        S: SymmetricRule<M, Q>,
    {
        let mut values = [stresses[0].0[j].0[i]; Q];
        for point in 1..Q {
            values[point] = stresses[point].0[j].0[i];
        }
        self.0.moments(&values)
    }
}

//! ∂P/∂F as a matrix.

use crate::material::Law;
use crate::math::{Lane, Mat3, Vec3, svd};

/// ∂P/∂F at F, exact: in Pa, symmetric, and indefinite where a compressed state could buckle.
///
/// Row r and column c stand for entry (i, j) of P and F with r = i + 3j: F is read column by column.
/// Assembled with shape gradients g, the block of nodes a and b is
///
/// ```text
/// (K_ab)ᵢₖ = Σⱼₗ g_aⱼ K[i + 3j][k + 3l] g_bₗ
/// ```
#[inline(always)]
pub fn stiffness<R: Lane>(law: &impl Law<R>, f: &Mat3<R>) -> [[R; 9]; 9] {
    columns(f, |i, j| law.stress_differential(f, &unit(f, i, j)))
}

/// The positive semi-definite matrix nearest to [`stiffness`], in the same layout.
///
/// Its negative eigenvalues, known in closed form but for a symmetric 3×3 block
/// ([`crate::material::Principal`]), are set to zero. With it every Newton step goes downhill.
/// [`crate::material::Linear`], not isotropic in this sense, is positive as it stands.
#[inline(always)]
pub fn stiffness_psd<R: Lane>(law: &impl Law<R>, f: &Mat3<R>) -> [[R; 9]; 9] {
    let frame = svd(f);
    let Some(principal) = law.principal(&frame.sigma) else {
        return stiffness(law, f);
    };
    let positive = principal.positive();
    let (u, v) = (frame.u.transpose(), frame.v.transpose());
    columns(f, |i, j| frame.u * positive.local_differential(&Mat3::outer(u.0[i], v.0[j])) * v)
}

/// The symmetric 9×9 matrix whose column i + 3j is `column(i, j)`, read column by column.
#[inline(always)]
fn columns<R: Lane>(f: &Mat3<R>, mut column: impl FnMut(usize, usize) -> Mat3<R>) -> [[R; 9]; 9] {
    let mut matrix = [[f.at(0, 0).zero(); 9]; 9];
    for c in 0..9 {
        let dp = column(c % 3, c / 3);
        for (r, row) in matrix.iter_mut().enumerate() {
            row[c] = dp.at(r % 3, r / 3);
        }
    }
    matrix
}

/// eᵢeⱼᵀ in the width of `like`.
#[inline(always)]
fn unit<R: Lane>(like: &Mat3<R>, i: usize, j: usize) -> Mat3<R> {
    let (zero, one) = (like.at(0, 0).zero(), like.at(0, 0).one());
    let mut unit = Mat3([Vec3([zero; 3]); 3]);
    unit.0[j].0[i] = one;
    unit
}

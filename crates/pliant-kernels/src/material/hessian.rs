//! Assembly of ∂P/∂F as a 9×9 matrix; see [`Law::stiffness`] for its layout.

use crate::material::{Isotropic, Law, Principal};
use crate::math::{Lane, Mat3, Svd, Vec3, svd};

/// ∂P/∂F from the stress differentials of the nine unit changes of F.
#[inline(always)]
pub(super) fn by_differentials<R: Lane>(law: &impl Law<R>, f: &Mat3<R>) -> [[R; 9]; 9] {
    let zero = f.at(0, 0).zero();
    let mut matrix = [[zero; 9]; 9];
    for c in 0..9 {
        let mut unit = Mat3([Vec3([zero; 3]); 3]);
        unit.0[c / 3].0[c % 3] = zero.one();
        set_column(&mut matrix, c, &law.stress_differential(f, &unit));
    }
    matrix
}

/// ∂P/∂F from one decomposition F = U Σ Vᵀ, which nine separate differentials would each repeat.
#[inline(always)]
pub(super) fn by_singular_values<R: Lane>(frame: &Svd<R>, principal: &Principal<R>) -> [[R; 9]; 9] {
    let (u, v) = (frame.u.transpose(), frame.v.transpose());
    let mut matrix = [[u.at(0, 0); 9]; 9];
    for c in 0..9 {
        // UᵀdF V of the unit change dF = eᵢeⱼᵀ.
        let local = Mat3::outer(u.0[c % 3], v.0[c / 3]);
        set_column(&mut matrix, c, &(frame.u * principal.local_differential(&local) * v));
    }
    matrix
}

/// The positive semi-definite matrix nearest to ∂P/∂F.
#[inline(always)]
pub(super) fn positive<R: Lane>(law: &impl Isotropic<R>, f: &Mat3<R>) -> [[R; 9]; 9] {
    let frame = svd(f);
    by_singular_values(&frame, &law.principal(&frame.sigma).positive())
}

/// Writes the entries of `dp`, read column by column, into column `c`.
#[inline(always)]
fn set_column<R: Lane>(matrix: &mut [[R; 9]; 9], c: usize, dp: &Mat3<R>) {
    for (r, row) in matrix.iter_mut().enumerate() {
        row[c] = dp.at(r % 3, r / 3);
    }
}

//! The second derivative of an isotropic law in the frame of its singular values.

use crate::math::{Lane, Mat3, Svd, svd};

/// Eigenvalues and the one full block of ∂P/∂F for F = U Σ Vᵀ.
///
/// ```text
/// hessianᵢⱼ = ∂²ψ/∂σᵢ∂σⱼ
/// twistₖ = (ψᵢ + ψⱼ)/(σᵢ + σⱼ)        flipₖ = (ψᵢ − ψⱼ)/(σᵢ − σⱼ)        ψᵢ = ∂ψ/∂σᵢ
/// ```
///
/// for the three pairs (i, j) = (1, 2), (2, 0), (0, 1) with k the third index. A twist is the
/// eigenvalue of U (eᵢeⱼᵀ − eⱼeᵢᵀ) Vᵀ, a flip that of U (eᵢeⱼᵀ + eⱼeᵢᵀ) Vᵀ, and the block acts on
/// the three stretches U eᵢeᵢᵀ Vᵀ. All are in Pa. Each law gives the quotients in closed form, so that
/// equal singular values divide nothing by zero.
///
/// Irving et al. 2004; Teran et al. 2005; Smith et al. 2019, section 4.
#[derive(Debug, Clone, Copy)]
pub struct Principal<R = f64> {
    /// ∂²ψ/∂σᵢ∂σⱼ.
    pub hessian: Mat3<R>,
    /// Eigenvalues of the three skew modes.
    pub twist: [R; 3],
    /// Eigenvalues of the three symmetric off-diagonal modes.
    pub flip: [R; 3],
}

impl<R: Lane> Principal<R> {
    /// That of P = a F + q cof F, with a constant and q growing by `lambda` per unit of J.
    ///
    /// ```text
    /// ψᵢ = a σᵢ + q σⱼσₖ
    /// ∂²ψ/∂σᵢ² = a + λ (σⱼσₖ)²        ∂²ψ/∂σᵢ∂σⱼ = q σₖ + λ (σⱼσₖ)(σₖσᵢ)
    /// twistₖ = a + q σₖ               flipₖ = a − q σₖ
    /// ```
    #[inline(always)]
    pub(super) fn neo_hookean(sigma: &[R; 3], a: R, q: R, lambda: R) -> Self {
        let [x, y, z] = *sigma;
        let cofactor = [y * z, z * x, x * y];
        let hessian = Mat3::from_fn(|i, j| {
            let rest = if i == j { a } else { q * sigma[3 - i - j] };
            rest + lambda * cofactor[i] * cofactor[j]
        });
        Self { hessian, twist: sigma.map(|s| a + q * s), flip: sigma.map(|s| a - q * s) }
    }

    /// The nearest positive semi-definite one: negative eigenvalues become zero.
    #[inline(always)]
    #[must_use]
    pub fn positive(&self) -> Self {
        let zero = self.twist[0].zero();
        Self {
            hessian: positive_part(&self.hessian),
            twist: self.twist.map(|eigenvalue| eigenvalue.max(zero)),
            flip: self.flip.map(|eigenvalue| eigenvalue.max(zero)),
        }
    }

    /// dP = ∂P/∂F : dF, where `frame` is the decomposition of F.
    #[inline(always)]
    pub fn stress_differential(&self, frame: &Svd<R>, df: &Mat3<R>) -> Mat3<R> {
        let local = frame.u.transpose() * *df * frame.v;
        frame.u * self.local_differential(&local) * frame.v.transpose()
    }

    /// UᵀdP V of `d` = UᵀdF V.
    #[inline(always)]
    pub(super) fn local_differential(&self, d: &Mat3<R>) -> Mat3<R> {
        Mat3::from_fn(|i, j| {
            if i == j {
                self.hessian.at(i, 0) * d.at(0, 0)
                    + self.hessian.at(i, 1) * d.at(1, 1)
                    + self.hessian.at(i, 2) * d.at(2, 2)
            } else {
                let k = 3 - i - j;
                let (sum, difference) = (d.at(i, j) + d.at(j, i), d.at(i, j) - d.at(j, i));
                (self.flip[k] * sum + self.twist[k] * difference) * 0.5
            }
        })
    }
}

/// Positive semi-definite part of a symmetric matrix, (A + |A|)/2 with |A| = V |Σ| Vᵀ.
///
/// The decomposition gives V also where eigenvalues differ in sign only, for then |A| is the same
/// whatever basis of their plane V holds.
#[inline(always)]
fn positive_part<R: Lane>(a: &Mat3<R>) -> Mat3<R> {
    let Svd { sigma, v, .. } = svd(a);
    let absolute = v * Mat3::diagonal(sigma.map(R::abs)) * v.transpose();
    (*a + absolute) * sigma[0].like(0.5)
}

//! The second derivative of an isotropic law in the frame of its singular values.

use crate::math::{Lane, Mat3, Svd, Vec3, svd};

/// ∂P/∂F in the frame of F = U Σ Vᵀ: six eigenvalues and one full 3×3 block.
///
/// ```text
/// hessianᵢⱼ = ∂²ψ/∂σᵢ∂σⱼ
/// twistₖ = (ψᵢ + ψⱼ)/(σᵢ + σⱼ)        flipₖ = (ψᵢ − ψⱼ)/(σᵢ − σⱼ)        ψᵢ = ∂ψ/∂σᵢ
/// ```
///
/// for the three pairs (i, j) = (1, 2), (2, 0), (0, 1) with k the third index. A twist is the
/// eigenvalue of U (eᵢeⱼᵀ − eⱼeᵢᵀ) Vᵀ, a flip that of U (eᵢeⱼᵀ + eⱼeᵢᵀ) Vᵀ, and the block acts on
/// the three stretches U eᵢeᵢᵀ Vᵀ. All are in Pa. Each law gives the quotients in closed form, so that equal singular
/// values cause no division by zero.
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
    /// The derivative of P = a F + q cof F, with a constant a, and q growing by `lambda` per unit of J.
    ///
    /// ```text
    /// ψᵢ = a σᵢ + q σⱼσₖ
    /// ∂²ψ/∂σᵢ² = a + λ (σⱼσₖ)²        ∂²ψ/∂σᵢ∂σⱼ = q σₖ + λ (σⱼσₖ)(σₖσᵢ)
    /// twistₖ = a + q σₖ               flipₖ = a − q σₖ
    /// ```
    #[inline(always)]
    pub(super) fn neo_hookean(sigma: &[R; 3], a: R, q: R, lambda: R) -> Self {
        let [x, y, z] = *sigma;
        let [qx, qy, qz] = [q * x, q * y, q * z];
        let cofactor = Vec3([y * z, z * x, x * y]);
        let coupling = Mat3([Vec3([a, qz, qy]), Vec3([qz, a, qx]), Vec3([qy, qx, a])]);
        let [flip, twist] = difference_and_sum([a; 3], [qx, qy, qz]);
        Self { hessian: coupling + Mat3::outer(cofactor, cofactor * lambda), twist, flip }
    }

    /// Adds the derivative of q cof F with a constant q, at these singular values.
    #[inline(always)]
    pub fn add_pressure(&mut self, sigma: &[R; 3], q: R) {
        let Vec3([x, y, z]) = Vec3(*sigma) * q;
        let zero = q.zero();
        self.hessian += Mat3([Vec3([zero, z, y]), Vec3([z, zero, x]), Vec3([y, x, zero])]);
        self.flip = (Vec3(self.flip) - Vec3([x, y, z])).0;
        self.twist = (Vec3(self.twist) + Vec3([x, y, z])).0;
    }

    /// Returns the nearest positive semi-definite derivative: negative eigenvalues become zero.
    #[inline(always)]
    #[must_use]
    pub fn positive(&self) -> Self {
        Self {
            hessian: positive_part(&self.hessian),
            twist: above_zero(self.twist),
            flip: above_zero(self.flip),
        }
    }

    /// Returns dP = ∂P/∂F : dF, where `frame` is the decomposition of F.
    #[inline(always)]
    pub fn stress_differential(&self, frame: &Svd<R>, df: &Mat3<R>) -> Mat3<R> {
        let local = frame.u.transpose() * *df * frame.v;
        frame.u * self.local_differential(&local) * frame.v.transpose()
    }

    /// UᵀdP V of `d` = UᵀdF V.
    #[inline(always)]
    pub(super) fn local_differential(&self, d: &Mat3<R>) -> Mat3<R> {
        let [a, b, c] = self.twists_and_flips(d);
        let stretch = self.hessian.mul_vec(Vec3([d.at(0, 0), d.at(1, 1), d.at(2, 2)])).0;
        Mat3([
            Vec3([stretch[0], c[1], b[0]]),
            Vec3([c[0], stretch[1], a[1]]),
            Vec3([b[1], a[0], stretch[2]]),
        ])
    }

    /// Entries (i, j) and (j, i) of UᵀdP V for the three pairs.
    #[inline(always)]
    fn twists_and_flips(&self, d: &Mat3<R>) -> [[R; 2]; 3] {
        let pair = |k: usize, i: usize, j: usize| {
            let symmetric = self.flip[k] * (d.at(i, j) + d.at(j, i)) * 0.5;
            let skew = self.twist[k] * (d.at(i, j) - d.at(j, i)) * 0.5;
            [symmetric + skew, symmetric - skew]
        };
        [pair(0, 1, 2), pair(1, 2, 0), pair(2, 0, 1)]
    }
}

/// `[a − b, a + b]`, entry by entry: twists and flips have this form in every law.
#[inline(always)]
pub(super) fn difference_and_sum<R: Lane>(a: [R; 3], b: [R; 3]) -> [[R; 3]; 2] {
    let (a, b) = (Vec3(a), Vec3(b));
    [(a - b).0, (a + b).0]
}

/// Clamps negative entries to zero.
#[inline(always)]
fn above_zero<R: Lane>(eigenvalues: [R; 3]) -> [R; 3] {
    let [a, b, c] = eigenvalues;
    let zero = a.zero();
    [a.max(zero), b.max(zero), c.max(zero)]
}

/// Positive semi-definite part of a symmetric matrix: the matrix itself where it is definite, which is the usual
/// case, else (A + |A|)/2 with |A| = V |Σ| Vᵀ.
///
/// The SVD gives a usable V also where eigenvalues differ only in sign, because |A| is then the same for every basis
/// of their plane.
#[inline(always)]
fn positive_part<R: Lane>(a: &Mat3<R>) -> Mat3<R> {
    let (least, tiny) = (least_minor(a), a.at(0, 0).like(f64::MIN_POSITIVE));
    if !least.any_less(tiny) {
        return *a;
    }
    let Svd { sigma, v, .. } = svd(a);
    let [x, y, z] = sigma;
    let absolute = v * Mat3::diagonal([x.abs(), y.abs(), z.abs()]) * v.transpose();
    Mat3::if_less(least, tiny, (*a + absolute) * sigma[0].like(0.5), *a)
}

/// The smallest leading minor of a symmetric matrix: positive if the matrix is definite (Sylvester).
#[inline(always)]
fn least_minor<R: Lane>(a: &Mat3<R>) -> R {
    let corner = a.at(0, 0) * a.at(1, 1) - a.at(1, 0) * a.at(0, 1);
    a.at(0, 0).min(corner).min(a.det())
}

//! The stress of a law in lanes.

use crate::material::{Law, LawFamily, LawKind, LawVisitor};
use crate::math::{Lane, Lanes, Mat3};

/// Returns P(F) of a law with constants μ and λ. Not inlined: it contains all laws, and all kernels that need only
/// the stress share it.
#[inline(never)]
pub(crate) fn stress<L: Lanes>(
    lanes: L,
    law: LawKind,
    [mu, lambda]: [L::Lane; 2],
    f: &Mat3<L::Lane>,
) -> Mat3<L::Lane> {
    lanes.run(
        #[inline(always)]
        || law.visit(StressKernel { mu, lambda, f: *f }),
    )
}

struct StressKernel<R> {
    mu: R,
    lambda: R,
    f: Mat3<R>,
}

impl<R: Lane> LawVisitor for StressKernel<R> {
    type Output = Mat3<R>;

    #[inline(always)]
    fn visit<F: LawFamily>(self) -> Mat3<R> {
        F::law(self.mu, self.lambda).stress(&self.f)
    }
}

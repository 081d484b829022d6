//! Cholesky factors of diagonal blocks.

use glam::DVec3;
use pliant_kernels::math::{Mat3, Vec3};

/// A lower triangle L with D = L Lᵀ, in single precision: l₀₀, l₁₀, l₁₁, l₂₀, l₂₁, l₂₂.
#[derive(Debug, Clone, Copy)]
pub(super) struct BlockTriangle([f32; 6]);

impl BlockTriangle {
    /// The unit matrix.
    pub(super) const UNIT: Self = Self([1.0, 0.0, 1.0, 0.0, 0.0, 1.0]);

    /// The factor of a block; that of its mean, or the unit matrix, if the block is not positive definite.
    pub(super) fn of(block: &Mat3) -> Self {
        let mean = (block.trace() / 3.0).abs().sqrt() as f32;
        let scalar = Self([mean, 0.0, mean, 0.0, 0.0, mean]);
        let factors = [Self::factor(block), scalar];
        factors.into_iter().find(Self::is_sound).unwrap_or(Self::UNIT)
    }

    fn factor(block: &Mat3) -> Self {
        let a = block.at(0, 0).sqrt();
        let (b, d) = (block.at(1, 0) / a, block.at(2, 0) / a);
        let c = (block.at(1, 1) - b * b).sqrt();
        let e = (block.at(2, 1) - b * d) / c;
        let f = (block.at(2, 2) - d * d - e * e).sqrt();
        Self([a, b, c, d, e, f].map(|number| number as f32))
    }

    /// True if the triangle can be divided by.
    fn is_sound(&self) -> bool {
        let [a, _, c, _, _, f] = self.0;
        let is_positive = |number: f32| number.is_normal() && number > 0.0;
        is_positive(a) && is_positive(c) && is_positive(f) && self.0.iter().all(|l| l.is_finite())
    }

    /// L v.
    #[inline]
    pub(super) fn times(&self, v: DVec3) -> DVec3 {
        let [a, b, c, d, e, f] = self.0.map(f64::from);
        DVec3::new(a * v.x, b * v.x + c * v.y, d * v.x + e * v.y + f * v.z)
    }

    /// Lᵀ v.
    #[inline]
    pub(super) fn transposed_times(&self, v: DVec3) -> DVec3 {
        let [a, b, c, d, e, f] = self.0.map(f64::from);
        DVec3::new(a * v.x + b * v.y + d * v.z, c * v.y + e * v.z, f * v.z)
    }

    /// L⁻¹ v.
    #[inline]
    pub(super) fn solve(&self, v: DVec3) -> DVec3 {
        let [a, b, c, d, e, f] = self.0.map(f64::from);
        let x = v.x / a;
        let y = (v.y - b * x) / c;
        DVec3::new(x, y, (v.z - d * x - e * y) / f)
    }

    /// L⁻ᵀ v.
    #[inline]
    pub(super) fn transposed_solve(&self, v: DVec3) -> DVec3 {
        let [a, b, c, d, e, f] = self.0.map(f64::from);
        let z = v.z / f;
        let y = (v.y - e * z) / c;
        DVec3::new((v.x - b * y - d * z) / a, y, z)
    }

    /// L⁻¹ B M⁻ᵀ, for a block B and another triangle M.
    pub(super) fn scale(&self, block: &Mat3, other: &Self) -> Mat3 {
        let divide = |own: &Self, block: &Mat3| {
            Mat3(block.0.map(|column| Vec3(own.solve(DVec3::from(column)).to_array())))
        };
        divide(other, &divide(self, block).transpose()).transpose()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A block that is scaled by its own factor is the unit matrix to single precision, and solutions undo products.
    #[test]
    fn a_factor_scales_its_block_to_one() {
        let block = Mat3([Vec3([4.0, 1.0, -0.5]), Vec3([1.0, 3.0, 0.7]), Vec3([-0.5, 0.7, 2.0])]);
        let (l, v) = (BlockTriangle::of(&block), DVec3::new(0.3, -1.2, 2.0));
        let off = l.scale(&block, &l).add_diagonal(-1.0).norm_squared().sqrt();
        assert!(off < 1e-6, "{off:e}");
        assert!((l.solve(l.times(v)) - v).length() < 1e-14);
        assert!((l.transposed_solve(l.transposed_times(v)) - v).length() < 1e-14);
    }

    /// Blocks that are not positive definite, or not finite, have a factor that can be divided by.
    #[test]
    fn any_block_has_a_sound_factor() {
        for number in [0.0, -2.0, 1e-300, 1e300, f64::NAN, f64::INFINITY] {
            assert!(BlockTriangle::of(&(Mat3::IDENTITY * number)).is_sound());
        }
    }
}

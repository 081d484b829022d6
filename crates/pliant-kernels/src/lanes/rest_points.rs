//! Rest data of the quadrature points of a batch, apart from its cells: plastic flow changes it.

use std::ops::Deref;

use crate::math::{Mat3, Pack};

use super::Batch;

/// Numbers stored per rest point: the nine entries of J⁻¹ and the volume.
pub(super) const REST_POINT: usize = 10;

/// J⁻¹ and the volume of a quadrature point at rest.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RestPoint {
    /// ∂ξ/∂X.
    pub inverse: Mat3,
    /// Volume represented by the point, in m³.
    pub volume: f64,
}

impl RestPoint {
    /// Returns the point with another rest shape. The volume changes with it, by the ratio of the determinants of J⁻¹.
    #[must_use]
    pub fn flowed_to(&self, inverse: &Mat3) -> Self {
        Self { inverse: *inverse, volume: self.volume * (self.inverse.det() / inverse.det()) }
    }
}

/// J⁻¹ and volumes of the rest points of a batch, pack after pack, each J⁻¹ by columns.
///
/// A straight cell has one J⁻¹ and one volume for all its quadrature points. A curved cell has them for each point, and
/// so does a partly filled cell, whose points represent the material around them. Unused lanes of a pack are copies of
/// its first cell with zero volume.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct RestPoints {
    /// Rest points of a pack.
    per_pack: usize,
    pub(super) packs: Vec<[Pack; REST_POINT]>,
}

impl RestPoints {
    /// No points yet, for a batch without cells.
    pub fn new(batch: &Batch) -> Self {
        Self { per_pack: batch.rest_point_count(), packs: Vec::new() }
    }

    /// Returns their memory in bytes.
    pub fn bytes(&self) -> usize {
        size_of_val(&self.packs[..])
    }

    /// Returns true if these are the rest points of as many packs as the batch has.
    pub fn fit(&self, batch: &Batch) -> bool {
        self.per_pack == batch.rest_point_count()
            && self.packs.len() == batch.pack_count() * self.per_pack
    }

    /// Replaces the rest data of a point, given by pack, lane and point, of cells that are not straight.
    pub fn set(&mut self, place: [usize; 3], rest: &RestPoint) {
        self.set_inverse(place, &rest.inverse);
        self.set_volume(place, rest.volume);
    }

    /// Replaces ∂ξ/∂X of a point, after plastic flow has changed its rest shape.
    pub fn set_inverse(&mut self, place: [usize; 3], inverse: &Mat3) {
        let numbers = inverse.0.iter().flat_map(|column| column.0);
        let lane = place[1];
        self.point_mut(place).iter_mut().zip(numbers).for_each(|(slot, n)| slot[lane] = n);
    }

    /// Replaces the rest volume represented by a point, in m³.
    pub fn set_volume(&mut self, place: [usize; 3], volume: f64) {
        self.point_mut(place)[REST_POINT - 1][place[1]] = volume;
    }

    fn point_mut(&mut self, [pack, _, point]: [usize; 3]) -> &mut [Pack; REST_POINT] {
        debug_assert!(point < self.per_pack, "points with a rest shape each");
        &mut self.packs[pack * self.per_pack + point]
    }
}

/// A batch with the rest points that its cells have now: the input of all kernels that compute with F.
#[derive(Debug, Clone, Copy)]
pub struct RestBatch<'a> {
    batch: &'a Batch,
    packs: &'a [[Pack; REST_POINT]],
}

impl<'a> RestBatch<'a> {
    /// Joins a batch and its rest points.
    ///
    /// # Panics
    /// If they are those of another batch.
    pub fn new(batch: &'a Batch, rest: &'a RestPoints) -> Self {
        assert!(rest.fit(batch), "rest points of another model");
        Self { batch, packs: &rest.packs }
    }

    /// Returns the batch alone.
    #[inline]
    pub fn batch(&self) -> &'a Batch {
        self.batch
    }

    /// Returns the rest points of a pack: J⁻¹ by columns, then the volume. The volume of a straight cell has to be
    /// multiplied by the weight of each point; that of a curved cell already includes it.
    #[inline]
    pub fn pack_rest(&self, pack: usize) -> &'a [[Pack; REST_POINT]] {
        let count = self.batch.rest_point_count();
        &self.packs[pack * count..(pack + 1) * count]
    }

    /// Returns the rest point of a pack of cells with a single one, as stored.
    #[inline]
    pub(crate) fn first_rest_point(&self, pack: usize) -> &'a [Pack; REST_POINT] {
        &self.packs[pack]
    }

    /// Returns the rest data of a quadrature point, given by pack, lane and point.
    #[inline]
    pub fn rest_point(&self, [pack, lane, point]: [usize; 3]) -> RestPoint {
        let straight = self.batch.straight;
        let stored = &self.pack_rest(pack)[if straight { 0 } else { point }];
        let inverse = Mat3::from_fn(|i, j| stored[3 * j + i][lane]);
        let scale = if straight { self.batch.weights[point] } else { 1.0 };
        RestPoint { inverse, volume: stored[REST_POINT - 1][lane] * scale }
    }
}

impl Deref for RestBatch<'_> {
    type Target = Batch;

    #[inline]
    fn deref(&self) -> &Batch {
        self.batch
    }
}

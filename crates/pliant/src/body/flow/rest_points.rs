//! Plastic rest shapes of quadrature points.

use std::borrow::Cow;

use crate::body::model::model::Model;
use pliant_kernels::math::Mat3;

impl Model {
    /// Takes over the plastic rest shapes of the `wanted` cells from another model of the same mesh, also in cells
    /// whose material no longer flows.
    pub(crate) fn carry_flow(&mut self, other: &Self, wanted: impl Fn(u32) -> bool) {
        self.settle(other.flowed_cells().into_iter().filter(|cell| wanted(*cell)).collect());
        for batch in self.batches.iter_mut().filter(|batch| batch.plastic) {
            let kind = batch.kind;
            for old in other.batches.iter().filter(|old| old.plastic && old.kind == kind) {
                batch.carry_flow(old, &wanted);
            }
        }
    }

    /// Gives cells a rest shape per quadrature point although their material does not flow: the shape they flowed to
    /// earlier.
    pub(crate) fn settle(&mut self, mut cells: Vec<u32>) {
        cells.retain(|cell| self.material(*cell as usize).flow().is_none());
        if cells != self.settled {
            self.settled = cells;
            self.batches = self.packed();
        }
    }

    /// True if any cell has plastic rest shapes: its material flows, or did so earlier.
    pub fn is_plastic(&self) -> bool {
        self.batches.iter().any(|batch| batch.plastic)
    }

    /// The same model before any plastic flow: its rest shape is that of the mesh.
    pub(crate) fn unflowed(&self) -> Cow<'_, Self> {
        if !self.is_plastic() {
            return Cow::Borrowed(self);
        }
        let mut model = self.clone();
        model.batches = model.packed();
        Cow::Owned(model)
    }

    /// True if any cell has flowed.
    pub(crate) fn has_flowed(&self) -> bool {
        !self.flowed_cells().is_empty()
    }

    /// ∂ξ/∂X at all points that may flow, in the order of batches, packs, cells and points: the complete plastic state.
    pub fn flowed(&self) -> Vec<Mat3> {
        let batches = self.batches.iter().filter(|batch| batch.plastic);
        let points = batches.flat_map(|batch| {
            batch.places().map(|[pack, lane, point]| batch.rest_point(pack, lane, point).inverse)
        });
        points.collect()
    }

    /// Sets the plastic state from a list of [`Model::flowed`], of the same body.
    pub fn set_flowed(&mut self, flowed: &[Mat3]) {
        let mut flowed = flowed.iter();
        for batch in self.batches.iter_mut().filter(|batch| batch.plastic) {
            let places: Vec<_> = batch.places().collect();
            for (place, inverse) in places.into_iter().zip(&mut flowed) {
                batch.set_rest_inverse(place, inverse);
            }
        }
    }

    /// The rest volumes of the points that may flow, in m³, in the order of [`Model::flowed`].
    pub(crate) fn rest_volumes(&self) -> Vec<f64> {
        let batches = self.batches.iter().filter(|batch| batch.plastic);
        let points = batches.flat_map(|batch| {
            batch.places().map(|[pack, lane, point]| batch.rest_point(pack, lane, point).volume)
        });
        points.collect()
    }

    /// Sets the rest volumes from a list of [`Model::rest_volumes`], of the same body.
    pub(crate) fn set_rest_volumes(&mut self, volumes: &[f64]) {
        let mut volumes = volumes.iter();
        for batch in self.batches.iter_mut().filter(|batch| batch.plastic) {
            let places: Vec<_> = batch.places().collect();
            for (place, volume) in places.into_iter().zip(&mut volumes) {
                batch.set_rest_volume(place, *volume);
            }
        }
    }
}

//! Elastic energy and forces of a body.

use glam::DVec3;
use pliant_kernels::elastic::energy_and_forces;
use pliant_kernels::lanes::Width;

use crate::body::{Batch, Dilation, Model, RestShape};
use pliant_kernels::math::{LANES, Pack};

use super::gather::{Gather, batch_value_count, value_count};

/// Evaluates ∫ ψ(F) dX and its negative gradient, and owns the buffers for it.
///
/// The bits do not depend on the number of threads.
#[derive(Debug, Clone)]
pub struct Elastic {
    width: Width,
    /// True if changes of volume are measured at every point, whatever the model says.
    is_pointwise: bool,
    /// Forces of the nodes of every cell, batch after batch, with room for whole packs.
    pub(super) cell_forces: Vec<DVec3>,
    /// Energies of the cells of every pack.
    pub(super) energies: Vec<Pack>,
    pub(super) gather: Gather,
}

impl Elastic {
    /// Buffers for bodies of this model.
    pub fn new(model: &Model, width: Width) -> Self {
        let packs = model.batches().iter().map(Batch::pack_count).sum();
        let cell_forces = vec![DVec3::ZERO; value_count(model)];
        let energies = vec![[0.0; LANES]; packs];
        Self { width, is_pointwise: false, cell_forces, energies, gather: Gather::new(model) }
    }

    /// The same for a stepper that measures changes of volume at every point.
    pub fn pointwise(self) -> Self {
        Self { is_pointwise: true, ..self }
    }

    /// Writes the elastic force on every node at positions `x` and returns the energy, in J.
    pub fn forces(&mut self, rest: RestShape<'_>, x: &[DVec3], forces: &mut [DVec3]) -> f64 {
        self.evaluate_cells(rest, x);
        self.gather.sum(&self.cell_forces, forces);
        self.total_energy()
    }

    /// The elastic energy at positions `x`, in J.
    pub fn energy(&mut self, rest: RestShape<'_>, x: &[DVec3]) -> f64 {
        self.evaluate_cells(rest, x);
        self.total_energy()
    }

    fn total_energy(&self) -> f64 {
        self.energies.iter().flatten().sum()
    }

    /// Energy and forces of every cell without summation: the kernel alone, for measurements.
    pub fn evaluate_cells(&mut self, rest: RestShape<'_>, x: &[DVec3]) {
        let (mut forces, mut energies) = (&mut self.cell_forces[..], &mut self.energies[..]);
        for batch in rest.rest_batches() {
            let (batch_forces, batch_energies);
            (batch_forces, forces) = forces.split_at_mut(batch_value_count(&batch));
            (batch_energies, energies) = energies.split_at_mut(batch.pack_count());
            let dilation = if self.is_pointwise { Dilation::Pointwise } else { batch.dilation };
            energy_and_forces(self.width, (batch, dilation), x, batch_forces, batch_energies);
        }
    }
}

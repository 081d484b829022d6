//! Elastic energy and forces of a body.

use fearless_simd::{Level, dispatch};
use glam::DVec3;
use rayon::prelude::*;

use crate::body::{Batch, Model};
use crate::element::Kind;
use crate::math::{LANES, One, Pack, Wide};

use super::gather::{Gather, batch_value_count, value_count};
use super::kernel::{PackBuffer, energy_and_forces};

/// How many cells a kernel works on at once. The bits of the result are the same.
#[derive(Debug, Clone, Copy)]
pub enum Width {
    /// One cell after the other.
    One,
    /// A pack of cells, with the best instructions of the processor.
    Packs(Level),
}

impl Default for Width {
    fn default() -> Self {
        Self::Packs(Level::new())
    }
}

/// Packs that one task works on: some ten microseconds of work, well above the cost of a fork.
const PACKS_PER_TASK: usize = 32;

/// Evaluates ∫ ψ(F) dX and its negative gradient, and owns the buffers for it.
///
/// The bits do not depend on the number of threads.
#[derive(Debug, Clone)]
pub struct Elastic {
    width: Width,
    /// Forces of the nodes of every cell, batch after batch, with room for whole packs.
    cell_forces: Vec<DVec3>,
    /// Energies of the cells of every pack.
    energies: Vec<Pack>,
    gather: Gather,
}

impl Elastic {
    /// Buffers for bodies of this model.
    pub fn new(model: &Model, width: Width) -> Self {
        let packs = model.batches().iter().map(Batch::pack_count).sum();
        let cell_forces = vec![DVec3::ZERO; value_count(model)];
        let energies = vec![[0.0; LANES]; packs];
        Self { width, cell_forces, energies, gather: Gather::new(model) }
    }

    /// Writes the elastic force on every node at positions `x` and returns the energy, in J.
    pub fn forces(&mut self, model: &Model, x: &[DVec3], forces: &mut [DVec3]) -> f64 {
        self.evaluate_cells(model, x);
        self.gather.sum(&self.cell_forces, forces);
        self.total_energy()
    }

    /// The elastic energy at positions `x`, in J.
    pub fn energy(&mut self, model: &Model, x: &[DVec3]) -> f64 {
        self.evaluate_cells(model, x);
        self.total_energy()
    }

    fn total_energy(&self) -> f64 {
        self.energies.iter().flatten().sum()
    }

    /// Energy and forces of every cell, unsummed: the kernel alone, for measurements.
    pub fn evaluate_cells(&mut self, model: &Model, x: &[DVec3]) {
        let (mut forces, mut energies) = (&mut self.cell_forces[..], &mut self.energies[..]);
        for batch in model.batches() {
            let (batch_forces, batch_energies);
            (batch_forces, forces) = forces.split_at_mut(batch_value_count(batch));
            (batch_energies, energies) = energies.split_at_mut(batch.pack_count());
            evaluate_batch(self.width, batch, x, batch_forces, batch_energies);
        }
    }
}

fn evaluate_batch(
    width: Width,
    batch: &Batch,
    x: &[DVec3],
    forces: &mut [DVec3],
    energies: &mut [Pack],
) {
    match batch.kind {
        Kind::Tet4 => evaluate_kind::<4>(width, batch, x, forces, energies),
        Kind::Tet10 => evaluate_kind::<10>(width, batch, x, forces, energies),
        Kind::Tet20 => evaluate_kind::<20>(width, batch, x, forces, energies),
        Kind::Hex8 => evaluate_kind::<8>(width, batch, x, forces, energies),
        Kind::Hex27 => evaluate_kind::<27>(width, batch, x, forces, energies),
        Kind::Prism6 => evaluate_kind::<6>(width, batch, x, forces, energies),
        Kind::Pyramid5 => evaluate_kind::<5>(width, batch, x, forces, energies),
    }
}

fn evaluate_kind<const N: usize>(
    width: Width,
    batch: &Batch,
    x: &[DVec3],
    forces: &mut [DVec3],
    energies: &mut [Pack],
) {
    let cells = forces.as_chunks_mut::<N>().0;
    let work = |(task, (cells, energies)): (usize, (&mut [[DVec3; N]], &mut [Pack]))| {
        evaluate_packs(width, batch, task * PACKS_PER_TASK, x, cells, energies);
    };
    if batch.pack_count() <= PACKS_PER_TASK {
        work((0, (cells, energies)));
    } else {
        cells
            .par_chunks_mut(PACKS_PER_TASK * LANES)
            .zip(energies.par_chunks_mut(PACKS_PER_TASK))
            .enumerate()
            .for_each(work);
    }
}

/// Evaluates packs `first..` of a batch, as many as there is room for.
fn evaluate_packs<const N: usize>(
    width: Width,
    batch: &Batch,
    first: usize,
    x: &[DVec3],
    cells: &mut [[DVec3; N]],
    energies: &mut [Pack],
) {
    let mut each = |kernel: &mut dyn FnMut(usize, &mut PackBuffer<N>)| {
        let mut buffer = PackBuffer::new();
        for (k, energy) in energies.iter_mut().enumerate() {
            let nodes = batch.pack_nodes(first + k).first_chunk().expect("N nodes a cell");
            buffer.gather(nodes, x);
            kernel(first + k, &mut buffer);
            buffer.scatter(&mut cells[k * LANES..(k + 1) * LANES]);
            *energy = buffer.energy;
        }
    };
    match width {
        Width::One => each(&mut |pack, buffer| {
            (0..LANES).for_each(|lane| energy_and_forces(One(lane), batch, pack, buffer));
        }),
        Width::Packs(level) => each(&mut |pack, buffer| {
            dispatch!(level, simd => energy_and_forces(Wide(simd), batch, pack, buffer));
        }),
    }
}

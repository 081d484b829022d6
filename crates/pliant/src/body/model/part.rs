//! Models of some of the cells of another one.

use std::sync::Arc;

use crate::body::fracture::drawn::DrawnSurface;
use crate::body::model::model::Model;
use pliant_mesh::mesh::Part;

/// The neighbour of every cell through each of its faces, as `Mesh::cell_neighbours` returns it.
pub(crate) type CellNeighbours = [Vec<Option<u32>>];

impl Model {
    /// A model of some of the cells, with the same rest shapes and the same plastic flow. `joined` are the neighbours
    /// of all cells of this model. The new model has no skin: its boundary is touched. The masses of all parts sum up
    /// to the mass of this model.
    ///
    /// # Panics
    /// If the part does not fit the mesh (see [`Part::fits`]).
    pub(crate) fn part(&self, part: &Part, joined: &CellNeighbours) -> Self {
        let mesh = self.mesh.part(part);
        let neighbours = mesh.cell_neighbours();
        let of_cell = part.cells.iter().map(|cell| self.material_of_cell[*cell as usize]);
        let own = |cell: &u32| part.cell(*cell);
        let mut model = Self {
            material_of_cell: of_cell.collect(),
            materials: self.materials.clone(),
            contents: self.contents.as_ref().map(|contents| contents.of_cells(&part.cells)),
            boxes: self.boxes.as_ref().map(|boxes| Arc::new(boxes.part(part))),
            skin: None,
            masses: Vec::new(),
            batches: Vec::new(),
            config: self.config,
            settled: self.settled.iter().filter_map(own).collect(),
            inertia: None,
            toughness: self.toughness.of_cells(&part.cells),
            drawn: DrawnSurface::default(),
            fresh: self.fresh_of(part, &neighbours, joined),
            mesh,
        };
        model.masses = model.lumped_masses();
        model.batches = model.packed();
        for batch in model.batches.iter_mut().filter(|batch| batch.plastic) {
            let kind = batch.kind;
            for old in self.batches.iter().filter(|old| old.plastic && old.kind == kind) {
                batch.take_part(old, &part.cells);
            }
        }
        model
    }

    /// Faces of a part that a break opened, now or before; `joined` are the neighbours in this model, `own` those in
    /// the part.
    fn fresh_of(
        &self,
        part: &Part,
        own: &CellNeighbours,
        joined: &CellNeighbours,
    ) -> Vec<[u32; 2]> {
        let mut fresh = Vec::new();
        for (cell, (before, now)) in (0u32..).zip(part.cells.iter().copied().zip(own)) {
            for (face, now) in (0u32..).zip(now) {
                let opened = now.is_none() && joined[before as usize][face as usize].is_some();
                if opened || self.fresh.binary_search(&[before, face]).is_ok() {
                    fresh.push([cell, face]);
                }
            }
        }
        fresh
    }
}

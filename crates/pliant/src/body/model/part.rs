//! Models of some of the cells of another one.

use std::sync::{Arc, OnceLock};

use crate::body::model::model::Model;
use pliant_mesh::mesh::Fragment;

/// The neighbour of every cell through each of its faces, as `Mesh::cell_neighbours` returns it.
pub(crate) type CellNeighbours = [Vec<Option<u32>>];

impl Model {
    /// A model of some of the cells, with the same rest shapes. The new model has no skin: its boundary is touched. The masses of all parts sum up
    /// to the mass of this model.
    ///
    /// # Panics
    /// If the part does not fit the mesh (see [`Fragment::fits`]).
    pub(crate) fn part(&self, part: &Fragment) -> Self {
        let mesh = self.mesh.fragment(part);
        let of_cell = part.cells.iter().map(|cell| self.material_of_cell[*cell as usize]);
        let own = |cell: &u32| part.cell(*cell);
        let mut model = Self {
            material_of_cell: of_cell.collect(),
            materials: self.materials.clone(),
            contents: self.contents.as_ref().map(|contents| contents.of_cells(&part.cells)),
            boxes: self.boxes.as_ref().map(|boxes| Arc::new(boxes.fragment(part))),
            skin: None,
            touch: self.touch,
            smooth_boundary: OnceLock::new(),
            touching: OnceLock::new(),
            masses: Vec::new(),
            batches: Vec::new(),
            rest: Vec::new(),
            config: self.config,
            settled: self.settled.iter().filter_map(own).collect(),
            inertia: None,
            toughness: self.toughness.of_cells(&part.cells),
            splinters: None,
            mesh,
        };
        model.masses = model.lumped_masses();
        (model.batches, model.rest) = model.packed();
        model
    }
}

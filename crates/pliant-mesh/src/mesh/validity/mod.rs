//! Proof that the map of every cell is one-to-one.
//!
//! det J of a cell is a polynomial. Its Bernstein coefficients bound it from both sides, so
//! positive coefficients prove a cell valid, as in Johnen et al. 2013. Where some coefficient is
//! not positive although det J is positive at all corners, the cell is subdivided, and the bounds on
//! its parts are tighter.

mod certificate;
mod det_space;
mod simplex_space;

use rayon::prelude::*;

use crate::element::Kind;

use super::{Mesh, MeshError};

pub(super) use certificate::Certifier;
pub use certificate::{CellStatus, CellValidity};

/// The result of the validity proof of a mesh.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ValidityReport {
    /// Number of cells, all proved valid.
    pub cell_count: usize,
    /// Number of straight cells.
    pub straight_count: usize,
    /// Number of cells that had to be subdivided for the proof.
    pub subdivided_count: usize,
    /// The cell with the smallest lower bound of det J.
    pub worst_cell: usize,
    /// The bound of that cell, in m³ (for a linear tetrahedron det J is six times its volume).
    pub smallest_det: f64,
}

impl Mesh {
    /// Proves that det J > 0 everywhere in every cell, and that no two cells have the same
    /// corners; the error names the first cell that fails.
    ///
    /// ```
    /// use pliant_mesh::mesh::generate::{BoxConfig, box_mesh};
    ///
    /// let mesh = box_mesh(&BoxConfig::default())?;
    /// assert_eq!(mesh.certify()?.cell_count, 5);
    /// # Ok::<(), pliant_mesh::mesh::MeshError>(())
    /// ```
    pub fn certify(&self) -> Result<ValidityReport, MeshError> {
        self.check()?;
        self.check_duplicates()?;
        let mut report = ValidityReport {
            cell_count: self.cell_count(),
            straight_count: 0,
            subdivided_count: 0,
            worst_cell: 0,
            smallest_det: f64::INFINITY,
        };
        for (cell, validity) in self.validities().iter().enumerate() {
            self.check_status(cell, validity)?;
            report.add(cell, validity);
        }
        Ok(report)
    }

    /// Returns every cell that is not valid, with the reason.
    pub fn invalid_cells(&self) -> Vec<(usize, CellValidity)> {
        let all = self.validities().into_iter().enumerate();
        all.filter(|(_, validity)| validity.status != CellStatus::Valid).collect()
    }

    /// Returns pairs of cells with the same corners: the first cell, then each later one.
    pub fn duplicate_cells(&self) -> Vec<[usize; 2]> {
        let sorted_corners = |(cell, (kind, nodes)): (usize, (Kind, &[u32]))| {
            let mut corners = nodes[..kind.corner_count()].to_vec();
            corners.sort_unstable();
            (corners, cell)
        };
        let mut keyed: Vec<_> = self.cells().enumerate().map(sorted_corners).collect();
        keyed.par_sort_unstable();
        let runs = keyed.chunk_by(|a, b| a.0 == b.0);
        let mut pairs: Vec<_> =
            runs.flat_map(|run| run[1..].iter().map(|later| [run[0].1, later.1])).collect();
        pairs.sort_unstable();
        pairs
    }

    fn check_duplicates(&self) -> Result<(), MeshError> {
        match self.duplicate_cells().first() {
            Some(&[first, second]) => Err(MeshError::DuplicateCell { first, second }),
            None => Ok(()),
        }
    }

    /// Validity of every cell, in order.
    pub(super) fn validities(&self) -> Vec<CellValidity> {
        let mut validities = Vec::with_capacity(self.cell_count());
        for block in &self.blocks {
            let certifier = Certifier::new(block.kind);
            let cells = block.nodes.par_chunks_exact(block.kind.node_count());
            validities.par_extend(cells.map(|nodes| certifier.validity(&self.cell_points(nodes))));
        }
        validities
    }

    /// Returns an error if the cell is not valid.
    pub(super) fn check_status(
        &self,
        cell: usize,
        validity: &CellValidity,
    ) -> Result<(), MeshError> {
        if validity.status == CellStatus::Valid {
            return Ok(());
        }
        let (kind, _) = self.cell(cell);
        let how = validity.status.name();
        Err(MeshError::InvalidCell { cell, kind, how, det: validity.smallest_det })
    }
}

impl ValidityReport {
    fn add(&mut self, cell: usize, validity: &CellValidity) {
        self.straight_count += usize::from(validity.straight);
        self.subdivided_count += usize::from(validity.subdivided);
        if validity.smallest_det < self.smallest_det {
            (self.worst_cell, self.smallest_det) = (cell, validity.smallest_det);
        }
    }
}

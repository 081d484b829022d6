//! Uniform refinement into cells of half the size.

use glam::DVec3;

use crate::element::{Kind, barycentric_weights, lattice, restriction};

use super::conversion::{Child, converted};
use super::subdivision::{SubCell, halved};
use super::{Mesh, MeshError};

impl Mesh {
    /// Cuts every cell into cells of half the size and the same degree: tetrahedra, hexahedra and
    /// prisms into 8, pyramids into 6 pyramids and 4 tetrahedra. Regions and node sets are updated as in
    /// [`Mesh::elevated`].
    ///
    /// The geometry is kept exactly, except inside pyramids whose base is not a parallelogram: parts of their
    /// rational map cannot be represented exactly, so only their faces are kept.
    pub fn refined(&self) -> Result<Self, MeshError> {
        converted(self, |kind| {
            halved(kind.shape()).iter().map(|cell| refined_cell(kind, cell)).collect()
        })
    }
}

/// The part of a cell of kind `from` covered by `cell`, in the same degree.
fn refined_cell(from: Kind, cell: &SubCell) -> Result<Child, MeshError> {
    let (shape, p) = (cell.shape, from.degree());
    let kind = Kind::of(shape, p).ok_or(MeshError::NoSuchDegree { kind: from, degree: p })?;
    let points: Vec<[usize; 3]> =
        lattice(kind).iter().map(|point| parent_point(kind, cell, *point)).collect();
    let matrix = restriction(from, kind, |xi| affine_place(cell, xi));
    Ok(Child { kind, points, denominator: 2 * p, matrix })
}

/// Position of a lattice point of the part in its parent, in units of 1/(2p).
fn parent_point(kind: Kind, cell: &SubCell, point: [usize; 3]) -> [usize; 3] {
    let weights = barycentric_weights(kind.shape(), kind.degree(), point);
    let total: usize = weights.iter().sum();
    std::array::from_fn(|axis| {
        let sum: usize = weights.iter().zip(&cell.corners).map(|(w, c)| w * c[axis]).sum();
        sum * kind.degree() / total
    })
}

/// The map of the reference cell onto the part, which is always affine.
fn affine_place(cell: &SubCell, xi: DVec3) -> DVec3 {
    let corner = |k: usize| DVec3::from(cell.corners[k].map(|x| 0.5 * x as f64));
    let axes = cell.axis_corners().map(|k| corner(k) - corner(0));
    corner(0) + axes[0] * xi.x + axes[1] * xi.y + axes[2] * xi.z
}

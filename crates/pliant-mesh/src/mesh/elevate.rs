//! Degree elevation: the same geometry in cells of a higher degree.

use crate::element::{Kind, elevation};

use super::conversion::{Child, converted};
use super::{Mesh, MeshError};

impl Mesh {
    /// Returns the same geometry with cells of a higher degree; cells that already have that degree are kept.
    ///
    /// Regions are kept. A new node joins a node set if all the old nodes it is computed from belong to that set;
    /// where a cell connects two parts of a surface, this includes nodes inside the cell. Fails if there is no
    /// element of that degree, or if a cell has a higher degree already.
    pub fn elevated(&self, degree: usize) -> Result<Self, MeshError> {
        converted(self, |kind| Ok(vec![elevated_cell(kind, degree)?]))
    }
}

fn elevated_cell(kind: Kind, degree: usize) -> Result<Child, MeshError> {
    if degree < kind.degree() {
        return Err(MeshError::DegreeFalls { kind, degree });
    }
    let to = Kind::of(kind.shape(), degree).ok_or(MeshError::NoSuchDegree { kind, degree })?;
    Ok(Child::whole(to, elevation(kind, to)))
}

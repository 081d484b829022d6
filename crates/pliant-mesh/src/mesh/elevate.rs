//! The same shape in a higher degree.

use crate::element::{Kind, elevation};

use super::conversion::{Child, converted};
use super::{Mesh, MeshError};

impl Mesh {
    /// The same geometry with cells of a higher degree; cells of that degree already are kept.
    ///
    /// Regions are kept, and node sets grow by the new nodes between their members; where a cell
    /// joins two parts of a surface, that includes nodes inside it. Fails where there is no such
    /// element, or where a cell's degree would have to fall.
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

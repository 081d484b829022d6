//! What generators ask of their numbers.

use crate::element::{CellShape, Kind};
use crate::mesh::MeshError;

use super::Split;

/// Most nodes a generator makes; a body of this size would not fit into memory.
const MOST_NODES: f64 = 5e7;

/// A length, angle or factor that must be positive and finite.
pub(super) fn positive(what: &'static str, value: f64) -> Result<(), MeshError> {
    if value.is_finite() && value > 0.0 {
        return Ok(());
    }
    Err(MeshError::Generator { what, value, expected: "a positive finite number" })
}

/// A coordinate.
pub(super) fn finite(what: &'static str, value: f64) -> Result<(), MeshError> {
    if value.is_finite() {
        return Ok(());
    }
    Err(MeshError::Generator { what, value, expected: "a finite number" })
}

/// A number of cells.
pub(super) fn at_least_one(what: &'static str, count: usize) -> Result<(), MeshError> {
    if count > 0 {
        return Ok(());
    }
    Err(MeshError::Generator { what, value: 0.0, expected: "at least 1" })
}

/// That a split of this degree exists and `hexes` cells of it fit into memory.
pub(super) fn kind_and_size(split: Split, degree: usize, hexes: f64) -> Result<Kind, MeshError> {
    let kind = kind_of(split.shape(), degree)?;
    // Away from the boundary there are about p³ nodes a hexahedron, twice that with a centre.
    let doubled = if split.has_centre() { 2.0 } else { 1.0 };
    let value = hexes * (degree as f64).powi(3) * doubled;
    if value > MOST_NODES {
        let what = "the estimated number of nodes";
        return Err(MeshError::Generator { what, value, expected: "at most 50 million" });
    }
    Ok(kind)
}

fn kind_of(shape: CellShape, degree: usize) -> Result<Kind, MeshError> {
    let linear = Kind::of(shape, 1).expect("every shape has a linear element");
    Kind::of(shape, degree).ok_or(MeshError::NoSuchDegree { kind: linear, degree })
}

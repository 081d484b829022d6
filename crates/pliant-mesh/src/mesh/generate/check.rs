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

/// A positive length or angle that must stay below another.
pub(super) fn below(
    what: &'static str,
    value: f64,
    limit: f64,
    limit_name: &'static str,
) -> Result<(), MeshError> {
    positive(what, value)?;
    if value < limit {
        return Ok(());
    }
    Err(MeshError::TooLarge { what, value, limit, limit_name })
}

/// A number of cells.
pub(super) fn at_least(what: &'static str, count: usize, least: usize) -> Result<(), MeshError> {
    if count >= least {
        return Ok(());
    }
    Err(MeshError::TooFew { what, count, least })
}

/// Counts as floats, so that no product overflows.
pub(super) fn counts(cells: [usize; 3]) -> [f64; 3] {
    cells.map(|count| count as f64)
}

/// That a split of this degree exists and so many hexahedra along three directions fit into memory.
pub(super) fn kind_and_size(
    split: Split,
    degree: usize,
    counts: [f64; 3],
) -> Result<Kind, MeshError> {
    let kind = kind_of(split.shape(), degree)?;
    // The lattice of the split; a centre in every hexahedron adds about as many again.
    let doubled = if split.has_centre() { 2.0 } else { 1.0 };
    let value = doubled * counts.iter().map(|n| n * degree as f64 + 1.0).product::<f64>();
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

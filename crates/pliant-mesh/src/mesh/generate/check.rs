//! Checks of the parameters of generators.

use crate::element::{CellShape, Kind};
use crate::mesh::MeshError;

use super::Split;

/// Largest number of nodes that a generator makes; a larger body would not fit into memory.
const MAX_NODES: f64 = 5e7;

/// Checks that a length, angle or factor is positive and finite.
pub(super) fn positive(what: &'static str, value: f64) -> Result<(), MeshError> {
    if value.is_finite() && value > 0.0 {
        return Ok(());
    }
    Err(MeshError::Generator { what, value, expected: "a positive finite number" })
}

/// Checks that a coordinate is finite.
pub(super) fn finite(what: &'static str, value: f64) -> Result<(), MeshError> {
    if value.is_finite() {
        return Ok(());
    }
    Err(MeshError::Generator { what, value, expected: "a finite number" })
}

/// Checks that a length or angle is positive and less than another.
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

/// Checks a number of cells.
pub(super) fn at_least(what: &'static str, count: usize, least: usize) -> Result<(), MeshError> {
    if count >= least {
        return Ok(());
    }
    Err(MeshError::TooFew { what, count, least })
}

/// Converts counts to floats, so that no product overflows.
pub(super) fn counts(cells: [usize; 3]) -> [f64; 3] {
    cells.map(|count| count as f64)
}

/// Checks that a split of this degree exists and that this many hexahedra along three directions fit into memory.
pub(super) fn kind_and_size(
    split: Split,
    degree: usize,
    counts: [f64; 3],
) -> Result<Kind, MeshError> {
    let kind = kind_of(split.shape(), degree)?;
    // The nodes of the lattice; a centre in every hexahedron adds about as many again.
    let doubled = if split.has_centre() { 2.0 } else { 1.0 };
    let value = doubled * counts.iter().map(|n| n * degree as f64 + 1.0).product::<f64>();
    if value > MAX_NODES {
        let what = "the estimated number of nodes";
        return Err(MeshError::Generator { what, value, expected: "at most 50 million" });
    }
    Ok(kind)
}

fn kind_of(shape: CellShape, degree: usize) -> Result<Kind, MeshError> {
    let linear = Kind::of(shape, 1).expect("every shape has a linear element");
    Kind::of(shape, degree).ok_or(MeshError::NoSuchDegree { kind: linear, degree })
}

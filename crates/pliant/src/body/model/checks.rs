//! Checks of the input of a model.

use crate::body::limits::MAX_LENGTH;
use crate::body::model::config::ModelConfig;
use crate::body::model::contents_error::ContentsError;
use crate::body::model::error::ModelError;
use pliant_kernels::element::{CellShape, Kind};
use pliant_kernels::material::Material;
use pliant_mesh::mesh::{Mesh, MeshError};

/// The highest quadrature degree.
const MAX_QUADRATURE_DEGREE: usize = 20;

/// Checks size and position: lengths keep nine digits below the size of the body, and their powers stay finite.
pub(crate) fn check_scale(mesh: &Mesh) -> Result<(), ModelError> {
    let (low, high) = mesh.bounds();
    let (size, farthest) = ((high - low).length(), low.abs().max(high.abs()).max_element());
    let sound =
        (1.0 / MAX_LENGTH..=MAX_LENGTH).contains(&size) && farthest <= MAX_LENGTH * size.min(1.0);
    if sound { Ok(()) } else { Err(ModelError::OutOfScale { size, farthest }) }
}

/// Checks that all cells are hexahedra with straight, parallel sides: the moments of contents are exact only for
/// these.
pub(crate) fn check_boxes(mesh: &Mesh) -> Result<(), ModelError> {
    let straight = mesh.straight_cells();
    let sound = |kind: Kind, straight: bool| straight && kind.shape() == CellShape::Hexahedron;
    match mesh.cells().zip(straight).enumerate().find(|(_, ((kind, _), s))| !sound(*kind, *s)) {
        Some((cell, ((kind, _), _))) => Err(ContentsError::NotABox { cell, kind }.into()),
        None => Ok(()),
    }
}

/// Certifies every cell valid; the error names all invalid cells.
pub(crate) fn check_cells(mesh: &Mesh) -> Result<(), ModelError> {
    let cells = mesh.invalid_cells();
    if !cells.is_empty() {
        return Err(ModelError::InvalidCells { cells });
    }
    match mesh.duplicate_cells().first() {
        Some(&[first, second]) => Err(MeshError::DuplicateCell { first, second }.into()),
        None => Ok(()),
    }
}

/// Checks that every node belongs to a cell.
pub(crate) fn check_nodes(mesh: &Mesh) -> Result<(), ModelError> {
    let unused = mesh.unused_nodes();
    match unused.first() {
        Some(node) => Err(ModelError::UnusedNode { node: *node as usize, count: unused.len() }),
        None => Ok(()),
    }
}

/// Checks the materials, and that every cell has one of them.
pub(crate) fn check_materials(
    mesh: &Mesh,
    materials: &[Material],
    of_cell: &[u32],
) -> Result<(), ModelError> {
    for (index, material) in materials.iter().enumerate() {
        material.check().map_err(|source| ModelError::Material { index, source })?;
    }
    if of_cell.len() != mesh.cell_count() {
        let (given, cell_count) = (of_cell.len(), mesh.cell_count());
        return Err(ModelError::MaterialCount { given, cell_count });
    }
    let count = materials.len();
    match of_cell.iter().position(|material| *material as usize >= count) {
        Some(cell) => {
            let material = of_cell[cell] as usize;
            Err(ModelError::NoSuchMaterial { cell, material, count })
        }
        None => Ok(()),
    }
}

/// Checks that every law supports the dilation of the settings.
pub(crate) fn check_dilation(
    materials: &[Material],
    config: ModelConfig,
) -> Result<(), ModelError> {
    let Some(dilation) = config.dilation else { return Ok(()) };
    match materials.iter().position(|material| !dilation.suits(material.law)) {
        Some(index) => Err(ModelError::NoMeanDilation { index, law: materials[index].law }),
        None => Ok(()),
    }
}

/// Checks that the degree of the quadrature suits all kinds of cells.
pub(crate) fn check_quadrature(mesh: &Mesh, config: ModelConfig) -> Result<(), ModelError> {
    let Some(degree) = config.quadrature else { return Ok(()) };
    if degree > MAX_QUADRATURE_DEGREE {
        return Err(ModelError::QuadratureTooHigh { degree, most: MAX_QUADRATURE_DEGREE });
    }
    for block in &mesh.blocks {
        let (kind, least) = (block.kind, least_degree(block.kind));
        if degree < least {
            return Err(ModelError::QuadratureTooLow { kind, degree, least });
        }
    }
    Ok(())
}

/// The lowest degree at which only rigid motions have zero energy.
fn least_degree(kind: Kind) -> usize {
    match kind.shape() {
        CellShape::Tetrahedron => 2 * (kind.degree() - 1),
        _ => 2 * kind.degree(),
    }
}

//! Reasons why a mesh and materials cannot become a model.

use crate::body::model::contents_error::ContentsError;
use pliant_kernels::element::Kind;
use pliant_kernels::material::MaterialError;
use pliant_mesh::geometry::{ShapeError, SolidError};
use pliant_mesh::mesh::{CellValidity, MeshError};

/// A model that cannot be built.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ModelError {
    /// An invalid mesh.
    #[error(transparent)]
    Mesh(#[from] MeshError),
    /// Cells whose rest shape is not one-to-one: their quadrature cannot be trusted (Bargteil & Cohen 2014, figure
    /// 5).
    #[error(
        "{} cannot be at rest in this shape: {}; det J > 0 must be provable everywhere: move their nodes, remesh there, or take a less deformed shape",
        counted(cells.len()), listed(cells)
    )]
    InvalidCells {
        /// All invalid cells, each with the smallest det J found.
        cells: Vec<(usize, CellValidity)>,
    },
    /// Invalid contents.
    #[error(transparent)]
    Contents(#[from] ContentsError),
    /// A surface of a rigid body that does not enclose a solid.
    #[error("a rigid body needs a closed surface: {0}")]
    Solid(#[from] SolidError),
    /// An invalid shape of a rigid body.
    #[error(transparent)]
    Shape(#[from] ShapeError),
    /// A rigid body whose mass is not positive.
    #[error(
        "a rigid body of {volume:.3e} m³ would weigh {mass} kg, expected a positive number; give a mass or a density, and pin all its nodes if nothing is to move it"
    )]
    RigidMass {
        /// Its mass, in kg.
        mass: f64,
        /// Its volume, in m³.
        volume: f64,
    },
    /// A coarse skin that would not be like the drawn one.
    #[error(
        "a coarse skin within {within} of the diagonal of the body from the drawn one, expected 0 to {most}; 0.01 is the default"
    )]
    Touch {
        /// The share of the diagonal.
        within: f64,
        /// The largest that is allowed.
        most: f64,
    },
    /// A new rest shape for a rigid body.
    #[error("a rigid body has no other rest shape: place it by its state")]
    RigidShape,
    /// Plastic flow that belongs to another body.
    #[error(
        "what is to have flowed is that of another body: this one has {cells} cells, or other points in them, or shapes without volume are given"
    )]
    OtherFlow {
        /// Its cells.
        cells: usize,
    },
    /// The number of toughness shares is wrong.
    #[error(
        "there are {given} shares of toughness for {cell_count} cells: give one for each, or none"
    )]
    ToughnessCount {
        /// Number of shares.
        given: usize,
        /// Number of cells.
        cell_count: usize,
    },
    /// An invalid share of toughness.
    #[error("cell {cell} has {share} of the toughness of its material, expected 1e-6 to 1e6")]
    ToughnessShare {
        /// The first such cell.
        cell: usize,
        /// The value.
        share: f64,
    },
    /// An invalid seam.
    #[error(
        "seam {index} is {seam}: expected a point in m, a direction, and a share of the toughness above 0 and at most 1"
    )]
    Seam {
        /// Its index.
        index: usize,
        /// As it was given.
        seam: String,
    },
    /// Plastic strain cannot be reset in cells that do not flow.
    #[error(
        "cell {cell} does not flow: what is elastic has no rest shape but the mesh; commit the shape instead, or give all of the body a plastic material"
    )]
    Elastic {
        /// The first such cell.
        cell: usize,
    },
    /// A rest shape with a wrong number of positions.
    #[error("{given} positions were given as rest shape, but the mesh has {node_count} nodes")]
    RestCount {
        /// Positions given.
        given: usize,
        /// Positions needed.
        node_count: usize,
    },
    /// A node without a cell, which would have no mass.
    #[error(
        "node {node} belongs to no cell and would have no mass ({count} such nodes): leave them out with `without_unused_nodes`"
    )]
    UnusedNode {
        /// The first such node.
        node: usize,
        /// The number of them.
        count: usize,
    },
    /// A body that is too small, too large or too far away for double precision.
    #[error(
        "the body is {size:.3e} m across and reaches to {farthest:.3e} m from the origin, expected 1e-9 to 1e9 m across, within 1e9 m and within 1e9 times its size; lengths are in metres, scale it or move it"
    )]
    OutOfScale {
        /// Length of the diagonal of its bounds, in m.
        size: f64,
        /// Largest coordinate of its nodes, in m.
        farthest: f64,
    },
    /// An invalid material.
    #[error("material {index}: {source}")]
    Material {
        /// Its index.
        index: usize,
        /// The reason.
        source: MaterialError,
    },
    /// The number of cells with a material is wrong.
    #[error("{given} cells were given a material, but the mesh has {cell_count} cells")]
    MaterialCount {
        /// Entries given.
        given: usize,
        /// Entries needed.
        cell_count: usize,
    },
    /// A cell with a missing material.
    #[error("cell {cell} has material {material}, but there are {count} materials")]
    NoSuchMaterial {
        /// The cell.
        cell: usize,
        /// The index of the material.
        material: usize,
        /// The number of them.
        count: usize,
    },
    /// Mean dilation with a law that has no separate volume term.
    #[error(
        "material {index}: mean dilation was asked for, but the law {law} has no term of its own for changes of volume; use rest-stable, macklin-muller or smith, or pointwise dilation"
    )]
    NoMeanDilation {
        /// The index of the material.
        index: usize,
        /// Its law.
        law: pliant_kernels::material::LawKind,
    },
    /// A quadrature rule that is too low: some deformations of a cell would have zero energy.
    #[error(
        "quadrature of degree {degree} is too low for {kind}: some motions of a cell would cost no energy; use at least {least}"
    )]
    QuadratureTooLow {
        /// The kind of cell.
        kind: Kind,
        /// The degree that was asked for.
        degree: usize,
        /// The lowest degree that works.
        least: usize,
    },
    /// A quadrature rule of a higher degree than there is.
    #[error("quadrature of degree {degree} asked for: nothing beyond {most} is offered")]
    QuadratureTooHigh {
        /// The degree that was asked for.
        degree: usize,
        /// The highest degree.
        most: usize,
    },
}

/// Largest number of cells that a message lists.
const MAX_CELLS_NAMED: usize = 10;

fn counted(cells: usize) -> String {
    if cells == 1 { "1 cell".to_owned() } else { format!("{cells} cells") }
}

/// `cell 3 is partly inverted (det J -1.2e-3 m³), …`.
fn listed(cells: &[(usize, CellValidity)]) -> String {
    let named = cells.iter().take(MAX_CELLS_NAMED).map(|(cell, validity)| {
        let CellValidity { status, smallest_det, .. } = validity;
        format!("cell {cell} is {} (det J {smallest_det:.3e} m³)", status.name())
    });
    let mut words: Vec<String> = named.collect();
    if cells.len() > MAX_CELLS_NAMED {
        words.push(format!("and {} more", cells.len() - MAX_CELLS_NAMED));
    }
    words.join(", ")
}

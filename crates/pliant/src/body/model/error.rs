//! Reasons why a mesh and materials cannot become a model.

use crate::body::model::contents_error::ContentsError;
use crate::element::Kind;
use crate::geometry::{ShapeError, SolidError};
use crate::material::MaterialError;
use crate::mesh::{CellValidity, MeshError};

/// A model that cannot be built.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ModelError {
    /// The mesh is at fault.
    #[error(transparent)]
    Mesh(#[from] MeshError),
    /// Cells whose rest shape is not one-to-one: no quadrature of them can be trusted
    /// (Bargteil & Cohen 2014, figure 5).
    #[error(
        "{} cannot be at rest in this shape: {}; det J > 0 must be provable everywhere: move their nodes, remesh there, or take a less deformed shape",
        counted(cells.len()), listed(cells)
    )]
    InvalidCells {
        /// All of them, with the worst det J found.
        cells: Vec<(usize, CellValidity)>,
    },
    /// The contents of the cells are at fault.
    #[error(transparent)]
    Contents(#[from] ContentsError),
    /// The surface of a rigid body encloses no solid.
    #[error("a rigid body needs a closed surface: {0}")]
    Solid(#[from] SolidError),
    /// The shape of a rigid body is at fault.
    #[error(transparent)]
    Shape(#[from] ShapeError),
    /// A rigid body without weight.
    #[error(
        "a rigid body of {volume:.3e} m³ would weigh {mass} kg, expected a positive number; give a mass or a density, and pin all its nodes if nothing is to move it"
    )]
    RigidMass {
        /// Its mass, in kg.
        mass: f64,
        /// Its volume, in m³.
        volume: f64,
    },
    /// A new rest shape for what has but one.
    #[error("a rigid body has no other rest shape: place it by its state")]
    RigidShape,
    /// Flow of another body.
    #[error(
        "what is to have flowed is that of another body: this one has {cells} cells, or other points in them, or shapes without volume are given"
    )]
    OtherFlow {
        /// Its cells.
        cells: usize,
    },
    /// Toughness of other cells.
    #[error(
        "there are {given} shares of toughness for {cell_count} cells: give one for each, or none"
    )]
    ToughnessCount {
        /// Shares given.
        given: usize,
        /// Cells there are.
        cell_count: usize,
    },
    /// A share of toughness that is none.
    #[error("cell {cell} has {share} of the toughness of its material, expected 1e-6 to 1e6")]
    ToughnessShare {
        /// The first such cell.
        cell: usize,
        /// The value.
        share: f64,
    },
    /// A seam that is none.
    #[error(
        "seam {index} is {seam}: expected a point in m, a direction, and a share of the toughness above 0 and at most 1"
    )]
    Seam {
        /// Its place in the list.
        index: usize,
        /// As it was given.
        seam: String,
    },
    /// Plastic strain cannot be counted anew where nothing flows.
    #[error(
        "cell {cell} does not flow: what is elastic has no rest shape but the mesh; commit the shape instead, or give all of the body a plastic material"
    )]
    Elastic {
        /// The first such cell.
        cell: usize,
    },
    /// A rest shape of another mesh.
    #[error("{given} positions were given as rest shape, but the mesh has {node_count} nodes")]
    RestCount {
        /// Positions given.
        given: usize,
        /// Positions needed.
        node_count: usize,
    },
    /// A node that belongs to no cell would have no mass.
    #[error(
        "node {node} belongs to no cell and would have no mass ({count} such nodes): leave them out with `without_unused_nodes`"
    )]
    UnusedNode {
        /// The first of them.
        node: usize,
        /// How many there are.
        count: usize,
    },
    /// Too small, too large or too far away for the numbers that describe it.
    #[error(
        "the body is {size:.3e} m across and reaches to {farthest:.3e} m from the origin, expected 1e-9 to 1e9 m across, within 1e9 m and within 1e9 times its size; lengths are in metres, scale it or move it"
    )]
    OutOfScale {
        /// Length of the diagonal of its bounds, in m.
        size: f64,
        /// Largest coordinate of its nodes, in m.
        farthest: f64,
    },
    /// A material is at fault.
    #[error("material {index}: {source}")]
    Material {
        /// Its place in the list.
        index: usize,
        /// What is wrong with it.
        source: MaterialError,
    },
    /// Not one material per cell.
    #[error("{given} cells were given a material, but the mesh has {cell_count} cells")]
    MaterialCount {
        /// Entries given.
        given: usize,
        /// Entries needed.
        cell_count: usize,
    },
    /// A cell names a material that is not there.
    #[error("cell {cell} has material {material}, but there are {count} materials")]
    NoSuchMaterial {
        /// The cell.
        cell: usize,
        /// The material's number.
        material: usize,
        /// How many there are.
        count: usize,
    },
    /// A law without a volume term to be averaged.
    #[error(
        "material {index}: mean dilation was asked for, but the law {law} has no term of its own for changes of volume; use rest-stable, macklin-muller or smith, or pointwise dilation"
    )]
    NoMeanDilation {
        /// The material's number.
        index: usize,
        /// Its law.
        law: crate::material::LawKind,
    },
    /// A quadrature rule too low to hold a cell together.
    #[error(
        "quadrature of degree {degree} is too low for {kind}: some motions of a cell would cost no energy; use at least {least}"
    )]
    QuadratureTooLow {
        /// The kind of cell.
        kind: Kind,
        /// The degree asked for.
        degree: usize,
        /// The least that works.
        least: usize,
    },
    /// A quadrature rule too high to be meant.
    #[error("quadrature of degree {degree} asked for: nothing beyond {most} is offered")]
    QuadratureTooHigh {
        /// The degree asked for.
        degree: usize,
        /// The highest offered.
        most: usize,
    },
}

/// Cells that a message names one by one.
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

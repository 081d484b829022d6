//! The shapes that a scene can generate.

use pliant::mesh::{Mesh, MeshError};
use pliant_mesh::mesh::generate::{
    BallConfig, BoxConfig, CurvedBarConfig, FinConfig, HelixConfig, SculptureConfig, Split,
    TorusConfig, ball, box_mesh, curved_bar, fin, helix, sculpture, torus,
};

/// Maximum number of nodes of all generated meshes of a scene together, and of each refined mesh: 4 GB.
pub(crate) const MAX_NODES: f64 = 2e6;

/// A shape with a mesh generator.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum MeshShape {
    /// A box or straight bar.
    Box(BoxConfig),
    /// A ball.
    Ball(BallConfig),
    /// A ring with a round cross-section.
    Torus(TorusConfig),
    /// A bar bent into an arc.
    CurvedBar(CurvedBarConfig),
    /// A helical wire.
    Helix(HelixConfig),
    /// A fish fin.
    Fin(FinConfig),
    /// A twisted loop on a base.
    Sculpture(SculptureConfig),
}

impl MeshShape {
    /// Generates its mesh.
    ///
    /// # Errors
    ///
    /// Returns the error of the generator if its parameters are invalid.
    pub fn mesh(&self) -> Result<Mesh, MeshError> {
        match self {
            Self::Box(config) => box_mesh(config),
            Self::Ball(config) => ball(config),
            Self::Torus(config) => torus(config),
            Self::CurvedBar(config) => curved_bar(config),
            Self::Helix(config) => helix(config),
            Self::Fin(config) => fin(config),
            Self::Sculpture(config) => sculpture(config),
        }
    }

    /// Checks with the generator that the parameters are valid together.
    pub(crate) fn check(&self) -> Result<(), MeshError> {
        match self {
            Self::Box(config) => config.check(),
            Self::Ball(config) => config.check(),
            Self::Torus(config) => config.check(),
            Self::CurvedBar(config) => config.check(),
            Self::Helix(config) => config.check(),
            Self::Fin(config) => config.check(),
            Self::Sculpture(config) => config.check(),
        }
    }

    /// Estimates the number of nodes: p³ per hexahedron, twice that if cells have a node in the centre.
    pub(crate) fn estimated_nodes(&self) -> f64 {
        let (counts, split, degree) = match self {
            Self::Box(c) => (c.cells.to_vec(), c.split, c.degree),
            Self::Ball(c) => (vec![c.cells, c.cells, c.cells + 6 * c.layers], c.split, c.degree),
            Self::Torus(c) => (vec![c.cells, c.cells + 4 * c.layers, c.around], c.split, c.degree),
            Self::CurvedBar(c) => (c.cells.to_vec(), c.split, c.degree),
            Self::Helix(c) => (vec![c.cells, c.cells + 4 * c.layers, c.along], c.split, c.degree),
            Self::Fin(c) => (c.cells.to_vec(), c.split, c.degree),
            Self::Sculpture(c) => (c.counts().to_vec(), c.split, c.degree),
        };
        nodes_of(&counts, split) * (degree as f64).powi(3)
    }
}

fn nodes_of(counts: &[usize], split: Split) -> f64 {
    let hexes: f64 = counts.iter().map(|count| *count as f64).product();
    if split.has_centre() { 2.0 * hexes } else { hexes }
}

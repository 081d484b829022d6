//! The cells of a body with the surface that they carry.

use pliant::body::{Contents, Model, ModelConfig, ModelError};
use pliant::geometry::Surface;
use pliant::material::Material;
use pliant::mesh::Mesh;

use super::{CellMethod, ChosenCells, Misfit, SurfaceCellsError};
use crate::Embedding;
use crate::tets::{Tetrahedra, tetrahedra};
use crate::voxels::{Voxels, voxelize};

/// The cells of a body that was made for a surface.
#[derive(Debug, Clone, PartialEq)]
pub struct SurfaceCells {
    /// The cells.
    pub mesh: Mesh,
    /// The matter in each cell, if the cells are voxels.
    pub contents: Option<Contents>,
    /// The surface and its places in the cells. Voxels split its triangles where they pass from cell to cell.
    pub embedding: Embedding,
    /// Why the cells are not tetrahedra, if the choice was automatic.
    pub misfit: Option<Misfit>,
}

impl SurfaceCells {
    /// Makes cells for a surface.
    ///
    /// ```
    /// use pliant::Material;
    /// use pliant_mesher::choose::{CellMethod, SurfaceCells};
    /// use pliant_mesher::gallery::Figure;
    ///
    /// let cells = SurfaceCells::new(&Figure::Starfish.surface(0.05), CellMethod::default())?;
    /// let model = cells.model(Material::preset("rubber")?)?;
    /// assert!(model.skin().is_some());
    ///
    /// // Cloth has no thickness: tetrahedra cannot follow it.
    /// let shirt = SurfaceCells::new(&Figure::Shirt.surface(0.05), CellMethod::default())?;
    /// println!("voxels, because {}", shirt.misfit.ok_or("tetrahedra")?);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns the error of the chosen mesher; with [`CellMethod::Automatic`] only if a setting is out of range or neither mesher takes the surface.
    pub fn new(surface: &Surface, method: CellMethod) -> Result<Self, SurfaceCellsError> {
        match method {
            CellMethod::Automatic { cells, degree } => {
                Ok(match ChosenCells::new(surface, cells, degree)? {
                    ChosenCells::Tetrahedra { made, .. } => Self::of_tetrahedra(surface, *made),
                    ChosenCells::Voxels { made, misfit, .. } => {
                        Self::of_voxels(*made, Some(misfit))
                    }
                })
            }
            CellMethod::Tetrahedra(config) => {
                Ok(Self::of_tetrahedra(surface, tetrahedra(surface, &config)?))
            }
            CellMethod::Voxels(config) => Ok(Self::of_voxels(voxelize(surface, &config)?, None)),
        }
    }

    fn of_tetrahedra(surface: &Surface, made: Tetrahedra) -> Self {
        let Tetrahedra { mesh, places, .. } = made;
        let embedding = Embedding { surface: surface.clone(), places };
        Self { mesh, contents: None, embedding, misfit: None }
    }

    fn of_voxels(made: Voxels, misfit: Option<Misfit>) -> Self {
        let Voxels { mesh, contents, embedding, .. } = made;
        Self { mesh, contents: Some(contents), embedding, misfit }
    }

    /// The model of these cells in one material, drawn as the surface.
    ///
    /// # Errors
    ///
    /// Returns an error if the material is invalid.
    pub fn model(&self, material: Material) -> Result<Model, ModelError> {
        Ok(self.bare_model(material)?.with_skin(self.embedding.skin(&self.mesh)))
    }

    /// The model of these cells in one material, drawn as their boundary.
    ///
    /// # Errors
    ///
    /// Returns an error if the material is invalid.
    pub fn bare_model(&self, material: Material) -> Result<Model, ModelError> {
        let mesh = self.mesh.clone();
        match &self.contents {
            Some(contents) => {
                let config = ModelConfig::default();
                Model::with_contents(mesh, vec![material], contents.clone(), config)
            }
            None => Model::uniform(mesh, material),
        }
    }
}

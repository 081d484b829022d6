//! Variants of a model: another rest shape, other materials, or linear cells.

use std::sync::Arc;

use glam::DVec3;

use crate::body::model::config::ModelConfig;
use crate::body::model::error::ModelError;
use crate::body::model::model::Model;
use pliant_kernels::material::{LawKind, Material};
use pliant_mesh::mesh::Mesh;

impl Model {
    /// The lower level of a multigrid: a model of linear, corotated cells with the same corners, moduli and
    /// densities, and for each of its nodes the node of this model. None if the cells are linear already, or the
    /// corners alone do not form valid cells.
    pub fn linear_level(&self) -> Option<(Self, Vec<u32>)> {
        let (mesh, corners) = self.mesh.linear_level()?;
        let materials = self.materials.iter();
        let materials =
            materials.map(|material| Material { law: LawKind::Corotated, ..*material }).collect();
        let (of_cell, contents) = (self.material_of_cell.clone(), self.contents.clone());
        let boxes = self.boxes.as_ref().and_then(|boxes| Some(Arc::new(boxes.linear_level()?.0)));
        let model =
            Self::build(mesh, materials, of_cell, (contents, boxes), ModelConfig::default());
        Some((model.ok()?, corners))
    }

    /// The same model with its nodes at rest at `x`: "make this the rest shape" (Bargteil & Cohen 2014, section 3.7).
    ///
    /// Cells become as curved as `x`. Densities are kept, so the body becomes heavier where cells have grown. Returns
    /// an error if a cell of that shape cannot be certified valid.
    ///
    /// ```
    /// use pliant::mesh::generate::{BoxConfig, box_mesh};
    /// use pliant::{Material, Model};
    ///
    /// let bar = box_mesh(&BoxConfig { size: [4.0, 1.0, 1.0], degree: 2, ..Default::default() })?;
    /// let model = Model::uniform(bar, Material::default())?;
    /// let bent = |x: &glam::DVec3| *x + 0.05 * x.x * x.x * glam::DVec3::Y;
    /// let x: Vec<_> = model.mesh().nodes.iter().map(bent).collect();
    /// assert_eq!(model.at_shape(&x)?.mesh().nodes, x);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn at_shape(&self, x: &[DVec3]) -> Result<Self, ModelError> {
        let (given, node_count) = (x.len(), self.mesh.nodes.len());
        if given != node_count {
            return Err(ModelError::RestCount { given, node_count });
        }
        if self.is_rigid() {
            return Err(ModelError::RigidShape);
        }
        let mesh = Mesh { nodes: x.to_vec(), ..self.mesh.clone() };
        let (materials, of_cell) = (self.materials.clone(), self.material_of_cell.clone());
        let filled = (self.contents.clone(), self.boxes_for(x));
        let model = Self::build(mesh, materials, of_cell, filled, self.config)?;
        Ok(model.looking_like(self))
    }

    /// The same model with other materials, one for each of [`Model::materials`], in the same order. A rigid body
    /// keeps its mass. For a body that has flowed see [`FlowedModel::with_materials`](crate::body::FlowedModel::with_materials).
    ///
    /// # Errors
    ///
    /// Returns an error if a material is invalid or missing.
    pub fn with_materials(&self, materials: Vec<Material>) -> Result<Self, ModelError> {
        let (mesh, contents) = (self.mesh.clone(), self.contents.clone());
        if let Some(contents) = &contents {
            contents.check(mesh.cell_count(), materials.len())?;
        }
        let of_cell = self.material_of_cell.clone();
        let filled = (contents, self.boxes.clone());
        let model = Self::build(mesh, materials, of_cell, filled, self.config)?;
        let model = model.looking_like(self);
        Ok(match self.inertia {
            Some(inertia) => model.made_rigid(inertia),
            None => model,
        })
    }

    /// The same model with a rest shape per quadrature point for these cells, in ascending order, although their material
    /// does not flow: they keep the shape that they flowed to earlier.
    pub(crate) fn with_settled(mut self, mut cells: Vec<u32>) -> Self {
        cells.retain(|cell| self.material(*cell as usize).flow().is_none());
        if cells != self.settled {
            self.settled = cells;
            (self.batches, self.rest) = self.packed();
        }
        self
    }

    /// The same with the surfaces and the toughness of another model of the same mesh.
    fn looking_like(self, other: &Self) -> Self {
        Self {
            skin: other.skin.clone(),
            touch: other.touch,
            // Vertices keep their numbers, whatever the new rest shape is.
            touching: other.touching().clone().into(),
            toughness: other.toughness.clone(),
            splinters: other.splinters.clone(),
            ..self
        }
    }

    /// The mesh in which the contents were given, if `x` is another rest shape.
    fn boxes_for(&self, x: &[DVec3]) -> Option<Arc<Mesh>> {
        self.contents.as_ref()?;
        let boxes = self.boxes.clone().unwrap_or_else(|| Arc::new(self.mesh.clone()));
        (boxes.nodes[..] != *x).then_some(boxes)
    }
}

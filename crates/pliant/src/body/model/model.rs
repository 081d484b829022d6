//! The constant part of a body.

use std::sync::{Arc, OnceLock};

use crate::body::fracture::splinters::Splinters;
use crate::body::fracture::toughness_map::ToughnessMap;
use crate::body::model::checks::{
    check_boxes, check_cells, check_dilation, check_materials, check_nodes, check_quadrature,
    check_scale,
};
use crate::body::model::config::ModelConfig;
use crate::body::model::contents::Contents;
use crate::body::model::error::ModelError;
use crate::body::model::rigid::inertia::Inertia;
use crate::body::skin::skin::Skin;
use crate::body::skin::touching::{Touch, TouchingSkin};
use pliant_kernels::lanes::{Batch, RestBatch, RestPoints};
use pliant_kernels::material::Material;
use pliant_kernels::math::made_once;
use pliant_mesh::mesh::Mesh;

/// Mesh, materials, masses and rest data of a body: constant, and shared by all bodies that are made of it. Whatever
/// steps change is in [`State`](crate::body::State).
#[derive(Debug, Clone)]
pub struct Model {
    pub(in crate::body) mesh: Mesh,
    pub(in crate::body) materials: Vec<Material>,
    pub(in crate::body) material_of_cell: Vec<u32>,
    pub(in crate::body) contents: Option<Contents>,
    /// The mesh in which the contents were given, if the rest shape is another one.
    pub(in crate::body) boxes: Option<Arc<Mesh>>,
    pub(in crate::body) skin: Option<Skin>,
    /// What it touches through.
    pub(in crate::body) touch: Touch,
    /// The boundary of the mesh as it is drawn; made on first use.
    pub(in crate::body) smooth_boundary: OnceLock<Arc<Skin>>,
    /// The skin that touches; made on first use.
    pub(in crate::body) touching: OnceLock<TouchingSkin>,
    pub(in crate::body) masses: Vec<f64>,
    pub(in crate::body) batches: Vec<Batch>,
    /// The rest points of each batch, before any plastic flow.
    pub(in crate::body) rest: Vec<RestPoints>,
    pub(in crate::body) config: ModelConfig,
    /// Cells whose material does not flow but that keep the plastic rest shapes of an earlier material, in ascending
    /// order.
    pub(in crate::body) settled: Vec<u32>,
    /// Mass and inertia of a rigid body; none if the body deforms.
    pub(in crate::body) inertia: Option<Inertia>,
    /// Variation of the toughness over the body.
    pub(in crate::body) toughness: ToughnessMap,
    /// The surface that is drawn instead of the skin.
    pub(in crate::body) splinters: Option<Splinters>,
}

impl Model {
    /// A model of `mesh`, whose cells may have different materials.
    ///
    /// Every cell is certified valid first, so that kernels never see a cell without volume; the error names all
    /// invalid cells.
    pub fn new(
        mesh: Mesh,
        materials: Vec<Material>,
        material_of_cell: Vec<u32>,
        config: ModelConfig,
    ) -> Result<Self, ModelError> {
        Self::build(mesh, materials, material_of_cell, (None, None), config)
    }

    /// A model of hexahedra that are only partly filled: masses and stiffness follow from the matter inside them
    /// (Nesme et al. 2006, section 5). The law of a cell is that of the material with the largest share in it.
    pub fn with_contents(
        mesh: Mesh,
        materials: Vec<Material>,
        contents: Contents,
        config: ModelConfig,
    ) -> Result<Self, ModelError> {
        contents.check(mesh.cell_count(), materials.len())?;
        let material_of_cell = (0..mesh.cell_count()).map(|cell| contents.material(cell)).collect();
        Self::build(mesh, materials, material_of_cell, (Some(contents), None), config)
    }

    /// Checks all input, then makes masses and packs.
    pub(in crate::body) fn build(
        mesh: Mesh,
        materials: Vec<Material>,
        material_of_cell: Vec<u32>,
        (contents, boxes): Filled,
        config: ModelConfig,
    ) -> Result<Self, ModelError> {
        mesh.check()?;
        check_scale(&mesh)?;
        check_cells(&mesh)?;
        check_nodes(&mesh)?;
        check_materials(&mesh, &materials, &material_of_cell)?;
        check_quadrature(&mesh, config)?;
        check_dilation(&materials, config)?;
        if contents.is_some() {
            check_boxes(boxes.as_deref().unwrap_or(&mesh))?;
        }
        let (masses, batches, rest) = Default::default();
        let mut model = Self {
            mesh,
            materials,
            material_of_cell,
            contents,
            boxes,
            skin: None,
            touch: Touch::default(),
            smooth_boundary: OnceLock::new(),
            touching: OnceLock::new(),
            masses,
            batches,
            rest,
            config,
            settled: Vec::new(),
            inertia: None,
            toughness: ToughnessMap::default(),
            splinters: None,
        };
        model.masses = model.lumped_masses();
        (model.batches, model.rest) = model.packed();
        Ok(model)
    }

    /// A model of one material.
    pub fn uniform(mesh: Mesh, material: Material) -> Result<Self, ModelError> {
        let cells = vec![0; mesh.cell_count()];
        Self::new(mesh, vec![material], cells, ModelConfig::default())
    }

    /// The mesh; its nodes are the rest positions.
    pub fn mesh(&self) -> &Mesh {
        &self.mesh
    }

    /// The material of a cell.
    pub fn material(&self, cell: usize) -> &Material {
        &self.materials[self.material_of_cell[cell] as usize]
    }

    /// The settings it was built with.
    pub(crate) fn config(&self) -> &ModelConfig {
        &self.config
    }

    /// The material of every cell, as an index into [`Model::materials`].
    pub(crate) fn material_of_cell(&self) -> &[u32] {
        &self.material_of_cell
    }

    /// All materials, in the order of the indices in [`Contents`].
    pub fn materials(&self) -> &[Material] {
        &self.materials
    }

    /// The distribution of matter inside the cells; none if they are full.
    pub fn contents(&self) -> Option<&Contents> {
        self.contents.as_ref()
    }

    /// The mesh in which the contents were given.
    pub(in crate::body) fn boxes(&self) -> &Mesh {
        self.boxes.as_deref().unwrap_or(&self.mesh)
    }

    /// The contents, if the rest shape is still the mesh in which they were given.
    pub(crate) fn boxed_contents(&self) -> Option<&Contents> {
        self.contents.as_ref().filter(|_| self.boxes.is_none())
    }

    /// The same model with a skin of its own, which is drawn instead of the boundary of the mesh. [`Model::with_touch`] says what is touched.
    ///
    /// # Panics
    /// If the skin refers to nodes that the mesh does not have.
    #[must_use]
    pub fn with_skin(self, skin: Skin) -> Self {
        let count = self.mesh.nodes.len();
        assert!(skin.nodes_below(count), "a skin of another mesh: it has {count} nodes");
        Self { skin: Some(skin), touching: OnceLock::new(), ..self }
    }

    /// The same model that touches through another surface: a coarse form of its skin (the default), the skin itself, or the boundary of its
    /// mesh.
    ///
    /// # Errors
    ///
    /// Returns an error for a coarse form that may be farther away than half the diagonal.
    pub fn with_touch(self, touch: Touch) -> Result<Self, ModelError> {
        if let Some(within) = touch.wrong_share() {
            return Err(ModelError::Touch { within, most: Touch::MOST });
        }
        Ok(Self { touch, touching: OnceLock::new(), ..self })
    }

    /// What it touches through.
    pub fn touch(&self) -> Touch {
        self.touch
    }

    /// The skin through which it touches. It is made when it is first asked for.
    pub fn touching_skin(&self) -> &Arc<Skin> {
        &self.touching().skin
    }

    /// The largest distance of a vertex of the drawn skin from the skin that touches, at rest, in m; zero if they are the same, and for a
    /// boundary.
    pub fn touching_distance(&self) -> f64 {
        self.touching().distance
    }

    /// The boundary of the mesh, fine enough to look smooth where cells are curved.
    pub(crate) fn smooth_boundary(&self) -> &Skin {
        let smooth = || Arc::new(Skin::of_mesh(&self.mesh, Skin::subdivisions_for(&self.mesh)));
        made_once(&self.smooth_boundary, smooth).as_ref()
    }

    pub(in crate::body) fn touching(&self) -> &TouchingSkin {
        let make = || TouchingSkin::new(&self.mesh, self.skin.as_ref(), self.touch);
        made_once(&self.touching, make)
    }

    /// The drawn skin, if it was given one; if not, draw the boundary of the mesh.
    pub fn skin(&self) -> Option<&Skin> {
        self.skin.as_ref()
    }

    /// Lumped mass of every node, in kg.
    pub fn masses(&self) -> &[f64] {
        &self.masses
    }

    /// Total mass, in kg.
    pub fn mass(&self) -> f64 {
        self.masses.iter().sum()
    }

    /// Cells packed for the kernels, with their rest points before any plastic flow.
    #[doc(hidden)]
    pub fn rest_batches(&self) -> impl ExactSizeIterator<Item = RestBatch<'_>> {
        let batches = self.batches.iter().zip(&self.rest);
        batches.map(|(batch, rest)| RestBatch::new(batch, rest))
    }

    /// True if some cells can flow, or keep the shapes that they have flowed to.
    pub fn is_plastic(&self) -> bool {
        self.batches.iter().any(|batch| batch.plastic)
    }

    /// Cells packed for the kernels.
    #[doc(hidden)]
    pub fn batches(&self) -> &[Batch] {
        &self.batches
    }
}

/// The contents of cells, and the mesh in which they were given if the rest shape is another one.
pub(in crate::body) type Filled = (Option<Contents>, Option<Arc<Mesh>>);

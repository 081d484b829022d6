//! The constant part of a body.

use std::sync::Arc;

use crate::body::fracture::drawn::DrawnSurface;
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
use crate::material::Material;
use crate::mesh::Mesh;
use pliant_kernels::lanes::Batch;

/// Mesh, materials, masses and rest data: constant, and shared by all bodies made of it.
#[derive(Debug, Clone)]
pub struct Model {
    pub(in crate::body) mesh: Mesh,
    pub(in crate::body) materials: Vec<Material>,
    pub(in crate::body) material_of_cell: Vec<u32>,
    pub(in crate::body) contents: Option<Contents>,
    /// The boxes that the contents were counted in, if it rests in another shape than that.
    pub(in crate::body) boxes: Option<Arc<Mesh>>,
    pub(in crate::body) skin: Option<Skin>,
    pub(in crate::body) masses: Vec<f64>,
    pub(in crate::body) batches: Vec<Batch>,
    pub(in crate::body) config: ModelConfig,
    /// Cells that flow no more but rest in what they have flowed to, rising.
    pub(in crate::body) settled: Vec<u32>,
    /// Of a body that does not deform.
    pub(in crate::body) inertia: Option<Inertia>,
    /// Where it is tougher or less so than its materials.
    pub(in crate::body) toughness: ToughnessMap,
    /// What is drawn of it in the place of its skin.
    pub(in crate::body) drawn: DrawnSurface,
    /// Faces, by cell and number in it, that came to lie open when it broke.
    pub(in crate::body) fresh: Vec<[u32; 2]>,
}

impl Model {
    /// A model of `mesh`, whose cells may have different materials.
    ///
    /// Every cell is certified valid first, so that no kernel ever meets a cell without volume;
    /// the error names all that are not.
    pub fn new(
        mesh: Mesh,
        materials: Vec<Material>,
        material_of_cell: Vec<u32>,
        config: ModelConfig,
    ) -> Result<Self, ModelError> {
        Self::build(mesh, materials, material_of_cell, (None, None), config)
    }

    /// A model of hexahedra that are filled only in part: masses and stiffness follow the matter inside
    /// them (Nesme et al. 2006, section 5). The law is that of the material that most of a cell is of.
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
        let (masses, batches) = (Vec::new(), Vec::new());
        let mut model = Self {
            mesh,
            materials,
            material_of_cell,
            contents,
            boxes,
            skin: None,
            masses,
            batches,
            config,
            settled: Vec::new(),
            inertia: None,
            toughness: ToughnessMap::default(),
            drawn: DrawnSurface::default(),
            fresh: Vec::new(),
        };
        model.masses = model.lumped_masses();
        model.batches = model.packed();
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

    /// Choices made when it was built.
    pub(crate) fn config(&self) -> &ModelConfig {
        &self.config
    }

    /// The material of every cell, by number.
    pub(crate) fn material_of_cell(&self) -> &[u32] {
        &self.material_of_cell
    }

    /// All materials, by the numbers that [`Contents`] give.
    pub fn materials(&self) -> &[Material] {
        &self.materials
    }

    /// What is inside the cells, if they bound matter instead of being filled with it.
    pub fn contents(&self) -> Option<&Contents> {
        self.contents.as_ref()
    }

    /// The boxes that the contents of its cells are counted in.
    pub(in crate::body) fn boxes(&self) -> &Mesh {
        self.boxes.as_deref().unwrap_or(&self.mesh)
    }

    /// What is inside the cells, if they are still the boxes that it was counted in.
    pub(crate) fn boxed_contents(&self) -> Option<&Contents> {
        self.contents.as_ref().filter(|_| self.boxes.is_none())
    }

    /// The same with a surface of its own in the place of its boundary: what is drawn and touched.
    ///
    /// # Panics
    /// If the skin is that of another mesh, with more nodes.
    #[must_use]
    pub fn with_skin(self, skin: Skin) -> Self {
        let count = self.mesh.nodes.len();
        assert!(skin.nodes_below(count), "a skin of another mesh: it has {count} nodes");
        Self { skin: Some(skin), ..self }
    }

    /// The surface it was given, if any; otherwise its boundary is drawn and touched.
    pub fn skin(&self) -> Option<&Skin> {
        self.skin.as_ref()
    }

    /// Lumped mass of every node, in kg.
    pub fn masses(&self) -> &[f64] {
        &self.masses
    }

    /// Mass of the whole, in kg.
    pub fn mass(&self) -> f64 {
        self.masses.iter().sum()
    }

    /// The same to be changed: rest shapes of points where matter has flowed.
    pub(crate) fn batches_mut(&mut self) -> &mut [Batch] {
        &mut self.batches
    }

    /// Cells packed for the kernels.
    pub fn batches(&self) -> &[Batch] {
        &self.batches
    }
}

/// What is inside cells, and the boxes that it was counted in if they have another shape.
pub(in crate::body) type Filled = (Option<Contents>, Option<Arc<Mesh>>);

//! The constant part of a body.

use std::borrow::Cow;
use std::sync::Arc;

use glam::DVec3;
use pliant_kernels::lanes::RestCell;

use crate::body::fracture::drawn::{DrawnSurface, SplinterSource};
use crate::body::fracture::splinters::Splinters;
use crate::body::fracture::toughness_map::ToughnessMap;
use crate::body::material_point::MaterialPoint;
use crate::body::model::contents::Contents;
use crate::body::model::error::{ContentsError, ModelError};
use crate::body::model::filling::{Matter, PointShares, contents_mass};
use crate::body::model::mass::{MassMatrix, consistent_mass, lumped_masses};
use crate::body::model::rigid::inertia::Inertia;
use crate::body::model::rigid::regions::connected;
use crate::body::skin::skin::Skin;
use crate::element::{CellShape, Kind, QuadratureRule};
use crate::material::{LawKind, Material};
use crate::math::Mat3;
use crate::mesh::{Mesh, MeshError, Part};
use pliant_kernels::lanes::{Batch, Dilation};

/// Choices made when a model is built.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ModelConfig {
    /// Degree of the quadrature (default `None`: exact for the stiffness of straight cells and
    /// for the patch test of curved ones). Higher costs time in proportion to its points.
    pub quadrature: Option<usize>,
    /// Where changes of volume are counted (default pointwise; [`Dilation::Mean`] keeps nearly
    /// incompressible cells from locking, at little cost).
    pub dilation: Dilation,
}

/// The share of their stiffness that rigid cells have in kernels: so little that nothing feels it, and enough to divide by.
const UNFELT: f64 = 1e-12;

/// The highest quadrature degree offered.
const MOST_DEGREE: usize = 20;

/// Most that a body may measure, in m, and most of its sizes that it may lie from the origin.
pub(crate) const MOST_LENGTH: f64 = 1e9;

/// Mesh, materials, masses and rest data: constant, and shared by all bodies made of it.
#[derive(Debug, Clone)]
pub struct Model {
    mesh: Mesh,
    materials: Vec<Material>,
    material_of_cell: Vec<u32>,
    contents: Option<Contents>,
    /// The boxes that the contents were counted in, if it rests in another shape than that.
    boxes: Option<Arc<Mesh>>,
    skin: Option<Skin>,
    masses: Vec<f64>,
    batches: Vec<Batch>,
    config: ModelConfig,
    /// Cells that flow no more but rest in what they have flowed to, rising.
    settled: Vec<u32>,
    /// Of a body that does not deform.
    inertia: Option<Inertia>,
    /// Where it is tougher or less so than its materials.
    toughness: ToughnessMap,
    /// What is drawn of it in the place of its skin.
    drawn: DrawnSurface,
    /// Faces, by cell and number in it, that came to lie open when it broke.
    fresh: Vec<[u32; 2]>,
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

    fn build(
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

    /// The body of linear cells with the same corners, each corotated with the same moduli and density,
    /// and the nodes that its nodes are: the lower level of a multigrid. None if the cells are linear
    /// already, or their corners alone are no valid cells.
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

    /// The same body at rest with its nodes at `x`: "make this the rest shape" (Bargteil & Cohen
    /// 2014, section 3.7).
    ///
    /// Cells become as curved as `x` has them. Densities are kept, so where cells have grown
    /// the body is heavier. Fails where a cell of that shape cannot be certified valid.
    ///
    /// ```
    /// use pliant::body::Model;
    /// use pliant::material::Material;
    /// use pliant::mesh::generate::{BoxConfig, box_mesh};
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

    /// The same with the surfaces and the toughness of another model of the same mesh.
    fn looking_like(self, other: &Self) -> Self {
        Self {
            skin: other.skin.clone(),
            toughness: other.toughness.clone(),
            drawn: other
                .splinters()
                .cloned()
                .map_or_else(DrawnSurface::default, DrawnSurface::given),
            fresh: other.fresh.clone(),
            ..self
        }
    }

    /// The boxes that its contents are counted in, if it is to rest in another shape.
    fn boxes_for(&self, x: &[DVec3]) -> Option<Arc<Mesh>> {
        self.contents.as_ref()?;
        let boxes = self.boxes.clone().unwrap_or_else(|| Arc::new(self.mesh.clone()));
        (boxes.nodes[..] != *x).then_some(boxes)
    }

    /// The same body of other materials, one for each of [`Model::materials`] in their order. A body that
    /// does not deform keeps its mass, and matter that flows stays where it has flowed to.
    ///
    /// # Errors
    ///
    /// A material that cannot be, or too few of them.
    pub fn with_materials(&self, materials: Vec<Material>) -> Result<Self, ModelError> {
        let (mesh, contents) = (self.mesh.clone(), self.contents.clone());
        if let Some(contents) = &contents {
            contents.check(mesh.cell_count(), materials.len())?;
        }
        let of_cell = self.material_of_cell.clone();
        let filled = (contents, self.boxes.clone());
        let mut model = Self::build(mesh, materials, of_cell, filled, self.config)?;
        model.carry_flow(self, |_| true);
        let model = model.looking_like(self);
        Ok(match self.inertia {
            Some(inertia) => model.made_rigid(inertia),
            None => model,
        })
    }

    /// The same materials at rest in the shape that another model of the same mesh rests in, with what has flowed there: for a
    /// body that was made anew and goes on as the one before it.
    ///
    /// # Errors
    ///
    /// As for [`Model::at_shape`].
    pub fn going_on_from(&self, other: &Self) -> Result<Self, ModelError> {
        let mut model = self.at_shape(&other.mesh.nodes)?;
        model.carry_flow(other, |_| true);
        Ok(model)
    }

    /// Lets some of the cells rest in the shapes that they have flowed to in another model of the same mesh, also those that flow
    /// no more.
    pub(crate) fn carry_flow(&mut self, other: &Self, wanted: impl Fn(u32) -> bool) {
        self.settle(other.flowed_cells().into_iter().filter(|cell| wanted(*cell)).collect());
        for batch in self.batches.iter_mut().filter(|batch| batch.plastic) {
            let kind = batch.kind;
            for old in other.batches.iter().filter(|old| old.plastic && old.kind == kind) {
                batch.carry_flow(old, &wanted);
            }
        }
    }

    /// Lets cells rest in shapes of their own at every point, also those that do not flow.
    pub(crate) fn settle(&mut self, mut cells: Vec<u32>) {
        cells.retain(|cell| self.material(*cell as usize).flow().is_none());
        if cells != self.settled {
            self.settled = cells;
            self.batches = self.packed();
        }
    }

    /// The same as a body that does not deform: its single cell has a quarter of the mass at each node.
    #[must_use]
    pub(crate) fn made_rigid(self, inertia: Inertia) -> Self {
        let masses = vec![0.25 * inertia.mass; self.mesh.nodes.len()];
        Self { masses, inertia: Some(inertia), ..self }
    }

    /// Mass and inertia of a body that does not deform; none of one that does.
    pub fn inertia(&self) -> Option<&Inertia> {
        self.inertia.as_ref()
    }

    /// Whether bodies of it do not deform.
    pub fn is_rigid(&self) -> bool {
        self.inertia.is_some()
    }

    /// The mesh; its nodes are the rest positions.
    pub fn mesh(&self) -> &Mesh {
        &self.mesh
    }

    /// The material of a cell.
    pub fn material(&self, cell: usize) -> &Material {
        &self.materials[self.material_of_cell[cell] as usize]
    }

    /// What kernels see of the stiffness of a cell: all of it, or next to nothing of one that does not deform, since then
    /// nobody asks what it would take to.
    pub(crate) fn stiffness_share(&self, cell: usize) -> f64 {
        if self.material(cell).rigid { UNFELT } else { 1.0 }
    }

    /// The nodes of every region that does not deform, rising: of cells of rigid materials that hang together.
    pub fn rigid_regions(&self) -> Vec<Vec<u32>> {
        if !self.materials.iter().any(|material| material.rigid) {
            return Vec::new();
        }
        let cells = self.mesh.cells().enumerate();
        let rigid = cells.filter(|(cell, _)| self.material(*cell).rigid);
        connected(rigid.map(|(_, (_, nodes))| nodes), self.mesh.nodes.len())
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

    /// A part of it as a model of its own: the same cells at rest in the same shapes, with what has flowed in them. What is drawn
    /// of it goes with the cells that it is in; through its open faces it touches as it is. The masses of all parts are those of the
    /// whole.
    ///
    /// # Panics
    /// If it is a part of another mesh ([`Part::fits`] tells).
    pub(crate) fn part(&self, part: &Part, joined: &CellNeighbours) -> Self {
        let mesh = self.mesh.part(part);
        let neighbours = mesh.cell_neighbours();
        let of_cell = part.cells.iter().map(|cell| self.material_of_cell[*cell as usize]);
        let own = |cell: &u32| part.cell(*cell);
        let mut model = Self {
            material_of_cell: of_cell.collect(),
            materials: self.materials.clone(),
            contents: self.contents.as_ref().map(|contents| contents.of_cells(&part.cells)),
            boxes: self.boxes.as_ref().map(|boxes| Arc::new(boxes.part(part))),
            skin: None,
            masses: Vec::new(),
            batches: Vec::new(),
            config: self.config,
            settled: self.settled.iter().filter_map(own).collect(),
            inertia: None,
            toughness: self.toughness.of_cells(&part.cells),
            drawn: DrawnSurface::default(),
            fresh: self.fresh_of(part, &neighbours, joined),
            mesh,
        };
        model.masses = model.lumped_masses();
        model.batches = model.packed();
        for batch in model.batches.iter_mut().filter(|batch| batch.plastic) {
            let kind = batch.kind;
            for old in self.batches.iter().filter(|old| old.plastic && old.kind == kind) {
                batch.take_part(old, &part.cells);
            }
        }
        model
    }

    /// Open faces of a part that were not of the boundary at first; `joined` are the neighbours in the whole,
    /// `own` those in the part.
    fn fresh_of(
        &self,
        part: &Part,
        own: &CellNeighbours,
        joined: &CellNeighbours,
    ) -> Vec<[u32; 2]> {
        let mut fresh = Vec::new();
        for (cell, (before, now)) in (0u32..).zip(part.cells.iter().copied().zip(own)) {
            for (face, now) in (0u32..).zip(now) {
                let opened = now.is_none() && joined[before as usize][face as usize].is_some();
                if opened || self.fresh.binary_search(&[before, face]).is_ok() {
                    fresh.push([cell, face]);
                }
            }
        }
        fresh
    }

    /// Makes the surface that is drawn when it is first asked for.
    pub(crate) fn draw_later(&mut self, source: Arc<dyn SplinterSource>) {
        self.drawn = DrawnSurface::later(source);
    }

    /// The same with a surface that is drawn in the place of its skin, and touches nothing.
    ///
    /// # Panics
    /// If the splinters are those of another mesh, with more nodes.
    #[must_use]
    pub fn with_splinters(self, splinters: Splinters) -> Self {
        let count = self.mesh.nodes.len();
        let sound = splinters.skin().nodes_below(count);
        assert!(sound, "splinters of another mesh: it has {count} nodes");
        Self { drawn: DrawnSurface::given(splinters), ..self }
    }

    /// What is drawn in the place of its skin, if anything.
    pub fn splinters(&self) -> Option<&Splinters> {
        self.drawn.splinters(&self.mesh, &self.fresh)
    }

    /// The surface to be drawn, if it has one of its own; otherwise its boundary is.
    pub fn drawn(&self) -> Option<&Skin> {
        self.splinters().map(Splinters::skin).or(self.skin.as_ref())
    }

    /// Faces that came to lie open when it broke: cells, and the numbers of faces in them.
    pub fn fresh_faces(&self) -> &[[u32; 2]] {
        &self.fresh
    }

    /// The same where it is tougher or less so than its materials.
    ///
    /// # Errors
    ///
    /// A share for other cells than there are, a seam without direction, shares that are none.
    pub fn with_toughness(self, toughness: ToughnessMap) -> Result<Self, ModelError> {
        toughness.check(self.mesh.cell_count())?;
        Ok(Self { toughness, ..self })
    }

    /// Where it is tougher or less so than its materials.
    pub fn toughness(&self) -> &ToughnessMap {
        &self.toughness
    }

    /// Whether any of it may come apart.
    pub fn is_breakable(&self) -> bool {
        !self.is_rigid() && self.materials.iter().any(|material| material.breaks().is_some())
    }

    /// What is inside the cells, if they bound matter instead of being filled with it.
    pub fn contents(&self) -> Option<&Contents> {
        self.contents.as_ref()
    }

    /// The boxes that the contents of its cells are counted in.
    fn boxes(&self) -> &Mesh {
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

    /// The mass matrix consistent with the interpolation.
    pub fn consistent_mass(&self) -> MassMatrix {
        if self.is_rigid() {
            let nodes = (0u32..).zip(&self.masses);
            return MassMatrix::from_entries(nodes.map(|(node, m)| (node, node, *m)).collect());
        }
        match &self.contents {
            Some(contents) => contents_mass(self.boxes(), contents, &self.materials),
            None => consistent_mass(&self.mesh, |cell| self.material(cell).density),
        }
    }

    fn lumped_masses(&self) -> Vec<f64> {
        match self.contents {
            Some(_) => self.consistent_mass().lumped(self.mesh.nodes.len()),
            None => lumped_masses(&self.mesh, |cell| self.material(cell).density),
        }
    }

    /// Cells as they go into packs, seen by a quadrature rule.
    pub(crate) fn rest_cells<'a>(
        &'a self,
        rule: &QuadratureRule,
    ) -> impl Fn(u32) -> RestCell<'a> + use<'a> {
        let contents = self.contents.as_ref();
        let filled = contents.map(|c| (c, PointShares::new(rule, c.resolution)));
        move |cell| {
            let mut matter: Matter = match &filled {
                Some((contents, shares)) => shares.matter(contents, &self.materials, cell as usize),
                None => self.material(cell as usize).into(),
            };
            let share = self.stiffness_share(cell as usize);
            matter.constants.mu *= share;
            matter.constants.lambda *= share;
            let Matter { constants, weights } = matter;
            let (_, nodes) = self.mesh.cell(cell as usize);
            RestCell { nodes, points: self.mesh.cell_points(nodes), constants, weights }
        }
    }

    /// Sorts cells into groups of one kind, law and straightness, and packs each group.
    fn packed(&self) -> Vec<Batch> {
        let mesh = &self.mesh;
        let even = self.contents.is_none();
        let mut groups = Vec::new();
        for ((cell, (kind, _)), straight) in (0u32..).zip(mesh.cells()).zip(mesh.straight_cells()) {
            let material = self.material(cell as usize);
            let flows = material.flow().is_some() || self.settled.binary_search(&cell).is_ok();
            groups.push(((kind, material.law, straight && even, flows), cell));
        }
        groups.sort_unstable();
        let packed = groups.chunk_by(|a, b| a.0 == b.0).map(|group| {
            let (kind, law, straight, plastic) = group[0].0;
            let rule = self.rule(kind, straight);
            let cells: Vec<u32> = group.iter().map(|(_, cell)| *cell).collect();
            // Where matter flows, every point gets a rest shape of its own.
            let kept = (kind, law, straight && !plastic);
            let mut batch = Batch::new(&rule, kept);
            batch.push_run(&cells, &self.rest_cells(&rule));
            batch.plastic = plastic;
            batch.dilation = self.config.dilation;
            batch
        });
        packed.collect()
    }

    fn rule(&self, kind: Kind, straight: bool) -> QuadratureRule {
        match self.config.quadrature {
            Some(degree) => QuadratureRule::of_degree(kind.shape(), degree),
            // One point more along a side than an even cell has, to tell where the matter is.
            None if self.contents.is_some() => {
                QuadratureRule::of_degree(kind.shape(), 2 * kind.degree() + 2)
            }
            None if straight => QuadratureRule::for_straight(kind),
            None => QuadratureRule::for_curved(kind),
        }
    }

    /// Whether any of its materials flows.
    pub fn is_plastic(&self) -> bool {
        self.batches.iter().any(|batch| batch.plastic)
    }

    /// The same before anything has flowed, at rest in the shape of its mesh.
    pub(crate) fn unflowed(&self) -> Cow<'_, Self> {
        if !self.is_plastic() {
            return Cow::Borrowed(self);
        }
        let mut model = self.clone();
        model.batches = model.packed();
        Cow::Owned(model)
    }

    /// Whether matter has flowed somewhere.
    pub(crate) fn has_flowed(&self) -> bool {
        !self.flowed_cells().is_empty()
    }

    /// ∂ξ/∂X at all points where matter may flow, in the order of batches, packs, cells and points: all that flow remembers.
    pub fn flowed(&self) -> Vec<Mat3> {
        let batches = self.batches.iter().filter(|batch| batch.plastic);
        let points = batches.flat_map(|batch| {
            batch.places().map(|[pack, lane, point]| batch.rest_point(pack, lane, point).inverse)
        });
        points.collect()
    }

    /// Takes up such a list, of the same body.
    pub fn set_flowed(&mut self, flowed: &[Mat3]) {
        let mut flowed = flowed.iter();
        for batch in self.batches.iter_mut().filter(|batch| batch.plastic) {
            let places: Vec<_> = batch.places().collect();
            for (place, inverse) in places.into_iter().zip(&mut flowed) {
                batch.set_rest_inverse(place, inverse);
            }
        }
    }

    /// The volumes of those points at rest, in m³, in the same order.
    pub(crate) fn rest_volumes(&self) -> Vec<f64> {
        let batches = self.batches.iter().filter(|batch| batch.plastic);
        let points = batches.flat_map(|batch| {
            batch.places().map(|[pack, lane, point]| batch.rest_point(pack, lane, point).volume)
        });
        points.collect()
    }

    /// Takes up such a list, of the same body.
    pub(crate) fn set_rest_volumes(&mut self, volumes: &[f64]) {
        let mut volumes = volumes.iter();
        for batch in self.batches.iter_mut().filter(|batch| batch.plastic) {
            let places: Vec<_> = batch.places().collect();
            for (place, volume) in places.into_iter().zip(&mut volumes) {
                batch.set_rest_volume(place, *volume);
            }
        }
    }

    /// The same to be changed: rest shapes of points where matter has flowed.
    pub(crate) fn batches_mut(&mut self) -> &mut [Batch] {
        &mut self.batches
    }

    /// Cells packed for the kernels.
    pub fn batches(&self) -> &[Batch] {
        &self.batches
    }

    /// The material point that rests at `position`, if it lies in the body: where cells lie on one
    /// another, the one with matter nearest to it. A rigid body has all points within the bounds of its
    /// skin.
    pub fn locate(&self, position: DVec3) -> Option<MaterialPoint> {
        if let Some(inertia) = &self.inertia {
            return self.skin_bounds_hold(position).then(|| inertia.point(position));
        }
        let Some(contents) = &self.contents else {
            return MaterialPoint::locate(&self.mesh, position);
        };
        let points = MaterialPoint::locate_all(&self.mesh, position);
        let distance = |point: &MaterialPoint| {
            let cell = point.cell as usize;
            let inverse = self.mesh.straight_jacobian(cell).inverse();
            let first = self.mesh.nodes[self.mesh.cell(cell).1[0] as usize];
            contents.distance(cell, DVec3::from(inverse.mul_vec((position - first).into())))
        };
        points.min_by(|a, b| distance(a).total_cmp(&distance(b)))
    }

    /// Whether a point lies within the bounds of the skin at rest, or a billionth of their size beyond.
    fn skin_bounds_hold(&self, position: DVec3) -> bool {
        let mut vertices = Vec::new();
        self.skin.iter().for_each(|skin| skin.interpolate(&self.mesh.nodes, &mut vertices));
        let low = vertices.iter().fold(DVec3::INFINITY, |low, x| low.min(*x));
        let high = vertices.iter().fold(DVec3::NEG_INFINITY, |high, x| high.max(*x));
        let slack = 1e-9 * (high - low);
        position.cmpge(low - slack).all() && position.cmple(high + slack).all()
    }
}

/// The neighbour of every cell through each of its faces: [`Mesh::cell_neighbours`].
pub(crate) type CellNeighbours = [Vec<Option<u32>>];

/// What is inside cells, and the boxes that it was counted in if they have another shape.
type Filled = (Option<Contents>, Option<Arc<Mesh>>);

/// Checks that lengths keep nine digits below the size of the body, and their powers finite.
fn check_scale(mesh: &Mesh) -> Result<(), ModelError> {
    let (low, high) = mesh.bounds();
    let (size, farthest) = ((high - low).length(), low.abs().max(high.abs()).max_element());
    let sound = (1.0 / MOST_LENGTH..=MOST_LENGTH).contains(&size)
        && farthest <= MOST_LENGTH * size.min(1.0);
    if sound { Ok(()) } else { Err(ModelError::OutOfScale { size, farthest }) }
}

/// Checks that all cells are straight hexahedra: only of those the contents are known by moments.
fn check_boxes(mesh: &Mesh) -> Result<(), ModelError> {
    let straight = mesh.straight_cells();
    let sound = |kind: Kind, straight: bool| straight && kind.shape() == CellShape::Hexahedron;
    match mesh.cells().zip(straight).enumerate().find(|(_, ((kind, _), s))| !sound(*kind, *s)) {
        Some((cell, ((kind, _), _))) => Err(ContentsError::NotABox { cell, kind }.into()),
        None => Ok(()),
    }
}

/// Proves every cell valid, or names all that are not.
fn check_cells(mesh: &Mesh) -> Result<(), ModelError> {
    let cells = mesh.invalid_cells();
    if !cells.is_empty() {
        return Err(ModelError::InvalidCells { cells });
    }
    match mesh.duplicate_cells().first() {
        Some(&[first, second]) => Err(MeshError::DuplicateCell { first, second }.into()),
        None => Ok(()),
    }
}

fn check_nodes(mesh: &Mesh) -> Result<(), ModelError> {
    let unused = mesh.unused_nodes();
    match unused.first() {
        Some(node) => Err(ModelError::UnusedNode { node: *node as usize, count: unused.len() }),
        None => Ok(()),
    }
}

fn check_materials(mesh: &Mesh, materials: &[Material], of_cell: &[u32]) -> Result<(), ModelError> {
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

fn check_dilation(materials: &[Material], config: ModelConfig) -> Result<(), ModelError> {
    match materials.iter().position(|material| !config.dilation.suits(material.law)) {
        Some(index) => Err(ModelError::NoMeanDilation { index, law: materials[index].law }),
        None => Ok(()),
    }
}

fn check_quadrature(mesh: &Mesh, config: ModelConfig) -> Result<(), ModelError> {
    let Some(degree) = config.quadrature else { return Ok(()) };
    if degree > MOST_DEGREE {
        return Err(ModelError::QuadratureTooHigh { degree, most: MOST_DEGREE });
    }
    for block in &mesh.blocks {
        let (kind, least) = (block.kind, least_degree(block.kind));
        if degree < least {
            return Err(ModelError::QuadratureTooLow { kind, degree, least });
        }
    }
    Ok(())
}

/// The least degree at which only rigid motions cost no energy.
fn least_degree(kind: Kind) -> usize {
    match kind.shape() {
        CellShape::Tetrahedron => 2 * (kind.degree() - 1),
        _ => 2 * kind.degree(),
    }
}

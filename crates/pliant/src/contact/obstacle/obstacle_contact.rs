//! Contact of a body with obstacles.

use std::sync::Arc;

use glam::DVec3;

use crate::body::{Model, Skin, State};
use crate::contact::detect::collider::facets::Facets;
use crate::contact::law::vertex_law::VertexLaw;
use crate::persist::{Persist, Reader, SnapshotError, Writer};

use super::features::anchors::FeatureAnchors;
use super::features::search::FeatureSearch;
use super::friction_anchors::{FrictionAnchor, VertexAnchors};
use super::overlap::Overlap;
use super::point_contact::PointContact;
use super::touches::ObstacleTouches;

/// Contacts of one body with obstacles, and the buffers for finding them.
///
/// ```
/// use pliant::body::State;
/// use pliant::internals::{ObstacleContact, PointForces, Reach};
/// use pliant::mesh::generate::{BoxConfig, box_mesh};
/// use pliant::{Material, Model, Obstacle};
/// use pliant_kernels::math::TimeStep;
///
/// let model = Model::uniform(box_mesh(&BoxConfig::default())?, Material::default())?;
/// let mut state = State::at_rest(&model.mesh().nodes);
/// state.x.iter_mut().for_each(|x| x.y -= 1e-4);
///
/// let mut contact = ObstacleContact::new(&model);
/// let mut points = PointForces::default();
/// let step = TimeStep { t: 0.0, h: 1.0 / 60.0 };
/// contact.gather(&[Obstacle::ground(0.5)], &state, step, Reach::Ahead, &mut points);
/// assert!(points.len() >= 4, "the lower corners are in contact");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct ObstacleContact {
    pub(super) skin: Arc<Skin>,
    pub(super) laws: Vec<VertexLaw>,
    /// Masses of the nodes, in kg.
    pub(super) masses: Vec<f64>,
    /// The mass of the body, in kg.
    pub(super) mass: f64,
    /// True for a rigid body, whose mass limits the stiffness of its contacts.
    pub(super) is_rigid: bool,
    /// Triangles and edges of the skin; `None` if it is not a surface, and only its vertices touch.
    pub(super) facets: Option<Arc<Facets>>,
    /// The friction memory of every vertex.
    pub(super) anchors: Vec<VertexAnchors>,
    /// That of points that meet corners and edges of obstacles.
    pub(super) feature_anchors: FeatureAnchors,
    /// Speed below which a body counts as at rest, in m/s.
    pub(super) sticking: f64,
    /// Positions and velocities of the vertices.
    pub(super) x: Vec<DVec3>,
    pub(super) v: Vec<DVec3>,
    /// What gravity adds to the way of a vertex in the step, in m, if the body was just placed.
    pub(super) fall: DVec3,
    /// Contacts with one obstacle, and with all of them.
    pub(super) contacts: Vec<PointContact>,
    pub(super) gathered: Vec<PointContact>,
    pub(super) search: FeatureSearch,
    /// Depth of every vertex in the present obstacle, along its normal, in m; filled if other points may touch it.
    pub(super) depths: Vec<DVec3>,
    /// Impulses of the contacts, in N·s.
    pub(super) impulses: Vec<f64>,
    /// Nodes and weights of one point.
    pub(super) weights: Vec<(u32, f64)>,
    /// Sum of the area vectors of the triangles around every vertex; filled if a vertex approaches an obstacle.
    pub(super) outward: Vec<DVec3>,
    /// Overlaps found when the body was last placed.
    pub(super) overlaps: Vec<Overlap>,
    /// The impulses of the obstacles.
    pub(crate) touches: ObstacleTouches,
}

/// Points besides vertices for which memory is reserved from the start: more than a body of few cells has, on obstacles smaller than its cells.
pub(crate) const RESERVED_FEATURES: usize = 64;

/// Speed below which a body counts as at rest, in sizes of the body per second.
const STICKING_SPEED: f64 = 1e-4;

impl ObstacleContact {
    /// Contact of bodies of this model, through the skin that touches.
    pub fn new(model: &Model) -> Self {
        let skin = model.touching_skin().clone();
        let laws = VertexLaw::of_skin(model, &skin);
        let (low, high) = model.mesh().bounds();
        let sticking = STICKING_SPEED * (high - low).length();
        let room = skin.vertex_count() + RESERVED_FEATURES;
        let contacts = Vec::with_capacity(room);
        let anchors = vec![VertexAnchors::default(); skin.vertex_count()];
        let outward = vec![DVec3::ZERO; skin.vertex_count()];
        let facets = Facets::of_skin(model, &skin).ok().map(Arc::new);
        Self {
            skin,
            laws,
            masses: model.masses().to_vec(),
            mass: model.mass(),
            is_rigid: model.is_rigid(),
            facets,
            anchors,
            feature_anchors: FeatureAnchors::with_room(RESERVED_FEATURES),
            sticking,
            x: Vec::new(),
            v: Vec::new(),
            fall: DVec3::ZERO,
            contacts,
            gathered: Vec::with_capacity(room),
            search: FeatureSearch::with_room(RESERVED_FEATURES),
            depths: Vec::new(),
            impulses: Vec::with_capacity(room),
            weights: Vec::new(),
            outward,
            overlaps: Vec::new(),
            touches: ObstacleTouches::with_room(3 * room),
        }
    }

    /// The contact skin.
    pub fn skin(&self) -> &Skin {
        &self.skin
    }

    /// The triangles and edges of the contact skin; `None` if they are not valid.
    pub(crate) fn facets(&self) -> Option<&Arc<Facets>> {
        self.facets.as_ref()
    }

    /// The law of every vertex.
    pub fn laws(&self) -> &[VertexLaw] {
        &self.laws
    }

    /// The friction memory of every vertex. With that of other points it is the only state of contact between steps.
    pub fn anchors(&self) -> &[VertexAnchors] {
        &self.anchors
    }

    fn all_anchors(&self) -> impl Iterator<Item = &FrictionAnchor> {
        let vertices = self.anchors.iter().flat_map(|vertex| vertex.anchors.iter().flatten());
        vertices.chain(self.feature_anchors.iter())
    }

    /// The largest speed relative to an obstacle of the points that touched it in the last substep, in m/s.
    pub(crate) fn fastest_slip(&self) -> f64 {
        self.all_anchors().map(|anchor| anchor.slip.length()).fold(0.0, f64::max)
    }

    /// True if something of it outlives the step: anchors, or what touched it.
    pub(crate) fn has_memory(&self) -> bool {
        self.has_anchors() || self.touches.is_touched()
    }

    /// Forgets anchors, and what touched it.
    pub(crate) fn forget(&mut self) {
        self.clear_anchors();
        self.touches.clear();
    }

    /// True if some point has an anchor.
    pub fn has_anchors(&self) -> bool {
        self.all_anchors().next().is_some()
    }

    /// True if some point has an anchor at this obstacle.
    pub(crate) fn touched(&self, obstacle: u32) -> bool {
        self.all_anchors().any(|anchor| anchor.obstacle == obstacle)
    }

    /// Forgets an obstacle that is removed; later ones move up.
    pub(crate) fn forget_obstacle(&mut self, obstacle: u32) {
        self.anchors.iter_mut().for_each(|vertex| vertex.forget_obstacle(obstacle));
        self.feature_anchors.forget_obstacle(obstacle);
        self.touches.forget(obstacle);
    }

    /// True if the overlap of some point is ignored for now.
    pub(crate) fn ignores_overlap(&self) -> bool {
        self.all_anchors().any(|anchor| anchor.ignored_depth > 0.0)
    }

    /// Removes all anchors.
    pub fn clear_anchors(&mut self) {
        self.anchors.iter_mut().for_each(VertexAnchors::clear);
        self.feature_anchors.clear();
    }

    /// Obstacles that overlapped the body when it was last placed.
    pub fn overlaps(&self) -> &[Overlap] {
        &self.overlaps
    }

    /// Speed below which a body in contact counts as at rest, in m/s: a ten-thousandth of its size per second.
    pub fn sticking(&self) -> f64 {
        self.sticking
    }

    /// Clears the recorded overlaps.
    pub fn clear_overlaps(&mut self) {
        self.overlaps.clear();
    }

    /// The bounding ball of the skin in a state: centre and radius, in m.
    pub fn ball_at(&mut self, state: &State) -> (DVec3, f64) {
        self.skin.interpolate(&state.x, &mut self.x);
        self.v.clear();
        self.v.resize(self.x.len(), DVec3::ZERO);
        self.fall = DVec3::ZERO;
        self.ball(0.0)
    }

    /// A ball around all vertices, now and `ahead` seconds later.
    pub(super) fn ball(&self, ahead: f64) -> (DVec3, f64) {
        let (mut low, mut high) = (DVec3::INFINITY, DVec3::NEG_INFINITY);
        for (x, v) in self.x.iter().zip(&self.v) {
            let end = *x + ahead * *v + self.fall;
            low = low.min(*x).min(end);
            high = high.max(*x).max(end);
        }
        (0.5 * (low + high), 0.5 * (high - low).length())
    }
}

impl Persist for ObstacleContact {
    fn save(&self, to: &mut Writer) {
        to.u32(self.anchors.len() as u32);
        self.anchors.iter().for_each(|vertex| vertex.save(to));
        self.feature_anchors.save(to);
        self.touches.save(to);
    }

    fn load(&mut self, from: &mut Reader<'_>) -> Result<(), SnapshotError> {
        if from.u32()? as usize != self.anchors.len() {
            return Err(from.bad("the anchors of this skin"));
        }
        self.anchors.iter_mut().try_for_each(|vertex| vertex.load(from))?;
        self.feature_anchors.load(from)?;
        self.touches.load(from)?;
        let known = self.feature_anchors.are_on(self.anchors.len());
        if known { Ok(()) } else { Err(from.bad("the anchors of this skin")) }
    }
}

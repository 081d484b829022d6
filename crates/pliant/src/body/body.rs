//! A body: a model with its present state, pins and pulls.

use std::sync::Arc;

use glam::DVec3;

use crate::body::error::BodyError;
use crate::body::flow::flowed_model::FlowedModel;
use crate::body::flow::rest_shape::RestShape;
use crate::body::fracture::whole::{PartOf, Whole};
use crate::body::hold::pin::Pin;
use crate::body::hold::pin_checks::{check_pins, check_rigid_pins};
use crate::body::hold::pull::{Pull, PullHandle};
use crate::body::hold::unknowns::Unknowns;
use crate::body::material_point::MaterialPoint;
use crate::body::model::model::Model;
use crate::body::model::rigid::regions::RigidRegions;
use crate::body::start::initial_shape::InitialShape;
use crate::body::state::{State, is_bounded};
use pliant_mesh::mesh::Fragment;

/// A model with its present state, pins and pulls.
#[derive(Debug, Clone)]
pub struct Body {
    pub(crate) name: String,
    pub(crate) model: Arc<Model>,
    /// Rest positions of the nodes before any shape was committed, in m. The motions of pins and pulls start here.
    pub(crate) anchors: Arc<[DVec3]>,
    pub(crate) pins: Vec<Pin>,
    pub(crate) pulls: Vec<Pull>,
    /// The handle of each pull, ascending, and how many were added so far.
    pub(crate) pull_handles: Vec<PullHandle>,
    pub(crate) pulls_added: u32,
    /// Springs of attachments, each with the index of its attachment.
    pub(crate) ties: Vec<(u32, Pull)>,
    /// The unbroken body, and the part of it that this body is; none if it has not broken.
    pub(crate) part_of: Option<Arc<PartOf>>,
    pub(in crate::body) unknowns: Unknowns,
    /// Regions that do not deform.
    pub(in crate::body) rigid: RigidRegions,
    /// Everything that steps change.
    pub state: State,
}

impl Body {
    /// A body at rest in the shape of its model.
    ///
    /// # Errors
    ///
    /// Returns an error if pins are empty, contradict each other, or hold only some of the nodes of a rigid body.
    pub fn new(
        name: impl Into<String>,
        model: Arc<Model>,
        pins: Vec<Pin>,
    ) -> Result<Self, BodyError> {
        check_pins(&pins, &model.mesh().nodes)?;
        check_rigid_pins(&pins, &model)?;
        Ok(Self::unchecked(name.into(), model, pins))
    }

    /// A body at rest, with pins that are known to be valid.
    pub(crate) fn unchecked(name: String, model: Arc<Model>, pins: Vec<Pin>) -> Self {
        let nodes = &model.mesh().nodes;
        let unknowns = Unknowns::with_pins(nodes.len(), &pins);
        let (state, anchors) = (State::at_rest(nodes), nodes.as_slice().into());
        let rigid = RigidRegions::of(&model, &unknowns, nodes);
        Self {
            name,
            model,
            anchors,
            pins,
            pulls: Vec::new(),
            pull_handles: Vec::new(),
            pulls_added: 0,
            ties: Vec::new(),
            part_of: None,
            unknowns,
            rigid,
            state,
        }
    }

    /// Its name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The body before it broke, if it has.
    pub(crate) fn whole(&self) -> Option<&Arc<Whole>> {
        self.part_of.as_ref().map(|of| &of.whole)
    }

    /// The part of the unbroken body that it is, if it has broken.
    pub(crate) fn part(&self) -> Option<&Fragment> {
        self.part_of.as_ref().map(|of| &of.part)
    }

    /// The model: mesh, materials and masses.
    pub fn model(&self) -> &Arc<Model> {
        &self.model
    }

    /// Rest positions of the nodes before any shape was committed, in m. The motions of pins and pulls start here.
    pub fn anchors(&self) -> &[DVec3] {
        &self.anchors
    }

    /// The rest shape of every point: that of the model after the plastic flow of the state.
    ///
    /// # Panics
    /// When it is read, if the state is that of a body with other plastic cells.
    pub fn rest_shape(&self) -> RestShape<'_> {
        RestShape::new(&self.model, self.state.flow.as_ref())
    }

    /// The model with the plastic flow of this body; a cheap copy.
    pub fn flowed_model(&self) -> FlowedModel {
        FlowedModel { model: self.model.clone(), flow: self.state.flow.clone() }
    }

    /// Replaces the model by another one of the same mesh, and the plastic flow; nodes stay where they are. Returns the
    /// previous ones.
    pub(crate) fn set_model(&mut self, new: FlowedModel) -> Result<FlowedModel, BodyError> {
        let FlowedModel { model, flow } = new;
        let same = model.mesh().blocks == self.model.mesh().blocks
            && model.mesh().nodes.len() == self.model.mesh().nodes.len()
            && model.is_rigid() == self.model.is_rigid();
        if !same {
            return Err(BodyError::OtherMesh);
        }
        let model = std::mem::replace(&mut self.model, model);
        let flow = std::mem::replace(&mut self.state.flow, flow);
        self.keep_form();
        Ok(FlowedModel { model, flow })
    }

    /// Makes the present shape of rigid regions the one that they keep. Call it after placing a body: a new body
    /// keeps the rest shape, and a body with a replaced model keeps the shape of that moment.
    pub fn keep_form(&mut self) {
        self.rigid = RigidRegions::of(&self.model, &self.unknowns, &self.state.x);
    }

    /// Regions that do not deform.
    #[doc(hidden)]
    pub fn rigid_regions(&self) -> &RigidRegions {
        &self.rigid
    }

    /// Restores the shape of rigid regions without a change of momentum, after nodes were moved one by one.
    pub(crate) fn settle_form(&mut self) {
        self.rigid.settle(&self.unknowns, &mut self.state);
    }

    /// The same body with another model of its mesh, other materials or another rest shape, and with the plastic flow that
    /// comes with it. Positions, velocities, pins and pulls are kept.
    ///
    /// # Errors
    ///
    /// Returns an error if the model has another mesh.
    pub fn with_model(&self, model: impl Into<FlowedModel>) -> Result<Self, BodyError> {
        let mut body = self.clone();
        body.set_model(model.into())?;
        Ok(body)
    }

    /// The material point that rested at `position` before any shape was committed, if it lies in the body.
    pub fn locate(&self, position: DVec3) -> Option<MaterialPoint> {
        if self.model.mesh().nodes[..] == self.anchors[..] {
            return self.model.locate(position);
        }
        self.model.at_shape(&self.anchors).ok()?.locate(position)
    }

    /// Checks that a point belongs to this body.
    ///
    /// # Errors
    ///
    /// Returns an error if the point belongs to another body.
    pub fn check_point(&self, point: &MaterialPoint) -> Result<(), BodyError> {
        self.model.check_point(point)
    }

    /// Moves free nodes to the initial shape `start`, and pinned nodes to their prescribed positions at time zero.
    pub fn start_from(&mut self, start: &InitialShape) {
        let mut x = start.positions(self.model.mesh());
        self.move_pins(0.0, &mut x);
        self.state.x = x;
    }

    /// Moves the body as a rigid one: with `velocity`, in m/s, at its centre of mass, and turning about it with the angular
    /// velocity `spin`, in rad/s.
    ///
    /// ```text
    /// v = velocity + spin × (x − c)        c = Σ m x / Σ m
    /// ```
    ///
    /// It sets the velocity of every free node, whatever it was before. Pinned nodes keep their velocity: their pins
    /// prescribe it from the next step on. So a body with pins does not begin as a rigid motion.
    ///
    /// ```
    /// # use std::sync::Arc;
    /// use glam::DVec3;
    /// # use pliant::mesh::generate::{BoxConfig, box_mesh};
    /// # use pliant::{Body, Material, Model};
    ///
    /// # let model = Arc::new(Model::uniform(box_mesh(&BoxConfig::default())?, Material::default())?);
    /// let mut cube = Body::new("cube", model, vec![])?;
    /// cube.set_motion(DVec3::new(3.0, 0.0, 0.0), DVec3::new(0.0, 2.0, 0.0))?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns an error if a value is not finite, or if a node would be faster than 1e12 m/s. The body is then unchanged.
    pub fn set_motion(&mut self, velocity: DVec3, spin: DVec3) -> Result<(), BodyError> {
        let centre = self.centre_of_mass();
        let arms = self.state.x.iter().map(|x| *x - centre);
        let moving: Vec<DVec3> = arms.map(|arm| velocity + spin.cross(arm)).collect();
        if !is_bounded(&moving) {
            return Err(BodyError::BadMotion { velocity, spin });
        }
        for node in self.unknowns.nodes() {
            self.state.v[*node as usize] = moving[*node as usize];
        }
        Ok(())
    }

    /// The centre of mass now, in m.
    pub fn centre_of_mass(&self) -> DVec3 {
        let weighted = self.model.masses().iter().zip(&self.state.x).map(|(m, x)| *m * *x);
        weighted.sum::<DVec3>() / self.model.mass()
    }

    /// The map from free unknowns to nodes.
    #[doc(hidden)]
    pub fn unknowns(&self) -> &Unknowns {
        &self.unknowns
    }

    /// The map from free unknowns to nodes, for tying and untying nodes.
    #[doc(hidden)]
    pub fn unknowns_mut(&mut self) -> &mut Unknowns {
        &mut self.unknowns
    }
}

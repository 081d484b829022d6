//! One deformable thing.

use std::sync::Arc;

use glam::DVec3;

use crate::body::error::BodyError;
use crate::body::fracture::whole::{PartOf, Whole};
use crate::body::hold::pin::Pin;
use crate::body::hold::pin_checks::{check_pins, check_rigid_pins};
use crate::body::hold::pull::Pull;
use crate::body::hold::unknowns::Unknowns;
use crate::body::material_point::MaterialPoint;
use crate::body::model::model::Model;
use crate::body::model::rigid::regions::RigidRegions;
use crate::body::start::Start;
use crate::body::state::State;
use crate::mesh::Part;

/// A model, where it is now, and what holds it.
#[derive(Debug, Clone)]
pub struct Body {
    pub(crate) name: String,
    pub(crate) model: Arc<Model>,
    /// Where nodes rested before any shape was committed, in m: what pins and pulls move from.
    pub(crate) anchors: Arc<[DVec3]>,
    pub(crate) pins: Vec<Pin>,
    pub(crate) pulls: Vec<Pull>,
    /// Springs of attachments, by the number of theirs.
    pub(crate) ties: Vec<(u32, Pull)>,
    /// What it is a part of, if it has broken.
    pub(crate) part_of: Option<PartOf>,
    pub(in crate::body) unknowns: Unknowns,
    /// What of it does not deform.
    pub(in crate::body) rigid: RigidRegions,
    /// Positions and velocities.
    pub state: State,
}

impl Body {
    /// A body at rest in the shape of its model.
    pub fn new(
        name: impl Into<String>,
        model: Arc<Model>,
        pins: Vec<Pin>,
    ) -> Result<Self, BodyError> {
        check_pins(&pins, &model.mesh().nodes)?;
        check_rigid_pins(&pins, &model)?;
        Ok(Self::unchecked(name.into(), model, pins))
    }

    /// The same with pins that are known to be sound.
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
    pub(crate) fn part(&self) -> Option<&Part> {
        self.part_of.as_ref().map(|of| &of.part)
    }

    /// What it is made of.
    pub fn model(&self) -> &Arc<Model> {
        &self.model
    }

    /// Where its nodes rested before any shape was committed, in m: what the motions of pins and pulls start from.
    pub fn anchors(&self) -> &[DVec3] {
        &self.anchors
    }

    /// Rests in the shape of another model from now on, wherever it is. Returns what it was made of.
    pub(crate) fn set_model(&mut self, model: Arc<Model>) -> Result<Arc<Model>, BodyError> {
        let same = model.mesh().blocks == self.model.mesh().blocks
            && model.mesh().nodes.len() == self.model.mesh().nodes.len()
            && model.is_rigid() == self.model.is_rigid();
        if !same {
            return Err(BodyError::OtherMesh);
        }
        let before = std::mem::replace(&mut self.model, model);
        self.keep_form();
        Ok(before)
    }

    /// Lets what of it does not deform keep the form that it has now: for who has just placed it. At first that is the form at
    /// rest; where a body is given a model it is that of the moment.
    pub fn keep_form(&mut self) {
        self.rigid = RigidRegions::of(&self.model, &self.unknowns, &self.state.x);
    }

    /// What of it does not deform.
    pub fn rigid_regions(&self) -> &RigidRegions {
        &self.rigid
    }

    /// Takes what does not deform back to its form, without a change of momentum: for who has moved nodes one by one.
    pub(crate) fn settle_form(&mut self) {
        self.rigid.settle(&self.unknowns, &mut self.state);
    }

    /// The same body where it is, held and pulled at as it is, but of another model of its mesh: one of other materials, or at rest
    /// in another shape.
    ///
    /// # Errors
    ///
    /// A model of another mesh.
    pub fn with_model(&self, model: Arc<Model>) -> Result<Self, BodyError> {
        let mut body = self.clone();
        body.set_model(model)?;
        Ok(body)
    }

    /// The material point that rested at `position` before any shape was committed, if it lies in the body.
    pub fn locate(&self, position: DVec3) -> Option<MaterialPoint> {
        if self.model.mesh().nodes[..] == self.anchors[..] {
            return self.model.locate(position);
        }
        self.model.at_shape(&self.anchors).ok()?.locate(position)
    }

    /// What it is made of, to be changed for itself alone: if others are made of the same, it gets a copy first.
    pub(crate) fn own_model(&mut self) -> &mut Model {
        Arc::make_mut(&mut self.model)
    }

    /// Checks that a point is one of this body.
    ///
    /// # Errors
    ///
    /// A point of another body.
    pub fn check_point(&self, point: &MaterialPoint) -> Result<(), BodyError> {
        self.model.check_point(point)
    }

    /// Puts the free nodes where `start` has them, and the pinned ones where they belong at time zero.
    pub fn start_from(&mut self, start: &Start) {
        let mut x = start.positions(self.model.mesh());
        self.move_pins(0.0, &mut x);
        self.state.x = x;
    }

    /// Which nodes are free.
    pub fn unknowns(&self) -> &Unknowns {
        &self.unknowns
    }

    /// The same, to tie nodes or let them go.
    pub fn unknowns_mut(&mut self) -> &mut Unknowns {
        &mut self.unknowns
    }
}

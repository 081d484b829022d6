//! One deformable thing.

use std::sync::Arc;

use glam::DVec3;

use crate::body::fracture::whole::{PartOf, Whole};
use crate::body::hold::motion::Pin;
use crate::body::hold::pull::{LEAST_PULL, Pull};
use crate::body::hold::unknowns::Unknowns;
use crate::body::material_point::MaterialPoint;
use crate::body::model::error::BodyError;
use crate::body::model::model::Model;
use crate::body::model::rigid::regions::RigidRegions;
use crate::body::start::Start;
use crate::body::state::State;
use crate::math::TimeStep;
use crate::mesh::Part;
use crate::persist::{Persist, Reader, SnapshotError, Writer};

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
    unknowns: Unknowns,
    /// What of it does not deform.
    rigid: RigidRegions,
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

    /// What holds it.
    pub fn pins(&self) -> &[Pin] {
        &self.pins
    }

    /// What draws points of it towards targets.
    pub fn pulls(&self) -> &[Pull] {
        &self.pulls
    }

    /// Begins to pull at a point of the body; returns the place of the pull in the list.
    ///
    /// ```
    /// # use std::sync::Arc;
    /// # use glam::DVec3;
    /// use pliant::body::{Body, Model, Motion, Pull};
    /// # use pliant::material::Material;
    /// # use pliant::mesh::generate::{BoxConfig, box_mesh};
    ///
    /// # let model = Arc::new(Model::uniform(box_mesh(&BoxConfig::default())?, Material::default())?);
    /// let mut body = Body::new("cube", model, vec![])?;
    /// let point = body.model().locate(DVec3::ONE).ok_or("outside the body")?;
    /// let motion = Motion::default();
    /// let pull = body.add_pull(Pull { point, motion, stiffness: 500.0, damping: 5.0 })?;
    /// assert_eq!(body.pulls()[pull].stiffness, 500.0);
    /// body.remove_pull(pull)?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// A stiffness or damping that is negative or no number, a target that moves nowhere sensible, a
    /// point of another body.
    pub fn add_pull(&mut self, pull: Pull) -> Result<usize, BodyError> {
        pull.check(&self.model)?;
        self.pulls.push(pull);
        Ok(self.pulls.len() - 1)
    }

    /// Pulls elsewhere, or otherwise, than pull `index` did; returns what that was.
    ///
    /// # Errors
    ///
    /// As for [`Body::add_pull`], or there is no such pull.
    pub fn replace_pull(&mut self, index: usize, pull: Pull) -> Result<Pull, BodyError> {
        pull.check(&self.model)?;
        let count = self.pulls.len();
        let old = self.pulls.get_mut(index).ok_or(BodyError::NoSuchPull { index, count })?;
        Ok(std::mem::replace(old, pull))
    }

    /// Lets go of pull `index`, and moves those behind it up by one place.
    ///
    /// # Errors
    ///
    /// There is no such pull.
    pub fn remove_pull(&mut self, index: usize) -> Result<Pull, BodyError> {
        let count = self.pulls.len();
        if index >= count {
            return Err(BodyError::NoSuchPull { index, count });
        }
        Ok(self.pulls.remove(index))
    }

    /// Pulls, and the springs of attachments.
    pub(crate) fn springs(&self) -> impl Iterator<Item = &Pull> {
        self.pulls.iter().chain(self.ties.iter().map(|(_, pull)| pull))
    }

    /// Adds the springs of an attachment.
    pub(crate) fn tie(&mut self, attachment: u32, springs: &[Pull]) -> Result<(), BodyError> {
        springs.iter().try_for_each(|spring| spring.check(&self.model))?;
        self.ties.extend(springs.iter().map(|spring| (attachment, spring.clone())));
        Ok(())
    }

    /// Adds springs that have been checked before.
    pub(crate) fn tie_again(&mut self, attachment: u32, springs: &[Pull]) {
        self.ties.extend(springs.iter().map(|spring| (attachment, spring.clone())));
    }

    /// Takes away the springs of all attachments.
    pub(crate) fn untie_all(&mut self) {
        self.ties.clear();
    }

    /// Takes away the springs of an attachment.
    pub(crate) fn untie(&mut self, attachment: u32) {
        self.ties.retain(|(of, _)| *of != attachment);
    }

    /// Checks that a point is one of this body.
    ///
    /// # Errors
    ///
    /// A point of another body.
    pub fn check_point(&self, point: &MaterialPoint) -> Result<(), BodyError> {
        point.check(&self.model)
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

    /// Ends a step to time `t + h`: [pins](Self::place_pins) are where they belong, and what does not deform goes along in one
    /// piece.
    pub fn place_held(&mut self, step: TimeStep) {
        self.place_pins(step);
        self.settle_form();
    }

    /// Puts the pinned nodes where they belong at time `t + h`, with the velocity that took them
    /// there from where they belonged at `t`.
    pub fn place_pins(&mut self, TimeStep { t, h }: TimeStep) {
        let rest = &self.anchors;
        for pin in &self.pins {
            for (k, node) in pin.nodes.iter().map(|node| *node as usize).enumerate() {
                let (from, to) =
                    (pin.position(k, rest[node], t), pin.position(k, rest[node], t + h));
                self.state.x[node] = to;
                self.state.v[node] = (to - from) / h;
            }
        }
    }

    /// Sets `x` of all pinned nodes to where they belong at time `t`.
    pub fn move_pins(&self, t: f64, x: &mut [DVec3]) {
        let rest = &self.anchors;
        for pin in &self.pins {
            for (k, node) in pin.nodes.iter().map(|node| *node as usize).enumerate() {
                x[node] = pin.position(k, rest[node], t);
            }
        }
    }
}

/// Where it is, what pulls at it, the shape that it rests in and how its matter has flowed: all that changes while it moves.
impl Persist for Body {
    fn save(&self, to: &mut Writer) {
        self.state.save(to);
        to.u32(self.pulls.len() as u32);
        self.pulls.iter().for_each(|pull| pull.save(to));
        let reshaped = self.is_reshaped();
        to.flag(reshaped);
        if reshaped {
            to.vectors(&self.model.mesh().nodes);
            to.f64s(&self.model.rest_volumes());
        }
        to.matrices(&self.model.flowed());
        self.rigid.save(to);
    }

    fn load(&mut self, from: &mut Reader<'_>) -> Result<(), SnapshotError> {
        self.state.load(from)?;
        self.pulls.clear();
        for _ in 0..from.count(LEAST_PULL)? {
            self.pulls.push(Pull::read(&self.model, from)?);
        }
        let volumes = self.load_shape(from)?;
        let mut flowed = self.model.flowed();
        if from.matrices(&mut flowed)? {
            if !flowed.iter().all(|inverse| inverse.det().is_finite() && inverse.det() > 0.0) {
                return Err(from
                    .bad("a shape at rest of every point that has flowed, not turned inside out"));
            }
            self.own_model().set_flowed(&flowed);
        }
        if let Some(volumes) = volumes {
            self.own_model().set_rest_volumes(&volumes);
        }
        self.rigid.load(from)
    }
}

impl Body {
    /// Whether it rests in another shape than at first.
    fn is_reshaped(&self) -> bool {
        self.model.mesh().nodes[..] != self.anchors[..]
    }

    /// Rests in the shape that was written; returns the volumes of its points that flow, if it is another than at first.
    fn load_shape(&mut self, from: &mut Reader<'_>) -> Result<Option<Vec<f64>>, SnapshotError> {
        let reshaped = from.flag()?;
        if !reshaped && !self.is_reshaped() {
            return Ok(None);
        }
        let mut nodes = self.anchors.to_vec();
        if reshaped {
            from.vectors(&mut nodes)?;
        }
        if self.model.mesh().nodes != nodes {
            let model = self.model.at_shape(&nodes);
            self.model = Arc::new(model.map_err(|_| from.bad("a shape that it can rest in"))?);
        }
        if !reshaped {
            return Ok(None);
        }
        let mut volumes = self.model.rest_volumes();
        for volume in &mut volumes {
            *volume = from.f64()?;
        }
        let sound = volumes.iter().all(|volume| volume.is_finite() && *volume >= 0.0);
        if sound { Ok(Some(volumes)) } else { Err(from.bad("volumes of points at rest")) }
    }
}

/// A rigid body is free, or moves as one pin says.
fn check_rigid_pins(pins: &[Pin], model: &Model) -> Result<(), BodyError> {
    let held = |pin: &Pin| (0..4).filter(|node| pin.nodes.contains(node)).count();
    let mut counts = pins.iter().map(held).enumerate();
    match counts.find(|(_, held)| model.is_rigid() && *held < 4) {
        Some((pin, held)) => Err(BodyError::PartOfRigid { pin, held }),
        None => Ok(()),
    }
}

fn check_pins(pins: &[Pin], nodes: &[DVec3]) -> Result<(), BodyError> {
    let mut holder: Vec<Option<usize>> = vec![None; nodes.len()];
    for (index, pin) in pins.iter().enumerate() {
        if pin.nodes.is_empty() {
            return Err(BodyError::EmptyPin { pin: index });
        }
        if let Some(ramp) = pin.motion.ramps.iter().find(|ramp| !ramp.is_sound()) {
            return Err(BodyError::BadRamp { pin: index, ramp: format!("{ramp:?}") });
        }
        for &node in &pin.nodes {
            let (node, node_count) = (node as usize, nodes.len());
            if node >= node_count {
                return Err(BodyError::NoSuchNode { pin: index, node, node_count });
            }
            match holder[node].replace(index) {
                Some(first) if !pins[first].agrees(pin) => {
                    return Err(BodyError::Contradiction { first, second: index, node });
                }
                _ => {}
            }
        }
    }
    Ok(())
}

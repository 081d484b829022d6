//! The parts of bodies that take long to build.

use std::sync::Arc;

use pliant::body::{Body, Model};
use pliant_io::scene::{BodyMesh, Scene};

use super::apply_edit::materials_of;
use super::change::{BodyChange, Change};
use super::stage::Stage;

/// The largest number of nodes of bodies that the engine builds between two steps: about a frame of work on one core.
const MAX_NODES_AT_ONCE: usize = 2000;

/// Number of leaves of voxels whose materials take about as long as the stepper of a node.
const LEAVES_PER_NODE: usize = 32;

/// The parts of a body that take long to build.
#[derive(Debug, Clone)]
pub(crate) struct BodyParts {
    pub(crate) mesh: Arc<BodyMesh>,
    /// The model of the scene; `None` if it has another rest shape since then.
    pub(crate) model: Option<Arc<Model>>,
    /// The present body, if it gets other materials or another method, and needs a new stepper for them.
    pub(crate) body: Option<Body>,
}

impl Stage {
    /// The present parts of each body, for a change to a scene.
    pub(crate) fn parts(&self, scene: &Scene, change: &Change) -> Vec<BodyParts> {
        let part = |(index, mesh): (usize, &Arc<BodyMesh>)| {
            let initial_state = &self.initial_states[index];
            let model = Some(initial_state.model().clone());
            let model = model.filter(|_| !initial_state.is_committed());
            let body = self.body_with_other_settings(index, scene, change).cloned();
            BodyParts { mesh: mesh.clone(), model, body }
        };
        self.meshes.iter().enumerate().map(part).collect()
    }

    /// The body, if it needs a new stepper for other materials or another method, and can get one beside the world: the
    /// steppers of plastic and rigid bodies depend on their state.
    fn body_with_other_settings(
        &self,
        index: usize,
        scene: &Scene,
        change: &Change,
    ) -> Option<&Body> {
        let Change::Bodies(changes) = change else { return None };
        let (old, new) = (&self.scene.bodies[index], scene.bodies.get(index)?);
        let body = self.body(index).filter(|_| !self.is_broken(index))?;
        let model = body.model();
        let same = old.method == new.method && model.materials() == materials_of(new);
        let depends_on_state = model.is_rigid() || model.is_plastic();
        let is_set = changes[self.origins[index]] == BodyChange::Settings;
        (is_set && !same && !depends_on_state).then_some(body)
    }

    /// True if the changed bodies are quicker to build than to hand over to the builder, which would share the processor
    /// with the steps of the world.
    pub(crate) fn builds_at_once(&self, change: &Change, parts: &[BodyParts]) -> bool {
        let Change::Bodies(changes) = change else { return false };
        let work = |(index, part): (usize, &BodyParts)| {
            let (model, change) =
                (self.initial_states[index].model(), changes[self.origins[index]]);
            let replaced = change >= BodyChange::Pinned || part.body.is_some();
            let leaves = model.contents().filter(|_| change != BodyChange::Pinned);
            let leaves = leaves.map_or(0, |contents| contents.leaves.len());
            if replaced { model.mesh().nodes.len() + leaves / LEAVES_PER_NODE } else { 0 }
        };
        changes.iter().all(|change| *change < BodyChange::Remeshed)
            && parts.iter().enumerate().map(work).sum::<usize>() <= MAX_NODES_AT_ONCE
    }
}

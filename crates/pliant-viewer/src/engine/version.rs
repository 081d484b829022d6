//! The data that undo restores.

use std::sync::Arc;

use pliant::body::{FlowedModel, Model};

use super::document::Document;
use super::edit::Edit;
use super::initial_state::{InitialState, is_broken_or_fragment, same_shape};
use super::stage::Stage;

/// A scene between two edits: its text, and the state that the text does not contain.
#[derive(Debug, Clone)]
pub(crate) struct Version {
    pub(crate) document: Document,
    pub(crate) rests: Vec<RestShape>,
}

/// The rest shape of a body.
#[derive(Debug, Clone)]
pub(crate) struct RestShape {
    name: String,
    /// The model with the plastic flow; `None` if the edit does not change it.
    model: Option<FlowedModel>,
    initial_state: Arc<InitialState>,
    /// True if its rest shape was committed and differs from that of the scene.
    committed: bool,
}

impl Version {
    /// The version of the current stage.
    pub(crate) fn of(stage: &Stage) -> Self {
        let rest = |(index, plan): (usize, &pliant_io::scene::BodyPlan)| {
            let (body, initial_state) =
                (stage.body(index)?, stage.initial_states.get(index)?.clone());
            let committed = initial_state.is_committed();
            // The model of a broken body is only a part of it.
            let model = (!is_broken_or_fragment(body)).then(|| body.flowed_model());
            let name = plan.name.clone();
            Some(RestShape { name, model, initial_state, committed })
        };
        let rests = stage.scene.bodies.iter().enumerate().filter_map(rest).collect();
        Self { document: stage.document.clone(), rests }
    }

    /// The version of a stage in its initial state.
    pub(crate) fn of_initial_states(stage: &Stage) -> Self {
        let mut version = Self::of(stage);
        version.keep_models(|_, _| false);
        version
    }

    /// Keeps only the models for which `keep` is true; the others keep their current plastic flow. Rest shapes that the
    /// text contains are dropped.
    pub(crate) fn keep_models(&mut self, keep: impl Fn(&str, &Model) -> bool) {
        for rest in &mut self.rests {
            rest.model.take_if(|flowed| !keep(&rest.name, &flowed.model));
        }
        self.rests.retain(|rest| rest.committed || rest.model.is_some());
    }

    /// Keeps only the models that another version keeps, too.
    pub(crate) fn keep_as(&mut self, other: &Self) {
        let kept =
            |name: &str| other.rests.iter().any(|rest| rest.name == name && rest.model.is_some());
        self.keep_models(|name, _| kept(name));
    }

    /// The stored models.
    pub(crate) fn models(&self) -> impl Iterator<Item = &Arc<Model>> {
        self.rests.iter().flat_map(|rest| {
            let own = rest.model.iter().map(|flowed| &flowed.model);
            own.chain([rest.initial_state.model()])
        })
    }
}

impl Stage {
    /// True if an edit has discarded the plastic flow or the rest shape of a body.
    pub(crate) fn discards_shape(&self, edit: &Edit, name: &str, before: &Model) -> bool {
        let of = self.scene.bodies.iter().position(|plan| plan.name == name);
        let Some((of, body)) = of.and_then(|of| Some((of, self.body(of)?))) else { return false };
        match edit {
            Edit::Commit(committed) => committed.is_none_or(|index| index == of),
            _ => before.is_plastic() && !body.model().is_plastic(),
        }
    }

    /// Restores the rest shapes of a version with the text of this stage. Bodies without a stored model restart from
    /// their initial state if their rest shape differs.
    pub(crate) fn restore(&mut self, rests: &[RestShape]) {
        for rest in rests {
            let mut plans = self.scene.bodies.iter();
            if let Some(index) = plans.position(|plan| plan.name == rest.name) {
                self.restore_body(index, rest);
            }
        }
    }

    fn restore_body(&mut self, index: usize, rest: &RestShape) {
        let now = &self.initial_states[index];
        if rest.model.is_none() && same_shape(now.model(), rest.initial_state.model()) {
            return;
        }
        if self.is_broken(index) {
            return self.restore_broken(index, rest);
        }
        let first = || rest.initial_state.body.flowed_model();
        let model = rest.model.clone().unwrap_or_else(first);
        // A model with another mesh belongs to another body of the same name.
        if self.world.set_model(self.handles[index], model).is_err() {
            return;
        }
        if rest.model.is_none()
            && let Some(body) = self.world.get_mut(self.handles[index])
        {
            body.state = rest.initial_state.state().clone();
            body.keep_form();
        }
        self.initial_states[index] = rest.initial_state.clone();
    }

    /// Restores a broken body whole, in its initial state; one with another mesh is another body of the same name.
    fn restore_broken(&mut self, index: usize, rest: &RestShape) {
        let (now, then) = (self.initial_states[index].model(), rest.initial_state.model());
        if now.mesh().blocks == then.mesh().blocks {
            let method = self.scene.bodies[index].method;
            // An attached body stays unchanged.
            let _ = self.make_whole(index, rest.initial_state.clone(), method);
        }
    }
}

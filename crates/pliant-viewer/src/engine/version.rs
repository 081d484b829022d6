//! What an edit changes and undo brings back.

use std::sync::Arc;

use pliant::body::Model;

use super::beginning::{Beginning, is_part, same_shape};
use super::document::Document;
use super::edit::Edit;
use super::stage::Stage;

/// A scene between two edits: its text, and what no text says.
#[derive(Debug, Clone)]
pub(crate) struct Version {
    pub(crate) document: Document,
    pub(crate) rests: Vec<Rest>,
}

/// The shape that a body rests in.
#[derive(Debug, Clone)]
pub(crate) struct Rest {
    name: String,
    /// What it is made of, with what has flowed; none if an edit leaves that alone.
    model: Option<Arc<Model>>,
    beginning: Arc<Beginning>,
    /// Whether it begins in another shape than that of the scene.
    committed: bool,
}

impl Version {
    /// Of a stage as it is now.
    pub(crate) fn of(stage: &Stage) -> Self {
        let rest = |(index, plan): (usize, &pliant_io::scene::BodyPlan)| {
            let (body, beginning) = (stage.body(index)?, stage.beginnings.get(index)?.clone());
            let committed = beginning.is_committed();
            // What is left of a body that has come apart is no model of it.
            let model = (!is_part(body)).then(|| body.model().clone());
            let name = plan.name.clone();
            Some(Rest { name, model, beginning, committed })
        };
        let rests = stage.scene.bodies.iter().enumerate().filter_map(rest).collect();
        Self { document: stage.document.clone(), rests }
    }

    /// Of a stage as it begins.
    pub(crate) fn of_beginnings(stage: &Stage) -> Self {
        let mut version = Self::of(stage);
        version.keep_models(|_, _| false);
        version
    }

    /// Keeps the models of bodies alone of which that holds: others go on as they have flowed. What the text says is not kept at
    /// all.
    pub(crate) fn keep_models(&mut self, keep: impl Fn(&str, &Model) -> bool) {
        for rest in &mut self.rests {
            rest.model.take_if(|model| !keep(&rest.name, model));
        }
        self.rests.retain(|rest| rest.committed || rest.model.is_some());
    }

    /// Keeps the models of those bodies that another version keeps.
    pub(crate) fn keep_as(&mut self, other: &Self) {
        let kept =
            |name: &str| other.rests.iter().any(|rest| rest.name == name && rest.model.is_some());
        self.keep_models(|name, _| kept(name));
    }

    /// The models that it keeps.
    pub(crate) fn models(&self) -> impl Iterator<Item = &Arc<Model>> {
        self.rests.iter().flat_map(|rest| rest.model.iter().chain([rest.beginning.model()]))
    }
}

impl Stage {
    /// Whether an edit that was done has made a body forget what had flowed, or where it rested.
    pub(crate) fn forgets(&self, edit: &Edit, name: &str, before: &Model) -> bool {
        let of = self.scene.bodies.iter().position(|plan| plan.name == name);
        let Some((of, body)) = of.and_then(|of| Some((of, self.body(of)?))) else { return false };
        match edit {
            Edit::Commit(committed) => committed.is_none_or(|index| index == of),
            _ => before.is_plastic() && !body.model().is_plastic(),
        }
    }

    /// Lets bodies rest in the shapes that they had in a version, whose text this stage has. Those that it keeps no model of
    /// begin anew, if they rest in another shape now.
    pub(crate) fn restore(&mut self, rests: &[Rest]) {
        for rest in rests {
            let mut plans = self.scene.bodies.iter();
            if let Some(index) = plans.position(|plan| plan.name == rest.name) {
                self.restore_body(index, rest);
            }
        }
    }

    fn restore_body(&mut self, index: usize, rest: &Rest) {
        let now = &self.beginnings[index];
        if rest.model.is_none() && same_shape(now.model(), rest.beginning.model()) {
            return;
        }
        if self.is_broken(index) {
            return self.restore_broken(index, rest);
        }
        let model = rest.model.as_ref().unwrap_or(rest.beginning.model()).clone();
        // A model of another mesh is that of another body of this name.
        if self.world.set_model(self.handles[index], model).is_err() {
            return;
        }
        if rest.model.is_none()
            && let Some(body) = self.world.body_mut(self.handles[index])
        {
            body.state = rest.beginning.state().clone();
            body.keep_form();
        }
        self.beginnings[index] = rest.beginning.clone();
    }

    /// A body that has come apart begins anew, whole; one of another mesh is another body of this name.
    fn restore_broken(&mut self, index: usize, rest: &Rest) {
        let (now, then) = (self.beginnings[index].model(), rest.beginning.model());
        if now.mesh().blocks == then.mesh().blocks {
            let method = self.scene.bodies[index].method;
            // What something holds stays as it is.
            let _ = self.make_whole(index, rest.beginning.clone(), method);
        }
    }
}

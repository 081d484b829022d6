//! Makes the current shape the rest shape.

use pliant::body::FlowedModel;
use pliant::world::Committed;

use super::command_checks::is_broken;
use super::initial_state::{InitialState, is_broken_or_fragment};
use super::order::Refusal;
use super::stage::Stage;

impl Stage {
    /// Makes the current shape of a body, or of all deformable bodies, its rest shape; if one fails, none is changed.
    /// Returns the bodies with cells that cannot take this shape, and the number of those cells.
    pub(crate) fn commit(&mut self, body: Option<usize>) -> Result<Vec<(usize, usize)>, Refusal> {
        let bodies = match body {
            Some(body) => vec![body],
            None => self.deformable_bodies(),
        };
        if let Some(broken) = body.filter(|body| self.is_broken(*body)) {
            return Err(is_broken(self, broken));
        }
        if bodies.is_empty() {
            let message = "no body can take a new rest shape: all are rigid or broken";
            return Err(Refusal::new("rigid", message));
        }
        let mut done: Vec<(usize, Committed)> = Vec::new();
        for index in bodies {
            match self.commit_body(index) {
                Ok(committed) => done.push((index, committed)),
                Err(refusal) => {
                    let done = done.into_iter();
                    done.for_each(|(index, committed)| self.undo_commit(index, committed.before));
                    return Err(refusal);
                }
            }
        }
        for (index, _) in &done {
            if let Some(body) = self.body(*index) {
                self.initial_states[*index] = InitialState::at_rest(body);
            }
        }
        let kept = done.iter().map(|(index, committed)| (*index, committed.kept.len()));
        Ok(kept.filter(|(_, count)| *count > 0).collect())
    }

    /// The unbroken deformable bodies.
    fn deformable_bodies(&self) -> Vec<usize> {
        let is_soft = |index: &usize| {
            let body = self.body(*index);
            body.is_some_and(|body| !body.model().is_rigid() && !is_broken_or_fragment(body))
        };
        (0..self.handles.len()).filter(is_soft).collect()
    }

    fn commit_body(&mut self, index: usize) -> Result<Committed, Refusal> {
        let count = self.handles.len();
        let none = || {
            Refusal::new("unknown-body", format!("there is no body {index}, the scene has {count}"))
        };
        let handle = *self.handles.get(index).ok_or_else(none)?;
        let name = &self.scene.bodies[index].name;
        let refuse = |error| Refusal::new("bad-shape", format!("{name}: {error}"));
        self.world.commit(handle).map_err(refuse)
    }

    /// Restores the previous rest shape of a body.
    fn undo_commit(&mut self, index: usize, model: FlowedModel) {
        let taken = self.world.set_model(self.handles[index], model);
        debug_assert!(taken.is_ok(), "a model that it had");
    }
}

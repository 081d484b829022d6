//! How bodies begin, and how one that was made anew goes on as the one before it.

use std::sync::Arc;

use pliant::body::{Body, Model, ModelError, State};

/// How a body begins: where a reset takes it.
#[derive(Debug)]
pub(crate) struct Beginning {
    pub(crate) state: State,
    /// What it is made of, before anything has flowed.
    pub(crate) model: Arc<Model>,
}

impl Beginning {
    /// As a body is now.
    pub(crate) fn of(body: &Body) -> Arc<Self> {
        Arc::new(Self { state: body.state.clone(), model: body.model().clone() })
    }

    /// At rest in the shape of its model; what is pinned is where it belongs at the beginning of time.
    pub(crate) fn at_rest(body: &Body) -> Arc<Self> {
        let model = body.model().clone();
        let mut state = State::at_rest(&model.mesh().nodes);
        body.move_pins(0.0, &mut state.x);
        Arc::new(Self { state, model })
    }

    /// The same of another model of its mesh.
    pub(crate) fn made_of(&self, model: Arc<Model>) -> Arc<Self> {
        Arc::new(Self { state: self.state.clone(), model })
    }
}

/// Whether two bodies are of the same cells and had the same nodes at rest before any shape was committed.
pub(super) fn same_rest(a: &Body, b: &Body) -> bool {
    let (one, other) = (a.model(), b.model());
    a.anchors() == b.anchors()
        && one.mesh().blocks == other.mesh().blocks
        && one.is_rigid() == other.is_rigid()
}

/// Whether two models rest in the same shape.
pub(super) fn same_shape(a: &Model, b: &Model) -> bool {
    a.mesh().nodes == b.mesh().nodes
}

/// A body that was made anew goes on as one of the [same rest](same_rest): where that is, in the shape that it rests in, with
/// what has flowed. And how it begins.
pub(super) fn going_on(
    new: &Body,
    old: &Body,
    began: &Beginning,
) -> Result<(Body, Arc<Beginning>), ModelError> {
    let committed = !same_shape(&began.model, new.model());
    let model = shaped(new.model(), old.model())?;
    let first = if committed { shaped(new.model(), &began.model)? } else { new.model().clone() };
    let mut state = if committed { began.state.clone() } else { new.state.clone() };
    if committed {
        new.move_pins(0.0, &mut state.x);
    }
    let mut body = new.with_model(model).expect("of the same cells");
    body.state = old.state.clone();
    // What has become rigid is so in the shape that it has.
    body.keep_form();
    Ok((body, Arc::new(Beginning { state, model: first })))
}

/// A model in the shape of another, with what has flowed there; the same if it is that already.
fn shaped(new: &Arc<Model>, old: &Model) -> Result<Arc<Model>, ModelError> {
    if same_shape(new, old) && !old.is_plastic() {
        return Ok(new.clone());
    }
    Ok(Arc::new(new.going_on_from(old)?))
}

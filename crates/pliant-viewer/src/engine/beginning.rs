//! How bodies begin, and how one that was made anew goes on as the one before it.

use std::sync::Arc;

use pliant::body::{Body, Model, ModelError, State};

/// How a body begins: where a reset takes it, whatever has become of it since.
#[derive(Debug)]
pub(crate) struct Beginning {
    /// It, before anything has flowed or come apart.
    pub(crate) body: Body,
}

impl Beginning {
    /// As a body is now.
    pub(crate) fn of(body: &Body) -> Arc<Self> {
        Arc::new(Self { body: body.clone() })
    }

    /// At rest in the shape of its model; what is pinned is where it belongs at the beginning of time.
    pub(crate) fn at_rest(body: &Body) -> Arc<Self> {
        let mut body = body.clone();
        let mut state = State::at_rest(&body.model().mesh().nodes);
        body.move_pins(0.0, &mut state.x);
        body.state = state;
        body.keep_form();
        Arc::new(Self { body })
    }

    /// The same of another model of its mesh.
    ///
    /// # Errors
    ///
    /// A model of another mesh.
    pub(crate) fn made_of(&self, model: Arc<Model>) -> Result<Arc<Self>, pliant::body::BodyError> {
        Ok(Arc::new(Self { body: self.body.with_model(model)? }))
    }

    /// What it is made of.
    pub(crate) fn model(&self) -> &Arc<Model> {
        self.body.model()
    }

    /// Where it is, and how fast.
    pub(crate) fn state(&self) -> &State {
        &self.body.state
    }

    /// Whether it begins in another shape than that of the scene.
    pub(crate) fn is_committed(&self) -> bool {
        self.model().mesh().nodes[..] != *self.body.anchors()
    }
}

/// Whether a body has come apart, or is a piece of one that has.
pub(super) fn is_part(body: &Body) -> bool {
    body.cells_of_whole().is_some()
}

/// Whether two bodies are of the same cells and had the same nodes at rest before any shape was committed.
pub(super) fn same_rest(a: &Body, b: &Body) -> bool {
    let (one, other) = (a.model(), b.model());
    is_part(a) == is_part(b)
        && a.anchors() == b.anchors()
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
    let committed = !same_shape(began.model(), new.model());
    let model = shaped(new.model(), old.model())?;
    let first = if committed { shaped(new.model(), began.model())? } else { new.model().clone() };
    let mut beginning = new.with_model(first).expect("of the same cells");
    if committed {
        beginning.state = began.state().clone();
        let mut x = std::mem::take(&mut beginning.state.x);
        new.move_pins(0.0, &mut x);
        beginning.state.x = x;
        beginning.keep_form();
    }
    let mut body = new.with_model(model).expect("of the same cells");
    body.state = old.state.clone();
    // What has become rigid is so in the shape that it has.
    body.keep_form();
    Ok((body, Arc::new(Beginning { body: beginning })))
}

/// A model in the shape of another, with what has flowed there; the same if it is that already.
fn shaped(new: &Arc<Model>, old: &Model) -> Result<Arc<Model>, ModelError> {
    if same_shape(new, old) && !old.is_plastic() {
        return Ok(new.clone());
    }
    Ok(Arc::new(new.going_on_from(old)?))
}

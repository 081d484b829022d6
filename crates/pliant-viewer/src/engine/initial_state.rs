//! Initial states of bodies, and the transfer of the current state to a rebuilt body.

use std::sync::Arc;

use pliant::body::{Body, FlowedModel, Model, ModelError, RestShape, State};

/// The initial state of a body: a reset returns to it.
#[derive(Debug)]
pub(crate) struct InitialState {
    /// The body before any plastic flow or break.
    pub(crate) body: Body,
}

impl InitialState {
    /// Takes the current state of a body as its initial state.
    pub(crate) fn of(body: &Body) -> Arc<Self> {
        Arc::new(Self { body: body.clone() })
    }

    /// Places a body at rest in the shape of its model, with pinned nodes at their positions at time 0. Its plastic flow is
    /// that of cells that keep an older rest shape.
    pub(crate) fn at_rest(body: &Body) -> Arc<Self> {
        let mut body = body.clone();
        let mut state = State::at_rest(&body.model().mesh().nodes);
        body.move_pins(0.0, &mut state.x);
        state.flow = body.state.flow.take();
        body.state = state;
        body.keep_form();
        Arc::new(Self { body })
    }

    /// The same initial state with another model of the same mesh.
    ///
    /// # Errors
    ///
    /// The model has another mesh.
    pub(crate) fn with_model(
        &self,
        model: FlowedModel,
    ) -> Result<Arc<Self>, pliant::body::BodyError> {
        Ok(Arc::new(Self { body: self.body.with_model(model)? }))
    }

    /// The model of the body.
    pub(crate) fn model(&self) -> &Arc<Model> {
        self.body.model()
    }

    /// Positions, velocities and plastic flow.
    pub(crate) fn state(&self) -> &State {
        &self.body.state
    }

    /// True if its rest shape was committed and differs from that of the scene.
    pub(crate) fn is_committed(&self) -> bool {
        self.model().mesh().nodes[..] != *self.body.anchors()
    }
}

/// True if a body is broken, or is a fragment.
pub(super) fn is_broken_or_fragment(body: &Body) -> bool {
    body.cells_of_whole().is_some()
}

/// True if two bodies have the same cells and had the same rest nodes before any commit.
pub(super) fn same_rest(a: &Body, b: &Body) -> bool {
    let (one, other) = (a.model(), b.model());
    is_broken_or_fragment(a) == is_broken_or_fragment(b)
        && a.anchors() == b.anchors()
        && one.mesh().blocks == other.mesh().blocks
        && one.is_rigid() == other.is_rigid()
}

/// True if two models have the same rest shape.
pub(super) fn same_shape(a: &Model, b: &Model) -> bool {
    a.mesh().nodes == b.mesh().nodes
}

/// Transfers the state of an old body to a rebuilt one with the [same rest](same_rest): position, committed rest shape
/// and plastic flow. Returns the body and its initial state.
pub(super) fn continued(
    new: &Body,
    old: &Body,
    initial: &InitialState,
) -> Result<(Body, Arc<InitialState>), ModelError> {
    let committed = !same_shape(initial.model(), new.model());
    let model = with_shape_of(new.model(), old.rest_shape())?;
    let first = match committed {
        true => with_shape_of(new.model(), initial.body.rest_shape())?,
        false => new.model().clone().into(),
    };
    let mut initial_state = new.with_model(first).expect("of the same cells");
    if committed {
        // The flow came with the model: it fits the new materials.
        let flow = initial_state.state.flow.take();
        initial_state.state = State { flow, ..initial.state().clone() };
        let mut x = std::mem::take(&mut initial_state.state.x);
        new.move_pins(0.0, &mut x);
        initial_state.state.x = x;
        initial_state.keep_form();
    }
    let mut body = new.with_model(model).expect("of the same cells");
    let flow = body.state.flow.take();
    body.state = State { flow, ..old.state.clone() };
    // A body that has become rigid keeps its current shape.
    body.keep_form();
    Ok((body, Arc::new(InitialState { body: initial_state })))
}

/// Returns a model with the rest shape and plastic flow of `old`; `new` itself if it already has them.
fn with_shape_of(new: &Arc<Model>, old: RestShape<'_>) -> Result<FlowedModel, ModelError> {
    if same_shape(new, &old) && !old.is_plastic() {
        return Ok(new.clone().into());
    }
    new.going_on_from(old)
}

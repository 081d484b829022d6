//! A model with the plastic flow of one body.

use std::sync::Arc;

use crate::body::flow::flow_state::FlowState;
use crate::body::flow::rest_shape::RestShape;
use crate::body::model::model::Model;

/// A model, and the plastic flow of a body that fits it: all that determines its rest shape.
#[derive(Debug, Clone)]
pub struct FlowedModel {
    /// The model.
    pub model: Arc<Model>,
    /// The plastic flow; `None` before the first one.
    pub flow: Option<FlowState>,
}

impl FlowedModel {
    /// The rest shape of every point.
    pub fn rest_shape(&self) -> RestShape<'_> {
        RestShape::new(&self.model, self.flow.as_ref())
    }
}

impl From<Arc<Model>> for FlowedModel {
    fn from(model: Arc<Model>) -> Self {
        Self { model, flow: None }
    }
}

impl From<Model> for FlowedModel {
    fn from(model: Model) -> Self {
        Arc::new(model).into()
    }
}

//! What is drawn of a body in the place of its skin.

use std::sync::{Arc, OnceLock};

use crate::mesh::Part;

use super::{Model, Splinters};

/// Splinters that were given, or those of a part of a whole. The latter are found when they are first asked for: a step that breaks a body
/// has no time for what nobody may ever see.
#[derive(Debug, Clone, Default)]
pub(super) struct Drawn {
    found: OnceLock<Option<Splinters>>,
    whole: Option<(Arc<Model>, Part)>,
}

impl Drawn {
    pub(super) fn given(splinters: Splinters) -> Self {
        Self { found: OnceLock::from(Some(splinters)), whole: None }
    }

    pub(super) fn part_of(whole: Arc<Model>, part: Part) -> Self {
        Self { found: OnceLock::new(), whole: Some((whole, part)) }
    }

    /// Those of a model that this is of.
    pub(super) fn splinters(&self, model: &Model) -> Option<&Splinters> {
        let find = || self.whole.as_ref().and_then(|(whole, part)| whole.drawn_of(part, model));
        self.found.get_or_init(find).as_ref()
    }
}

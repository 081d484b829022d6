//! What is drawn of a body in the place of its skin.

use std::sync::{Arc, OnceLock};

use crate::body::fracture::splinters::Splinters;
use crate::body::model::model::Model;
use crate::mesh::Part;

/// Splinters that were given, or those of a part of a whole. The latter are found when they are first asked for: a step that breaks a body
/// has no time for what nobody may ever see.
#[derive(Debug, Clone, Default)]
pub(crate) struct Drawn {
    found: OnceLock<Option<Splinters>>,
    whole: Option<(Arc<Model>, Part)>,
}

impl Drawn {
    pub(crate) fn given(splinters: Splinters) -> Self {
        Self { found: OnceLock::from(Some(splinters)), whole: None }
    }

    pub(crate) fn part_of(whole: Arc<Model>, part: Part) -> Self {
        Self { found: OnceLock::new(), whole: Some((whole, part)) }
    }

    /// Those of a model that this is of.
    pub(crate) fn splinters(&self, model: &Model) -> Option<&Splinters> {
        let find = || self.whole.as_ref().and_then(|(whole, part)| whole.drawn_of(part, model));
        self.found.get_or_init(find).as_ref()
    }
}

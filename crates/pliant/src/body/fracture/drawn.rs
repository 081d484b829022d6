//! The surface that is drawn instead of the skin.

use std::fmt::Debug;
use std::panic::{RefUnwindSafe, UnwindSafe};
use std::sync::{Arc, OnceLock};

use crate::body::fracture::splinters::Splinters;
use pliant_mesh::mesh::Mesh;

/// Makes the splinters of a fragment. Models store it as a trait object, because the layer that makes fragments,
/// `fracture`, is above this one and implements it.
pub(crate) trait SplinterSource: Debug + Send + Sync + UnwindSafe + RefUnwindSafe {
    /// The splinters of a fragment with this mesh; `fresh_faces` are the faces that its break opened, each as a cell
    /// and the number of the face in it.
    fn splinters(&self, fragment: &Mesh, fresh_faces: &[[u32; 2]]) -> Option<Splinters>;
}

/// Splinters given by the user, or those of a fragment. The latter are made on first use: the step that breaks a body
/// must not spend time on surfaces that may never be drawn.
#[derive(Debug, Clone, Default)]
pub(crate) struct DrawnSurface {
    found: OnceLock<Option<Splinters>>,
    source: Option<Arc<dyn SplinterSource>>,
}

impl DrawnSurface {
    /// Splinters given by the user.
    pub(crate) fn given(splinters: Splinters) -> Self {
        Self { found: OnceLock::from(Some(splinters)), source: None }
    }

    /// Splinters that are made on first use.
    pub(crate) fn later(source: Arc<dyn SplinterSource>) -> Self {
        Self { found: OnceLock::new(), source: Some(source) }
    }

    /// The splinters of a model with this mesh; `fresh_faces` are the faces that its break opened.
    pub(crate) fn splinters(&self, mesh: &Mesh, fresh_faces: &[[u32; 2]]) -> Option<&Splinters> {
        let find = || self.source.as_ref().and_then(|source| source.splinters(mesh, fresh_faces));
        self.found.get_or_init(find).as_ref()
    }
}

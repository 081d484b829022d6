//! Data of fracture in a model: the drawn surface and toughness.

use crate::body::fracture::splinters::Splinters;
use crate::body::fracture::toughness_map::ToughnessMap;
use crate::body::model::error::ModelError;
use crate::body::model::model::Model;

impl Model {
    /// The same model with splinters, which are drawn instead of its skin and have no contact.
    ///
    /// # Panics
    /// If the splinters refer to nodes that the mesh does not have.
    #[must_use]
    pub fn with_splinters(self, splinters: Splinters) -> Self {
        let count = self.mesh.nodes.len();
        let sound = splinters.skin().nodes_below(count);
        assert!(sound, "splinters of another mesh: it has {count} nodes");
        Self { splinters: Some(splinters), ..self }
    }

    /// The splinters that it was given. A fragment has its own: [`Body::splinters`](crate::body::Body::splinters).
    pub fn splinters(&self) -> Option<&Splinters> {
        self.splinters.as_ref()
    }

    /// The same model with toughness that differs from that of its materials.
    ///
    /// # Errors
    ///
    /// A factor for a cell that does not exist, a seam without direction, a factor out of range.
    pub fn with_toughness(self, toughness: ToughnessMap) -> Result<Self, ModelError> {
        toughness.check(self.mesh.cell_count())?;
        Ok(Self { toughness, ..self })
    }

    /// Differences of toughness from that of the materials.
    pub fn toughness(&self) -> &ToughnessMap {
        &self.toughness
    }

    /// True if the body can break: it is not rigid, and one of its materials has a toughness.
    pub fn is_breakable(&self) -> bool {
        !self.is_rigid() && self.materials.iter().any(|material| material.breaks().is_some())
    }
}

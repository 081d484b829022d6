//! Data of fracture in a model: the drawn surface, open faces and toughness.

use std::sync::Arc;

use crate::body::fracture::drawn::{DrawnSurface, SplinterSource};
use crate::body::fracture::splinters::Splinters;
use crate::body::fracture::toughness_map::ToughnessMap;
use crate::body::model::error::ModelError;
use crate::body::model::model::Model;
use crate::body::skin::skin::Skin;

impl Model {
    /// Sets a source that makes the drawn surface on first use.
    pub(crate) fn draw_later(&mut self, source: Arc<dyn SplinterSource>) {
        self.drawn = DrawnSurface::later(source);
    }

    /// The same model with splinters, which are drawn instead of its skin and have no contact.
    ///
    /// # Panics
    /// If the splinters refer to nodes that the mesh does not have.
    #[must_use]
    pub fn with_splinters(self, splinters: Splinters) -> Self {
        let count = self.mesh.nodes.len();
        let sound = splinters.skin().nodes_below(count);
        assert!(sound, "splinters of another mesh: it has {count} nodes");
        Self { drawn: DrawnSurface::given(splinters), ..self }
    }

    /// The splinters that are drawn instead of its skin, if it has any.
    pub fn splinters(&self) -> Option<&Splinters> {
        self.drawn.splinters(&self.mesh, &self.fresh)
    }

    /// The surface to draw, if the model has one; otherwise draw the boundary of its mesh.
    pub fn drawn(&self) -> Option<&Skin> {
        self.splinters().map(Splinters::skin).or(self.skin.as_ref())
    }

    /// Faces that opened when the body broke: the cell, and the number of the face in that cell.
    pub fn fresh_faces(&self) -> &[[u32; 2]] {
        &self.fresh
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

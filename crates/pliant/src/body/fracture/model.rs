//! Data of fracture in a model: the drawn surface, open faces and toughness.

use std::sync::Arc;

use crate::body::fracture::drawn::{DrawnSurface, SplinterSource};
use crate::body::fracture::splinters::Splinters;
use crate::body::fracture::toughness_map::ToughnessMap;
use crate::body::model::error::ModelError;
use crate::body::model::model::Model;
use crate::body::skin::skin::Skin;

impl Model {
    /// Makes the surface that is drawn when it is first asked for.
    pub(crate) fn draw_later(&mut self, source: Arc<dyn SplinterSource>) {
        self.drawn = DrawnSurface::later(source);
    }

    /// The same with a surface that is drawn in the place of its skin, and touches nothing.
    ///
    /// # Panics
    /// If the splinters are those of another mesh, with more nodes.
    #[must_use]
    pub fn with_splinters(self, splinters: Splinters) -> Self {
        let count = self.mesh.nodes.len();
        let sound = splinters.skin().nodes_below(count);
        assert!(sound, "splinters of another mesh: it has {count} nodes");
        Self { drawn: DrawnSurface::given(splinters), ..self }
    }

    /// What is drawn in the place of its skin, if anything.
    pub fn splinters(&self) -> Option<&Splinters> {
        self.drawn.splinters(&self.mesh, &self.fresh)
    }

    /// The surface to be drawn, if it has one of its own; otherwise its boundary is.
    pub fn drawn(&self) -> Option<&Skin> {
        self.splinters().map(Splinters::skin).or(self.skin.as_ref())
    }

    /// Faces that came to lie open when it broke: cells, and the numbers of faces in them.
    pub fn fresh_faces(&self) -> &[[u32; 2]] {
        &self.fresh
    }

    /// The same where it is tougher or less so than its materials.
    ///
    /// # Errors
    ///
    /// A share for other cells than there are, a seam without direction, shares that are none.
    pub fn with_toughness(self, toughness: ToughnessMap) -> Result<Self, ModelError> {
        toughness.check(self.mesh.cell_count())?;
        Ok(Self { toughness, ..self })
    }

    /// Where it is tougher or less so than its materials.
    pub fn toughness(&self) -> &ToughnessMap {
        &self.toughness
    }

    /// Whether any of it may come apart.
    pub fn is_breakable(&self) -> bool {
        !self.is_rigid() && self.materials.iter().any(|material| material.breaks().is_some())
    }
}

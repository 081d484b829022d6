//! The toughness of the cells of a mesh.

use pliant::body::ToughnessMap;
use pliant::mesh::Mesh;

use crate::scene::plan::toughness::ToughnessPlan;

impl ToughnessPlan {
    /// Returns the toughness of each cell of a mesh.
    pub(crate) fn map(&self, mesh: &Mesh) -> ToughnessMap {
        let map = match self.variation > 0.0 {
            true => ToughnessMap::varied(mesh, self.variation, self.seed),
            false => ToughnessMap::default(),
        };
        ToughnessMap { seams: self.seams.clone(), ..map }
    }
}

//! The drawn surface of a fragment.

use std::sync::Arc;

use crate::body::{Model, Skin, SplinterSource, Splinters};
use pliant_mesh::mesh::{Mesh, Part};

use super::skin_transfer::SkinTransfer;

/// Makes the splinters of a fragment from those of the unbroken body, or from its skin.
#[derive(Debug)]
pub(super) struct FragmentSurface {
    pub(super) whole: Arc<Model>,
    pub(super) part: Part,
}

impl SplinterSource for FragmentSurface {
    fn splinters(&self, fragment: &Mesh, fresh_faces: &[[u32; 2]]) -> Option<Splinters> {
        let (whole, part) = (self.whole.mesh(), &self.part);
        if let Some(splinters) = self.whole.splinters() {
            return Some(splinters.of_part(part, whole, (fragment, fresh_faces)));
        }
        let uncut = self.whole.skin().filter(|skin| !skin.cells().is_empty())?;
        Some(Splinters::of_skin(uncut).of_part(part, whole, (fragment, fresh_faces)))
    }
}

impl Splinters {
    /// The splinters of a surface that was not cut into splinters: each triangle is one, tied to the cell of its
    /// first corner.
    fn of_skin(skin: &Skin) -> Self {
        let cell = |triangle: &[u32; 3]| skin.cells().get(triangle[0] as usize).copied();
        let pieces = (0u32..).zip(skin.triangles());
        let pieces = pieces.map(|(k, triangle)| (k..k + 1, cell(triangle).unwrap_or(0))).collect();
        let sources = (0..skin.triangles().len() as u32).collect();
        Self { skin: skin.clone(), pieces, sources, closed: false }
    }

    /// The splinters of a fragment, given its mesh and the faces that its break opened.
    fn of_part(
        &self,
        part: &Part,
        whole: &Mesh,
        (fragment, fresh_faces): (&Mesh, &[[u32; 2]]),
    ) -> Self {
        let neighbours = fragment.cell_neighbours();
        let mut transfer = SkinTransfer::new(&self.skin, whole, part, (fragment, &neighbours));
        let (mut pieces, mut sources) = (Vec::new(), Vec::new());
        for (triangles, home) in &self.pieces {
            // Open faces are drawn anew below: a later break may have changed them.
            let fresh = self.sources[triangles.start as usize] == Self::FRESH_FACE;
            let Some(home) = part.cell(*home).filter(|_| !fresh) else { continue };
            let begin = sources.len() as u32;
            for triangle in triangles.clone().map(|triangle| triangle as usize) {
                transfer.add(self.skin.triangles()[triangle], home);
                sources.push(self.sources[triangle]);
            }
            pieces.push((begin..sources.len() as u32, home));
        }
        // Closed splinters already have surfaces inside the body.
        let opened = if self.closed { &[][..] } else { fresh_faces };
        for [cell, face] in opened {
            let begin = sources.len() as u32;
            transfer.add_face(*cell, *face as usize);
            sources.resize(transfer.triangle_count(), Self::FRESH_FACE);
            pieces.push((begin..sources.len() as u32, *cell));
        }
        Self { skin: transfer.finish(), pieces, sources, closed: self.closed }
    }
}

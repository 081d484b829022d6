//! The drawn surface of a body, whole or broken.

use crate::body::{Body, PartOf, Skin, Splinters};
use pliant_kernels::math::made_once;
use pliant_mesh::mesh::{Fragment, Mesh};

use super::skin_transfer::SkinTransfer;

impl Body {
    /// The splinters that are drawn instead of its skin, if it has any: those of its model, or those of a fragment, which
    /// are made from the splinters or the skin of the unbroken body when they are first asked for.
    pub fn splinters(&self) -> Option<&Splinters> {
        match &self.part_of {
            Some(of) => made_once(&of.splinters, || fragment_splinters(of)).as_ref(),
            None => self.model().splinters(),
        }
    }

    /// The surface to draw, if it has one; otherwise draw the boundary of its mesh.
    pub fn drawn(&self) -> Option<&Skin> {
        self.splinters().map(Splinters::skin).or(self.model().skin())
    }

    /// The surface to draw: [`Body::drawn`], or else the boundary of its mesh, fine enough to look smooth where cells are curved. Its triangles are
    /// constant until [`World::version`](crate::World::version) changes.
    pub fn drawn_skin(&self) -> &Skin {
        self.drawn().unwrap_or_else(|| self.model().smooth_boundary())
    }

    /// Faces that opened when it broke: cells, and the numbers of faces in them.
    pub fn fresh_faces(&self) -> &[[u32; 2]] {
        self.part_of.as_ref().map_or(&[], |of| &of.fresh_faces)
    }
}

/// Makes the splinters of a fragment from those of the unbroken body, or from its skin.
fn fragment_splinters(of: &PartOf) -> Option<Splinters> {
    let PartOf { whole, part, model, fresh_faces, .. } = of;
    let (mesh, fragment) = (whole.model.mesh(), (model.mesh(), &fresh_faces[..]));
    if let Some(splinters) = whole.model.splinters() {
        return Some(splinters.of_part(part, mesh, fragment));
    }
    let uncut = whole.model.skin().filter(|skin| !skin.cells().is_empty())?;
    Some(Splinters::of_skin(uncut).of_part(part, mesh, fragment))
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
        part: &Fragment,
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

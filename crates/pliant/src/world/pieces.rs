//! Whose piece a body is.

use crate::body::MaterialPoint;

use super::{Handle, World};

impl World {
    /// The body that was added which a body is, or is a piece of.
    pub fn origin(&self, handle: Handle) -> Option<Handle> {
        let entry = self.entries.get(handle.index)?;
        let root = self.roots.get(entry.root as usize)?;
        Some(Handle { index: root.slot, generation: 0 })
    }

    /// All that is left of a body that was added: its pieces, or itself if it has not broken.
    pub fn pieces(&self, handle: Handle) -> impl Iterator<Item = Handle> {
        let root = self.entries.get(handle.index).map(|entry| entry.root);
        let own = (0u32..).zip(self.entries.iter());
        let own = own.filter(move |(_, entry)| Some(entry.root) == root);
        own.map(|(index, _)| Handle { index, generation: 0 })
    }

    /// Where a point of a body is now that was found before it broke: the piece, and the point of that. None if the body was made
    /// anew since.
    pub fn point_now(
        &self,
        handle: Handle,
        point: &MaterialPoint,
    ) -> Option<(Handle, MaterialPoint)> {
        let body = self.body(handle)?;
        if body.part().is_none() {
            return Some((handle, point.clone()));
        }
        self.pieces(handle).find_map(|piece| {
            let body = self.body(piece)?;
            let cell = body.part()?.cell(point.cell)?;
            let nodes = body.model().mesh().cell(cell as usize).1.to_vec();
            let weights = point.weights.clone();
            let same = nodes.len() == weights.len();
            same.then_some((piece, MaterialPoint { cell, nodes, weights }))
        })
    }

    /// A number that changes whenever a body has other cells, nodes or surfaces than before: who draws it looks again then.
    pub fn version(&self, handle: Handle) -> Option<u64> {
        self.entries.get(handle.index).map(|entry| entry.version)
    }
}

//! Fragments and the bodies they come from.

use crate::body::MaterialPoint;
use crate::world::slot::handle::BodyHandle;
use crate::world::world::World;

impl World {
    /// The original body of a fragment; a body that has not broken is its own original.
    pub fn origin(&self, handle: BodyHandle) -> Option<BodyHandle> {
        let slot = self.slots.named(handle)?;
        Some(self.slots.handle(self.originals.get(slot.identity.original)?.place))
    }

    /// All fragments of the original of a body; the body itself if it has not broken.
    pub fn pieces(&self, handle: BodyHandle) -> impl Iterator<Item = BodyHandle> {
        let original = self.slots.named(handle).map(|slot| slot.identity.original);
        let own = self.slots.indexed();
        let own = own.filter(move |(_, slot)| Some(slot.identity.original) == original);
        own.map(|(index, _)| self.slots.handle(index))
    }

    /// The fragment that now contains a point of a body, found before the body broke, and the point in it. `None` if the body was
    /// replaced since.
    pub fn point_now(
        &self,
        handle: BodyHandle,
        point: &MaterialPoint,
    ) -> Option<(BodyHandle, MaterialPoint)> {
        let body = self.get(handle)?;
        if body.part().is_none() {
            return Some((handle, point.clone()));
        }
        self.pieces(handle).find_map(|fragment| {
            let body = self.get(fragment)?;
            let cell = body.part()?.cell(point.cell)?;
            let nodes = body.model().mesh().cell(cell as usize).1.to_vec();
            let weights = point.weights.clone();
            let same = nodes.len() == weights.len();
            same.then_some((fragment, MaterialPoint { cell, nodes, weights }))
        })
    }

    /// A number that changes whenever the cells, nodes or surfaces of a body change: a renderer rebuilds its buffers then.
    pub fn version(&self, handle: BodyHandle) -> Option<u64> {
        self.slots.named(handle).map(|slot| slot.identity.version)
    }
}

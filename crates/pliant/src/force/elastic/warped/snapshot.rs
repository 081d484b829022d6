//! What warped stiffness remembers from one step to the next.

use glam::DVec3;
use pliant_kernels::warped::WarpedBatch;

use crate::body::{Model, Unknowns};
use crate::persist::{Reader, SnapshotError, Writer};

use super::warped::Warped;

impl Warped {
    /// Writes the rotations, from which the next ones are found, and where a change is counted from.
    pub(super) fn save_memory(&self, to: &mut Writer) {
        if self.guesses() {
            to.f64s(self.rotations.as_flattened().as_flattened());
        }
        if self.turns() {
            to.f64s(self.marked_rotations.as_flattened().as_flattened());
        }
        to.vectors(&self.marked);
        to.flag(self.ties.is_some());
    }

    /// Takes them up. Numbers that are no rotation are not refused: the next step would notice them as
    /// it notices any guess that leads astray.
    pub(super) fn load_memory(
        &mut self,
        model: &Model,
        unknowns: &Unknowns,
        from: &mut Reader<'_>,
    ) -> Result<(), SnapshotError> {
        if self.guesses() {
            from.f64s(self.rotations.as_flattened_mut().as_flattened_mut())?;
        }
        if self.turns() {
            from.f64s(self.marked_rotations.as_flattened_mut().as_flattened_mut())?;
        }
        from.vectors(&mut self.marked)?;
        let known = from.flag()?;
        let untied = Unknowns::none(unknowns.node_count());
        let ties = if known { unknowns } else { &untied };
        for (batch, group) in model.batches().iter().zip(&mut self.groups) {
            group.follow_ties(batch, &|node| ties.ends(node).is_none());
        }
        self.ties = known.then(|| unknowns.version());
        Ok(())
    }

    /// Where a change is counted from.
    pub(crate) fn marked(&self) -> &[DVec3] {
        &self.marked
    }

    /// Whether there are cells that turn at all.
    fn turns(&self) -> bool {
        self.groups.iter().any(|group| !group.is_fixed())
    }

    /// Whether rotations are found from those of the last step: not where cells never turn, or are
    /// measured anew.
    fn guesses(&self) -> bool {
        self.groups.iter().any(WarpedBatch::guesses)
    }
}

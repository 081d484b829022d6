//! State of the warped stiffness between steps.

use glam::DVec3;
use pliant_kernels::warped::WarpedBatch;

use crate::body::{Model, Unknowns};
use crate::persist::{Reader, SnapshotError, Writer};

use super::warped::Warped;

impl Warped {
    /// Writes the rotations, which are the start values of the next ones, and the marked positions.
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

    /// Reads them. Matrices that are not rotations are accepted: the next step corrects them like any bad start value.
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

    /// The positions of the last [`crate::force::Elasticity::mark`].
    pub(crate) fn marked(&self) -> &[DVec3] {
        &self.marked
    }

    /// True if some cells rotate.
    fn turns(&self) -> bool {
        self.groups.iter().any(|group| !group.is_fixed())
    }

    /// True if rotations are computed from those of the last step: not for cells without rotation, or with rotations
    /// that are computed from scratch.
    fn guesses(&self) -> bool {
        self.groups.iter().any(WarpedBatch::guesses)
    }
}

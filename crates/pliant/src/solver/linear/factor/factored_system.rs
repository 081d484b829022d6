//! Which system a factor is of.

use crate::persist::{Persist, Reader, SnapshotError, Writer};
use crate::solver::linear::nodes::{Scales, SystemParts};

/// The system of a factor.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct FactoredSystem {
    pub(super) scales: Scales,
    /// Version of the unknowns.
    pub(super) version: u64,
}

impl FactoredSystem {
    pub(super) fn of(parts: &SystemParts<'_>, scales: &Scales) -> Self {
        Self { scales: *scales, version: parts.unknowns.version() }
    }

    pub(super) fn save(&self, to: &mut Writer) {
        self.scales.save(to);
        to.u64(self.version);
    }

    pub(super) fn read(from: &mut Reader<'_>) -> Result<Self, SnapshotError> {
        let mut scales = Scales::default();
        scales.load(from)?;
        Ok(Self { scales, version: from.u64()? })
    }
}

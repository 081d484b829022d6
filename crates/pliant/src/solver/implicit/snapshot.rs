//! State of an implicit stepper between steps.

use crate::body::Model;
use crate::persist::{Persist, Reader, SnapshotError, Writer};

use super::implicit::Implicit;

/// Largest valid version of the map to the unknowns.
const MAX_CHANGES: u64 = 1 << 62;

impl Implicit {
    /// Writes everything that the next step depends on, except the body.
    pub fn save_memory(&self, to: &mut Writer) {
        self.history.save(to);
        self.budget.save(to);
        self.quasi_newton.trend.save(to);
        self.past.save(to);
        if let Some(adaptive) = &self.adaptive {
            to.u64(self.unknowns.version());
            adaptive.save(&self.unknowns, to);
            to.f64s(&self.masses);
        }
        self.elasticity.save(to);
        self.system.save(to);
    }

    /// Reads it, for a body of this model.
    ///
    /// # Errors
    ///
    /// Bytes that no stepper of this method for this model has written.
    pub fn load_memory(
        &mut self,
        model: &Model,
        from: &mut Reader<'_>,
    ) -> Result<(), SnapshotError> {
        self.history.load(from)?;
        self.budget.load(from)?;
        self.quasi_newton.trend.load(from)?;
        self.past.load(from)?;
        self.load_degrees(from)?;
        self.elasticity.load(model, &self.unknowns, from)?;
        self.system.load(&self.unknowns, from)?;
        self.forces_known = false;
        Ok(())
    }

    /// Reads the ties and the masses that depend on them.
    fn load_degrees(&mut self, from: &mut Reader<'_>) -> Result<(), SnapshotError> {
        let Some(adaptive) = &mut self.adaptive else { return Ok(()) };
        let version = from.u64()?;
        if version > MAX_CHANGES {
            return Err(from.bad("a version"));
        }
        adaptive.load(&mut self.unknowns, from)?;
        self.unknowns.set_version(version);
        adaptive.fold_mass(&self.unknowns, self.consistent.as_mut());
        from.f64s(&mut self.masses)?;
        let sound = self.masses.iter().all(|mass| mass.is_finite() && *mass >= 0.0);
        if sound { Ok(()) } else { Err(from.bad("a mass")) }
    }
}

//! Friction between two materials.

use crate::contact::config::ContactConfig;
use crate::contact::error::ObstacleError;
use crate::persist::{Persist, Reader, SnapshotError, Writer};

use super::check_friction::check_friction;

/// Coulomb's coefficients of pairs of materials, by their numbers.
///
/// Each body has a coefficient of its own; but friction of rubber on ice follows neither from rubber on rubber nor from ice on
/// ice. Pairs without an entry here use the coefficients of the bodies.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct FrictionTable {
    /// By pairs of numbers, the smaller first, in ascending order.
    pairs: Vec<([u32; 2], f64)>,
}

impl FrictionTable {
    /// Sets the coefficient of two materials, in either order; `None` removes it.
    ///
    /// # Errors
    ///
    /// If the coefficient is invalid; the table is unchanged then.
    pub fn set(&mut self, [a, b]: [u32; 2], coefficient: Option<f64>) -> Result<(), ObstacleError> {
        coefficient.map_or(Ok(()), check_friction)?;
        let key = [a.min(b), a.max(b)];
        match (self.place(key), coefficient) {
            (Ok(place), Some(value)) => self.pairs[place].1 = value,
            (Err(place), Some(value)) => self.pairs.insert(place, (key, value)),
            (Ok(place), None) => {
                self.pairs.remove(place);
            }
            (Err(_), None) => {}
        }
        Ok(())
    }

    /// The coefficient of two materials, if it was set.
    pub fn between(&self, a: u32, b: u32) -> Option<f64> {
        self.place([a.min(b), a.max(b)]).ok().map(|place| self.pairs[place].1)
    }

    /// The coefficient of two bodies: of their materials, if it was set, else the mean of their own.
    pub(crate) fn of(&self, first: &ContactConfig, second: &ContactConfig) -> f64 {
        let known = self.between(first.material, second.material);
        known.unwrap_or_else(|| first.friction_with(second))
    }

    fn place(&self, key: [u32; 2]) -> Result<usize, usize> {
        self.pairs.binary_search_by_key(&key, |(known, _)| *known)
    }
}

/// Bytes of a pair in a snapshot.
const PAIR_BYTES: usize = 16;

impl Persist for FrictionTable {
    fn save(&self, to: &mut Writer) {
        to.u32(self.pairs.len() as u32);
        for ([a, b], value) in &self.pairs {
            to.u32(*a);
            to.u32(*b);
            to.f64(*value);
        }
    }

    fn load(&mut self, from: &mut Reader<'_>) -> Result<(), SnapshotError> {
        self.pairs.clear();
        for _ in 0..from.count(PAIR_BYTES)? {
            let (key, value) = ([from.u32()?, from.u32()?], from.f64()?);
            check_friction(value).map_err(|_| from.bad("friction of two materials"))?;
            self.pairs.push((key, value));
        }
        let sorted = self.pairs.is_sorted_by(|(a, _), (b, _)| a < b);
        let ordered = self.pairs.iter().all(|([a, b], _)| a <= b);
        if sorted && ordered { Ok(()) } else { Err(from.bad("friction of materials in order")) }
    }
}

//! Settings of a world.

use glam::DVec3;

use crate::contact::ContactLevel;
use crate::sleep::SleepConfig;

/// The largest component of gravity, in m/s²: ten million times that on the Sun.
const MAX_GRAVITY: f64 = 1e9;

/// Settings of a [`super::World`].
///
/// ```
/// use pliant::WorldConfig;
///
/// let config = WorldConfig { dt: 1.0 / 120.0, ..Default::default() };
/// assert!(config.check().is_ok());
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct WorldConfig {
    /// Acceleration of gravity, in m/s² (default `(0, −9.81, 0)`).
    pub gravity: DVec3,
    /// Length of a step, in s (default `1/60`).
    pub dt: f64,
    /// Substeps per step (default `None`: one for implicit steppers, for explicit ones as many as
    /// each body needs to be stable, 20 for XPBD). Cost grows in proportion. A method may have its own.
    pub substeps: Option<u32>,
    /// Velocity decay rate, in 1/s (default `0`): free motion falls to 1/e in the inverse of it.
    pub damping: f64,
    /// The level of contact between bodies (default [`ContactLevel::Game`]).
    pub contact: ContactLevel,
    /// When bodies at rest fall asleep (default [`SleepConfig::default`]; `None`: never).
    pub sleep: Option<SleepConfig>,
    /// Time without plastic flow, in s, after which a body is annealed: plastic strain is counted from the present shape on, and no
    /// force changes ([`World::anneal`](super::World::anneal)). Default `None`: never by itself.
    pub anneal: Option<f64>,
    /// How bodies of breakable materials break (default [`FractureConfig::default`]).
    pub fracture: FractureConfig,
    /// The most fragments of broken bodies (default `None`: any number).
    pub debris: Option<DebrisConfig>,
}

impl Default for WorldConfig {
    fn default() -> Self {
        let gravity = DVec3::new(0.0, -9.81, 0.0);
        Self {
            gravity,
            dt: 1.0 / 60.0,
            substeps: None,
            damping: 0.0,
            contact: ContactLevel::default(),
            sleep: Some(SleepConfig::default()),
            anneal: None,
            fracture: FractureConfig::default(),
            debris: None,
        }
    }
}

/// How bodies of breakable materials break.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FractureConfig {
    /// The most places that open in a step, in the whole world (default `32`): those under the highest strain. The rest is examined
    /// again in the next step.
    pub limit: u32,
    /// Steps from one search for breaks to the next (default `1`). A search costs about as much as the forces of a step.
    pub every: u32,
    /// Decides between places under equal strain (default `0`).
    pub seed: u64,
}

impl Default for FractureConfig {
    fn default() -> Self {
        Self { limit: 32, every: 1, seed: 0 }
    }
}

/// The most fragments of broken bodies, and the fate of the oldest sleeping ones beyond that.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DebrisConfig {
    /// The most fragments that may move.
    pub most: u32,
    /// The fate of the others.
    pub fate: Fate,
}

/// The fate of fragments beyond the limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Fate {
    /// They disappear: no contact, and nothing to draw.
    #[default]
    Fade,
    /// They stay in place for ever, and other bodies can rest on them.
    Freeze,
}

impl Fate {
    /// All values.
    pub const ALL: [Self; 2] = [Self::Fade, Self::Freeze];

    /// The name in scene files.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Fade => "fade",
            Self::Freeze => "freeze",
        }
    }
}

/// A setting out of range.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ConfigError {
    /// A number out of its range.
    #[error("{field} is {value}, expected {expected}")]
    OutOfRange {
        /// The setting.
        field: &'static str,
        /// Its value.
        value: f64,
        /// The valid range.
        expected: &'static str,
    },
}

impl WorldConfig {
    /// Checks every field once, so that a step need not.
    pub fn check(&self) -> Result<(), ConfigError> {
        let Self { gravity, dt, substeps, damping, contact: _, sleep, anneal, fracture, debris: _ } =
            *self;
        let bad = |field, value, expected| Err(ConfigError::OutOfRange { field, value, expected });
        if !gravity.abs().cmple(DVec3::splat(MAX_GRAVITY)).all() {
            return bad("gravity", gravity.length(), "three numbers of at most 1e9 m/s²");
        }
        if !(dt.is_finite() && dt > 0.0) {
            return bad("dt", dt, "a positive time in s, such as 1/60");
        }
        if substeps == Some(0) {
            return bad("substeps", 0.0, "at least 1, or none given to choose by the stepper");
        }
        if !(damping.is_finite() && damping >= 0.0) {
            return bad("damping", damping, "a rate in 1/s, zero or more");
        }
        if let Some(SleepConfig { speed, steps: _, force }) = sleep {
            if !(speed.is_finite() && speed >= 0.0) {
                return bad(
                    "sleep.speed",
                    speed,
                    "a speed in m/s, zero or more, or no sleep at all",
                );
            }
            if !(force.is_finite() && force >= 0.0) {
                return bad("sleep.force", force, "a force at a node in N, zero or more");
            }
        }
        if fracture.every == 0 {
            return bad(
                "fracture.every",
                0.0,
                "at least 1 step from one search for breaks to the next",
            );
        }
        match anneal {
            Some(after) if !(after.is_finite() && after > 0.0) => {
                bad("anneal", after, "a positive time in s, such as 1, or none given")
            }
            _ => Ok(()),
        }
    }
}

//! Wind, and its forces on a skin.

use glam::DVec3;

use crate::body::{Skin, SkinMotion};
use crate::persist::{Persist, Reader, SnapshotError, Writer};
use pliant_kernels::math::Mat3;

use super::damped_forces::DampedForces;
use super::gusts::Gusts;

/// Moving air, which resists bodies that move relative to it.
///
/// ```text
/// t = ½ ρ (c |u·n| (u·n) n + cₜ |u| uₜ)        uₜ = u − (u·n) n
/// ```
///
/// - `t` the traction on a triangle of the skin, in Pa; `n` its normal
/// - `u = w − v` the relative wind, in m/s: the wind at the triangle minus its velocity
/// - `ρ` the density, in kg/m³; `c` drag, `cₜ` friction
///
/// Both sides of a body are loaded, the lee side by suction; there is no shielding by other bodies. A thin plate across
/// the wind has the drag coefficient 2c, a ball c + 8/3 cₜ.
///
/// Forces are linearised as D(u) (w − v⁺) with |u·n| and |u| at the start of the step: the effect of drag alone on a
/// free body in one step is then exact, u⁺ = u/(1 + k |u| h), and u never changes its sign.
///
/// ```
/// use glam::DVec3;
/// use pliant::Wind;
/// use pliant::force::Gusts;
///
/// let wind = Wind { velocity: DVec3::new(8.0, 0.0, 0.0), ..Default::default() };
/// let gusty = Wind { gusts: Gusts { strength: 0.4, ..Default::default() }, ..wind };
/// assert!(gusty.check().is_ok());
/// assert_eq!(wind.at(DVec3::ZERO, 3.0), wind.velocity);
/// assert_ne!(gusty.at(DVec3::ONE, 3.0), wind.velocity);
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Wind {
    /// Mean velocity, in m/s (default zero: still air).
    pub velocity: DVec3,
    /// Density of the air, in kg/m³ (default `1.2`; water has 1000).
    pub density: f64,
    /// Coefficient of the pressure (default `0.5`: measured values are 0.47 for a ball, 1.2 for a plate).
    pub drag: f64,
    /// Coefficient of the traction along the surface (default `0.01`).
    pub friction: f64,
    /// Variation in space and time (default none).
    pub gusts: Gusts,
    /// Start time, in s (default −∞). Before it the air is still; half a second later the wind has its full strength.
    pub start: f64,
    /// Time at which it has stopped, in s (default ∞: never).
    pub end: f64,
}

impl Default for Wind {
    fn default() -> Self {
        Self {
            velocity: DVec3::ZERO,
            density: 1.2,
            drag: 0.5,
            friction: 0.01,
            gusts: Gusts::default(),
            start: f64::NEG_INFINITY,
            end: f64::INFINITY,
        }
    }
}

/// An invalid wind.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum WindError {
    /// A number out of its range.
    #[error("{field} of the wind is {value}, expected {expected}")]
    OutOfRange {
        /// The setting.
        field: &'static str,
        /// Its value.
        value: f64,
        /// The valid range.
        expected: &'static str,
    },
}

/// The largest speed, that of light, in m/s.
const MAX_SPEED: f64 = 3e8;

/// Duration of the rise and the fall, in s.
const SWELL: f64 = 0.5;

impl Wind {
    /// Checks every field once, so that a step need not.
    pub fn check(&self) -> Result<(), WindError> {
        let Self { velocity, density, drag, friction, gusts, start, end } = *self;
        let Gusts { strength, length, seed: _ } = gusts;
        let fast = velocity.abs().max_element();
        let fast = if velocity.is_finite() { fast } else { f64::NAN };
        let ranges = [
            ("velocity", fast, 0.0..=MAX_SPEED, "three numbers of at most 3e8 m/s"),
            ("density", density, 0.0..=1e6, "0 to 1e6 kg/m³, such as 1.2"),
            ("drag", drag, 0.0..=1e3, "0 to 1000, such as 0.5"),
            ("friction", friction, 0.0..=1e3, "0 to 1000, such as 0.01"),
            ("gusts.strength", strength, 0.0..=100.0, "0 to 100, such as 0.5"),
            ("gusts.length", length, 1e-6..=1e9, "1e-6 to 1e9 m, such as 2"),
            ("start", start, f64::NEG_INFINITY..=f64::MAX, "a time in s"),
            ("end", end, start..=f64::INFINITY, "a time in s after the start"),
        ];
        match ranges.into_iter().find(|(_, value, range, _)| !range.contains(value)) {
            Some((field, value, _, expected)) => {
                Err(WindError::OutOfRange { field, value, expected })
            }
            None => Ok(()),
        }
    }

    /// The velocity of the air at a position and time, in m/s.
    pub fn at(&self, x: DVec3, t: f64) -> DVec3 {
        let share = ramp((t - self.start) / SWELL) * ramp((self.end - t) / SWELL);
        if share == 0.0 { DVec3::ZERO } else { share * self.gusts.wind(self.velocity, x, t) }
    }

    /// True if it does not depend on time.
    pub fn is_steady(&self) -> bool {
        let always = self.start == f64::NEG_INFINITY && self.end == f64::INFINITY;
        self.velocity == DVec3::ZERO || (always && self.gusts.strength == 0.0)
    }

    /// D of a triangle with this area and normal in the relative wind `u`, in N·s/m: the force on it is D u.
    ///
    /// ```text
    /// D = ½ ρ A (c |u·n| n nᵀ + cₜ |u| (1 − n nᵀ))
    /// ```
    pub(crate) fn resistance(&self, area: f64, normal: DVec3, u: DVec3) -> Mat3 {
        let scale = 0.5 * self.density * area;
        let across = scale * self.drag * u.dot(normal).abs();
        let along = scale * self.friction * u.length();
        let n = normal.into();
        (Mat3::outer(n, n) * (across - along)).add_diagonal(along)
    }

    /// Adds its forces at time `t`, in s, to those on the vertices of a skin: a third of the force on every triangle to
    /// each vertex.
    pub(crate) fn blow(
        &self,
        skin: &Skin,
        motion: &SkinMotion,
        t: f64,
        vertices: &mut DampedForces,
    ) {
        vertices.resist();
        let DampedForces { forces, damping } = vertices;
        for (triangle, area) in skin.triangles().iter().zip(&motion.areas) {
            let size = area.length();
            if size == 0.0 {
                continue;
            }
            let wind = self.at(motion.centre(*triangle), t);
            let felt = wind - motion.velocity(*triangle);
            let third = self.resistance(size / 3.0, *area / size, felt);
            let force: DVec3 = third.mul_vec(wind.into()).into();
            for vertex in triangle.map(|vertex| vertex as usize) {
                forces[vertex] += force;
                damping[vertex] += third;
            }
        }
    }
}

/// A smooth ramp from 0 at 0 to 1 at 1.
fn ramp(u: f64) -> f64 {
    let u = u.clamp(0.0, 1.0);
    u * u * (3.0 - 2.0 * u)
}

impl Persist for Wind {
    fn save(&self, to: &mut Writer) {
        let Self { velocity, density, drag, friction, gusts, start, end } = *self;
        to.vector(velocity);
        to.f64s(&[density, drag, friction, gusts.strength, gusts.length, start, end]);
        to.u64(gusts.seed);
    }

    fn load(&mut self, from: &mut Reader<'_>) -> Result<(), SnapshotError> {
        let velocity = from.vector()?;
        let mut numbers = [0.0; 7];
        from.f64s(&mut numbers)?;
        let [density, drag, friction, strength, length, start, end] = numbers;
        let gusts = Gusts { strength, length, seed: from.u64()? };
        *self = Self { velocity, density, drag, friction, gusts, start, end };
        self.check().map_err(|_| from.bad("a wind"))
    }
}

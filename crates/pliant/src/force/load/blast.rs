//! Explosions.

use glam::DVec3;

use crate::body::{Skin, SkinMotion};

use super::error::FieldError;

/// A pressure wave of negligible duration, outward from a point.
///
/// ```text
/// p = J (1 − r/R)² (−n·d) A d        where n·d < 0 and r < R
/// ```
///
/// - `p` the impulse on a triangle of the skin, in N·s; `A`, `n` its area and outward normal
/// - `r`, `d` distance and direction from the centre; `R` the radius, `J` the strength, in N·s/m²
///
/// Surfaces that face the centre are pushed; there is no shielding by other bodies.
///
/// ```
/// use glam::DVec3;
/// use pliant::force::Blast;
///
/// let blast = Blast { centre: DVec3::Y, radius: 3.0, impulse: 500.0, time: 1.0 };
/// assert!(blast.check().is_ok());
/// assert!(Blast { radius: -1.0, ..blast }.check().is_err());
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Blast {
    /// The centre, in m.
    pub centre: DVec3,
    /// The radius beyond which it has no effect, in m.
    pub radius: f64,
    /// J, in N·s/m²: 1 kg of TNT gives about 200 at 2 m.
    pub impulse: f64,
    /// The time of the blast, in s.
    pub time: f64,
}

impl Blast {
    /// Checks every number.
    ///
    /// # Errors
    ///
    /// The first number that is out of range.
    pub fn check(&self) -> Result<(), FieldError> {
        let Self { centre, radius, impulse, time } = *self;
        let bad = |field, value, expected| Err(FieldError::OutOfRange { field, value, expected });
        if !centre.is_finite() {
            return bad("the centre of a blast", f64::NAN, "three finite numbers, in m");
        }
        if !(radius > 0.0 && radius <= 1e9) {
            return bad("the radius of a blast", radius, "a number above 0, in m");
        }
        if !(-1e12..=1e12).contains(&impulse) {
            return bad("the impulse of a blast", impulse, "a number up to 1e12 N·s/m²");
        }
        if !time.is_finite() {
            return bad("the time of a blast", time, "a time in s");
        }
        Ok(())
    }

    /// Adds the impulses on the vertices of a skin, in N·s; true if there are any.
    pub fn push(&self, skin: &Skin, motion: &SkinMotion, impulses: &mut [DVec3]) -> bool {
        let mut reached = false;
        for (triangle, area) in skin.triangles().iter().zip(&motion.areas) {
            let away = motion.centre(*triangle) - self.centre;
            let (distance, along) = (away.length(), away.normalize_or_zero());
            let facing = -area.dot(along);
            if distance < self.radius && facing > 0.0 {
                let left = 1.0 - distance / self.radius;
                let share = self.impulse * left * left * facing / 3.0 * along;
                triangle.iter().for_each(|vertex| impulses[*vertex as usize] += share);
                reached = true;
            }
        }
        reached
    }
}

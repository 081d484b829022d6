//! Settings common to all kinds of splinters.

use glam::DVec3;
use pliant::geometry::SurfaceGroup;

use super::SplinterError;

/// The largest number of splinters of a surface.
pub const MAX_SPLINTERS: usize = 20_000;

/// The look of cut faces, and the smallest splinter.
///
/// ```
/// use pliant_mesher::splinters::CutConfig;
///
/// let red = CutConfig::coloured([0.5, 0.1, 0.05, 1.0]);
/// assert_eq!(red.inside.colour, Some([0.5, 0.1, 0.05, 1.0]));
/// assert!(CutConfig { sliver: -1.0, ..red }.check().is_err());
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct CutConfig {
    /// Name, colour and texture of cut faces (default: named `inside`, light grey).
    pub inside: SurfaceGroup,
    /// A splinter smaller than this fraction of the average volume is joined to a neighbour (default `0.01`; `0` joins
    /// none). If their faces do not match, it becomes a second closed surface of the same splinter.
    pub sliver: f64,
}

impl Default for CutConfig {
    fn default() -> Self {
        Self::coloured([0.6, 0.6, 0.6, 1.0])
    }
}

impl CutConfig {
    /// Settings with cut faces of this colour: red, green, blue and opacity, linear, 0 to 1.
    pub fn coloured(colour: [f32; 4]) -> Self {
        let name = "inside".to_owned();
        let inside = SurfaceGroup {
            material: Some(name.clone()),
            name,
            colour: Some(colour),
            texture: None,
        };
        Self { inside, sliver: 0.01 }
    }

    /// Checks that the fraction is in range.
    pub fn check(&self) -> Result<(), SplinterError> {
        share("sliver", self.sliver, 0.5, "a number from 0 to 0.5")
    }
}

/// Checks a length in m.
pub(super) fn length(field: &'static str, value: f64) -> Result<(), SplinterError> {
    let fits = (1e-9..=1e9).contains(&value);
    let expected = "a positive length from 1e-9 to 1e9 m";
    if fits { Ok(()) } else { Err(SplinterError::Setting { field, value, expected }) }
}

/// Checks a value from 0 to `most`.
pub(super) fn share(
    field: &'static str,
    value: f64,
    most: f64,
    expected: &'static str,
) -> Result<(), SplinterError> {
    let fits = (0.0..=most).contains(&value);
    if fits { Ok(()) } else { Err(SplinterError::Setting { field, value, expected }) }
}

/// Normalises a direction; an error if it is zero or not finite.
pub(super) fn direction(
    field: &'static str,
    value: DVec3,
    also: &'static str,
) -> Result<DVec3, SplinterError> {
    let DVec3 { x, y, z } = value;
    let error = SplinterError::Direction { field, x, y, z, also };
    // Divided by the largest component first, so that squares do not overflow.
    let scaled = value / value.abs().max_element();
    if value.is_finite() { scaled.try_normalize().ok_or(error) } else { Err(error) }
}

/// Checks the number of splinters.
pub(super) fn not_too_many(count: f64) -> Result<(), SplinterError> {
    let fits = count <= MAX_SPLINTERS as f64;
    if fits { Ok(()) } else { Err(SplinterError::TooMany { count, most: MAX_SPLINTERS }) }
}

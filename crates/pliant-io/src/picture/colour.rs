//! Colours: linear light in computations, sRGB for input and output, Oklab for perceived differences.

use std::ops::{Add, Mul};
use std::sync::LazyLock;

/// A colour in linear light, each channel in [0, 1]; the renderer compresses brighter values.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Colour {
    /// Red.
    pub r: f32,
    /// Green.
    pub g: f32,
    /// Blue.
    pub b: f32,
}

impl Colour {
    /// Black.
    pub const BLACK: Self = Self::new(0.0, 0.0, 0.0);
    /// White.
    pub const WHITE: Self = Self::new(1.0, 1.0, 1.0);

    /// Creates a colour from linear channels.
    pub const fn new(r: f32, g: f32, b: f32) -> Self {
        Self { r, g, b }
    }

    /// Creates a colour from sRGB bytes, as in a style sheet.
    ///
    /// ```
    /// use pliant_io::picture::Colour;
    ///
    /// assert_eq!(Colour::from_srgb([200, 90, 60]).to_srgb(), [200, 90, 60]);
    /// ```
    pub fn from_srgb(bytes: [u8; 3]) -> Self {
        let [r, g, b] = bytes.map(|byte| linear_from_srgb(f32::from(byte) / 255.0));
        Self { r, g, b }
    }

    /// Returns the nearest sRGB bytes; channels out of range are clamped, NaN becomes zero.
    pub fn to_srgb(self) -> [u8; 3] {
        let table = &*SRGB;
        [table.byte(self.r), table.byte(self.g), table.byte(self.b)]
    }

    /// Creates a colour from the lightness (0 to 1), chroma (0 to about 0.3) and hue (in degrees) of Oklab, where
    /// equal steps look equal.
    ///
    /// Chroma is lowered until the colour is within sRGB. Ottosson 2020.
    pub fn from_oklch(lightness: f32, chroma: f32, hue_degrees: f32) -> Self {
        let (sin, cos) = hue_degrees.to_radians().sin_cos();
        let at = |chroma: f32| from_oklab(lightness, chroma * cos, chroma * sin);
        (0..=32)
            .map(|step| at(chroma * (1.0 - step as f32 / 32.0)))
            .find(|colour| colour.is_in_gamut())
            .unwrap_or_else(|| at(0.0))
    }

    /// Returns the muted colour of the `index`-th body of a picture; eight colours, then repeated.
    pub fn of_body(index: usize) -> Self {
        const HUES: [f32; 8] = [38.0, 240.0, 150.0, 85.0, 300.0, 195.0, 10.0, 120.0];
        Self::from_oklch(0.72, 0.1, HUES[index % HUES.len()])
    }

    /// Interpolates linearly from `self` at 0 to `other` at 1.
    pub fn mix(self, other: Self, t: f32) -> Self {
        self * (1.0 - t) + other * t
    }

    fn is_in_gamut(self) -> bool {
        [self.r, self.g, self.b].iter().all(|channel| (-1e-4..=1.0001).contains(channel))
    }
}

impl Add for Colour {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self::new(self.r + other.r, self.g + other.g, self.b + other.b)
    }
}

impl Mul<f32> for Colour {
    type Output = Self;

    fn mul(self, factor: f32) -> Self {
        Self::new(self.r * factor, self.g * factor, self.b * factor)
    }
}

impl Mul for Colour {
    type Output = Self;

    fn mul(self, other: Self) -> Self {
        Self::new(self.r * other.r, self.g * other.g, self.b * other.b)
    }
}

/// Converts Oklab to linear sRGB (Ottosson 2020).
fn from_oklab(lightness: f32, a: f32, b: f32) -> Colour {
    let l = (lightness + 0.396_337_78 * a + 0.215_803_76 * b).powi(3);
    let m = (lightness - 0.105_561_346 * a - 0.063_854_17 * b).powi(3);
    let s = (lightness - 0.089_484_18 * a - 1.291_485_5 * b).powi(3);
    Colour {
        r: 4.076_741_7 * l - 3.307_711_6 * m + 0.230_969_93 * s,
        g: -1.268_438 * l + 2.609_757_4 * m - 0.341_319_4 * s,
        b: -0.004_196_086_3 * l - 0.703_418_6 * m + 1.707_614_7 * s,
    }
}

/// The sRGB transfer function of IEC 61966-2-1.
fn linear_from_srgb(s: f32) -> f32 {
    if s <= 0.040_45 { s / 12.92 } else { ((s + 0.055) / 1.055).powf(2.4) }
}

/// The inverse of [`linear_from_srgb`].
fn srgb_from_linear(c: f32) -> f32 {
    if c <= 0.003_130_8 { c * 12.92 } else { 1.055 * c.powf(1.0 / 2.4) - 0.055 }
}

/// The inverse transfer function as a table: one power function per channel and pixel would cost more than all of the
/// lighting.
struct SrgbTable(Vec<u8>);

const TABLE_STEPS: usize = 8192;

static SRGB: LazyLock<SrgbTable> = LazyLock::new(|| {
    let entry = |step| srgb_from_linear(step as f32 / TABLE_STEPS as f32) * 255.0;
    SrgbTable((0..=TABLE_STEPS).map(|step| entry(step).round() as u8).collect())
});

impl SrgbTable {
    #[inline]
    fn byte(&self, channel: f32) -> u8 {
        let step = (channel.clamp(0.0, 1.0) * TABLE_STEPS as f32 + 0.5) as usize;
        self.0[step]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every sRGB byte is unchanged by conversion to linear light and back.
    #[test]
    fn every_byte_survives_the_way_to_linear_light_and_back() {
        for byte in 0..=255 {
            assert_eq!(Colour::from_srgb([byte; 3]).to_srgb(), [byte; 3]);
        }
    }

    /// Colours out of range are clamped, and NaN becomes zero.
    #[test]
    fn colours_out_of_range_are_clamped() {
        assert_eq!(Colour::new(-1.0, f32::NAN, f32::INFINITY).to_srgb(), [0, 0, 255]);
    }

    /// An OKLCH colour without chroma is grey, within one level.
    #[test]
    fn oklab_grey_is_grey() {
        let [r, g, b] = Colour::from_oklch(0.6, 0.0, 77.0).to_srgb();
        assert!(r.abs_diff(g) <= 1 && g.abs_diff(b) <= 1, "{r} {g} {b}");
    }
}

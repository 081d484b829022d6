//! Colour maps from numbers to colours.

use super::Colour;

/// A map from a number in [0, 1] to a colour.
///
/// Both are made in Oklab (Ottosson 2020), where equal steps of the number look like equal steps of the colour, and
/// both stay readable in grey print and for most colour-blind people.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum ColourMap {
    /// Dark violet through teal to light yellow: for magnitudes, such as a stress.
    #[default]
    Sequential,
    /// Blue through white to red: for deviations from a middle value, such as det F from 1.
    Diverging,
}

impl ColourMap {
    /// Returns the colour at `t`; the nearer end outside [0, 1], and a grey that is not in the map for NaN.
    pub fn colour(self, t: f64) -> Colour {
        if t.is_nan() {
            return Colour::from_oklch(0.6, 0.0, 0.0);
        }
        let t = t.clamp(0.0, 1.0) as f32;
        match self {
            Self::Sequential => sequential(t),
            Self::Diverging => diverging(t),
        }
    }

    /// Returns the colours of values; `low` and below are at one end of the map, `high` and above at the other.
    pub fn colours(self, values: &[f64], low: f64, high: f64) -> Vec<Colour> {
        let table: Vec<_> =
            (0..=TABLE_STEPS).map(|k| self.colour(k as f64 / TABLE_STEPS as f64)).collect();
        values.iter().map(|value| lookup(self, &table, unit(*value, low, high))).collect()
    }
}

/// Size of the table of [`ColourMap::colours`]: more than the 256 levels of a byte.
const TABLE_STEPS: usize = 1024;

fn lookup(map: ColourMap, table: &[Colour], t: f64) -> Colour {
    if t.is_nan() {
        map.colour(t)
    } else {
        table[(t.clamp(0.0, 1.0) * TABLE_STEPS as f64).round() as usize]
    }
}

/// Returns the position of `value` between `low` and `high`, from 0 to 1; 0.5 if these are equal.
fn unit(value: f64, low: f64, high: f64) -> f64 {
    if value.is_nan() {
        f64::NAN
    } else if high > low {
        (value / 2.0 - low / 2.0) / (high / 2.0 - low / 2.0)
    } else {
        0.5
    }
}

/// Lightness increases evenly while the hue changes from violet to yellow through teal.
fn sequential(t: f32) -> Colour {
    let hue = 305.0 - 205.0 * t.powf(0.9);
    let chroma = 0.11 + 0.065 * (2.0 * t - 1.0).powi(2);
    Colour::from_oklch(0.28 + 0.64 * t, chroma, hue)
}

/// Two hues of equal lightness that fade to near white in the middle.
fn diverging(t: f32) -> Colour {
    let side = (2.0 * t - 1.0).abs();
    let hue = if t < 0.5 { 255.0 } else { 32.0 };
    Colour::from_oklch(0.95 - 0.42 * side, 0.165 * side.powf(0.8), hue)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Relative luminance (ITU-R BT.709).
    fn luminance(colour: Colour) -> f32 {
        0.2126 * colour.r + 0.7152 * colour.g + 0.0722 * colour.b
    }

    /// The luminance of the sequential map rises monotonically.
    #[test]
    fn the_sequential_map_brightens_all_the_way() {
        let map = |k: i32| luminance(ColourMap::Sequential.colour(f64::from(k) / 100.0));
        for k in 0..100 {
            assert!(map(k) < map(k + 1), "luminance falls at {k} %");
        }
    }

    /// The diverging map is lightest in the middle.
    #[test]
    fn the_diverging_map_is_lightest_in_the_middle() {
        let middle = luminance(ColourMap::Diverging.colour(0.5));
        for t in [0.0, 0.2, 0.4, 0.6, 0.8, 1.0] {
            assert!(luminance(ColourMap::Diverging.colour(t)) < middle);
        }
    }

    /// Equal values have the middle colour, and values that are not finite have a colour too.
    #[test]
    fn values_that_are_all_equal_or_missing_have_a_colour() {
        let colours = ColourMap::Sequential.colours(&[2.0, f64::NAN, f64::INFINITY], 2.0, 2.0);
        assert_eq!(colours[0], ColourMap::Sequential.colour(0.5));
        assert_eq!(colours[1], ColourMap::Sequential.colour(f64::NAN));
        assert!(colours[2].r.is_finite());
    }
}

//! The legend: a bar with the meaning of the colours.

use glam::Vec2;

use super::font::{draw_text, text_width};
use super::{Image, Legend};

const TEXT_COLOUR: [u8; 3] = [62, 66, 72];

/// Draws the legend in the lower left corner: title, bar, and the values at its ends.
pub(crate) fn draw_legend(image: &mut Image, legend: &Legend) {
    let unit = image.height().min(image.width()) as f32 / 400.0;
    let (left, bottom) = (22.0 * unit, image.height() as f32 - 20.0 * unit);
    let (width, height, letters) = (170.0 * unit, 9.0 * unit, 8.5 * unit);
    let bar = bottom - letters - 6.0 * unit - height;
    draw_text(image, &legend.title, Vec2::new(left, bar - 7.0 * unit), letters, TEXT_COLOUR);
    draw_bar(image, legend, Vec2::new(left, bar), Vec2::new(width, height));
    let (low, high) = (number(legend.low), number(legend.high));
    draw_text(image, &low, Vec2::new(left, bottom), letters, TEXT_COLOUR);
    let right = left + width - text_width(&high, letters);
    draw_text(image, &high, Vec2::new(right, bottom), letters, TEXT_COLOUR);
}

fn draw_bar(image: &mut Image, legend: &Legend, corner: Vec2, size: Vec2) {
    let columns = corner.x.max(0.0) as u32..((corner.x + size.x) as u32).min(image.width());
    let rows = corner.y.max(0.0) as u32..((corner.y + size.y).max(0.0) as u32).min(image.height());
    for x in columns {
        let t = (x as f32 + 0.5 - corner.x) / size.x;
        let colour = legend.map.colour(t.into()).to_srgb();
        rows.clone().for_each(|y| image.set_pixel(x, y, colour));
    }
}

/// Formats a number with three significant digits.
fn number(value: f64) -> String {
    if value == 0.0 || !value.is_finite() {
        return format!("{value}");
    }
    let magnitude = value.abs().log10().floor();
    if !(-3.0..6.0).contains(&magnitude) {
        return format!("{value:.2e}");
    }
    let text = format!("{value:.*}", (2.0 - magnitude).max(0.0) as usize);
    if text.contains('.') {
        text.trim_end_matches('0').trim_end_matches('.').to_owned()
    } else {
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Numbers in a legend are short.
    #[test]
    fn numbers_are_short() {
        let texts = [0.0, 1.0, 0.25, -1234.6, 12.345, 0.001, 1e-9, 3.2e12].map(number);
        assert_eq!(texts, ["0", "1", "0.25", "-1235", "12.3", "0.001", "1.00e-9", "3.20e12"]);
    }
}

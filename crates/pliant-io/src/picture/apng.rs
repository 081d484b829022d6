//! Encodes animated PNG: a first frame, then the rectangles that change.

use std::io::{self, Write};

use super::Image;

/// A rectangle of pixels with its upper left corner at `x`, `y`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Rectangle {
    x: u32,
    y: u32,
    width: u32,
    height: u32,
}

pub(super) fn encode_frames(
    writer: &mut dyn Write,
    frames: &[Image],
    frames_per_second: f64,
) -> io::Result<()> {
    let (width, height) = (frames[0].width(), frames[0].height());
    let mut encoder = png::Encoder::new(writer, width, height);
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_compression(png::Compression::High);
    encoder.set_animated(frames.len() as u32, 0)?;
    let (numerator, denominator) = delay(frames_per_second);
    encoder.set_frame_delay(numerator, denominator)?;
    let mut body = encoder.write_header()?;
    body.write_image_data(frames[0].pixels().as_flattened())?;
    for pair in frames.windows(2) {
        let changed = difference(&pair[0], &pair[1]);
        body.reset_frame_position()?;
        body.set_frame_dimension(changed.width, changed.height)?;
        body.set_frame_position(changed.x, changed.y)?;
        body.write_image_data(crop(&pair[1], changed).as_flattened())?;
    }
    body.finish().map_err(io::Error::from)
}

/// Returns the seconds per frame as a fraction of 16-bit numbers.
fn delay(frames_per_second: f64) -> (u16, u16) {
    let denominator = if frames_per_second >= 1.0 { 10_000.0 } else { 100.0 };
    ((denominator / frames_per_second).round() as u16, denominator as u16)
}

/// Returns the smallest rectangle that contains all differences of two images; one pixel if there are none.
fn difference(before: &Image, after: &Image) -> Rectangle {
    let width = before.width() as usize;
    let rows = before.pixels().chunks_exact(width).zip(after.pixels().chunks_exact(width));
    let (mut left, mut right, mut top, mut bottom) = (width, 0, usize::MAX, 0);
    for (y, (old, new)) in rows.enumerate().filter(|(_, (old, new))| old != new) {
        let differs = |x: &usize| old[*x] != new[*x];
        left = left.min((0..width).find(differs).unwrap_or(width));
        right = right.max((0..width).rfind(differs).unwrap_or(0));
        top = top.min(y);
        bottom = y;
    }
    if top == usize::MAX {
        return Rectangle { x: 0, y: 0, width: 1, height: 1 };
    }
    let [x, y, width, height] = [left, top, right - left + 1, bottom - top + 1].map(|c| c as u32);
    Rectangle { x, y, width, height }
}

fn crop(image: &Image, part: Rectangle) -> Vec<[u8; 3]> {
    let rows = part.y..part.y + part.height;
    rows.flat_map(|y| (part.x..part.x + part.width).map(move |x| image.pixel(x, y))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The difference of two images is the smallest rectangle that contains all changed pixels; at least one
    /// pixel wide.
    #[test]
    fn the_difference_is_the_smallest_rectangle() {
        let before = Image::new(9, 7);
        let mut after = before.clone();
        after.set_pixel(3, 2, [1, 2, 3]);
        after.set_pixel(6, 5, [1, 2, 3]);
        let expected = Rectangle { x: 3, y: 2, width: 4, height: 4 };
        assert_eq!(difference(&before, &after), expected);
        assert_eq!(crop(&after, expected).len(), 16);
        assert_eq!(difference(&before, &before).width, 1);
    }

    /// The delay as a fraction of 16-bit numbers is within 1 % of the rate.
    #[test]
    fn delays_are_near_their_rate() {
        for rate in [0.01, 0.5, 1.0, 24.0, 29.97, 60.0, 240.0, 1000.0] {
            let (numerator, denominator) = delay(rate);
            let found = f64::from(denominator) / f64::from(numerator);
            assert!((found / rate - 1.0).abs() < 0.01, "{rate} became {found}");
        }
    }
}

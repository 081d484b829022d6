//! Small text drawn with a round pen.

use glam::Vec2;

use super::Image;

/// Height of capitals in the units of [`strokes`].
const CAPITAL_HEIGHT: f32 = 6.0;
/// Space between letters, in the same units.
const LETTER_GAP: f32 = 1.7;
/// Width of the pen, in the same units.
const PEN_WIDTH: f32 = 0.95;

/// The strokes of a character. Each is a sequence of points of two digits: x from 0 to 4, and y with the baseline at
/// 2, small letters up to 6 and capitals up to 8.
fn strokes(character: char) -> &'static str {
    match character {
        ' ' => "",
        '0' | 'O' => "183847433212030718",
        '1' => "172822",
        '2' => "07183847460242",
        '3' => "07183847463525 354443321203",
        '4' => "32380444",
        '5' => "480805354443321203",
        '6' => "3818070312324344351504",
        '7' => "084812",
        '8' => "150607183847463515 1504031232434435",
        '9' => "1232434738180706153546",
        'A' => "022842 1434",
        'B' => "02083847463505 3544433202",
        'C' => "4738180703123243",
        'D' => "02082846442202",
        'E' => "48080242 0535",
        'F' => "480802 0535",
        'G' => "47381807031232434525",
        'H' => "0208 4248 0545",
        'I' => "0208",
        'J' => "3833221203",
        'K' => "0208 4804 1542",
        'L' => "080242",
        'M' => "0208254842",
        'N' => "02084248",
        'P' => "02083847463505",
        'Q' => "183847433212030718 2442",
        'R' => "02083847463505 2542",
        'S' => "473818070615354443321203",
        'T' => "0848 2822",
        'U' => "080312324348",
        'V' => "082248",
        'W' => "0812263248",
        'X' => "0842 4802",
        'Y' => "082548 2522",
        'Z' => "08480242",
        'a' => "3632 3526160503122233",
        'b' => "0802 0516263533221203",
        'c' => "3526160503122233",
        'd' => "3832 3526160503122233",
        'e' => "043435261605031232",
        'f' => "28171712 0626",
        'g' => "3631201001 3526160503122233",
        'h' => "0802 0516263532",
        'i' => "0602 0808",
        'j' => "161100 1818",
        'k' => "0802 3603 1432",
        'l' => "0802",
        'm' => "0602 05162522 25364542",
        'n' => "0602 0516263532",
        'o' => "162635332212030516",
        'p' => "0600 0516263533221203",
        'q' => "3630 3526160503122233",
        'r' => "0602 051626",
        's' => "3616051424332202",
        't' => "181322 0626",
        'u' => "0603122233 3632",
        'v' => "062246",
        'w' => "0612253246",
        'x' => "0632 3602",
        'y' => "0622 4610",
        'z' => "06360232",
        'µ' | 'μ' => "0600 0312223336 3632",
        'σ' => "162635332212030516 1646",
        '.' => "0202",
        ',' => "1201",
        ':' => "0202 0505",
        '!' => "0804 0202",
        '?' => "071828372524 2222",
        '\'' => "0806",
        '-' | '−' | '–' => "0535",
        '+' => "0545 2327",
        '=' => "0636 0434",
        '×' => "0633 3603",
        '/' => "0238",
        '|' => "0109",
        '_' => "0242",
        '%' => "0248 0708181707 3343423233",
        '(' => "18070312",
        ')' => "08171302",
        '[' => "18080212",
        ']' => "08181202",
        '<' => "370533",
        '>' => "073503",
        '·' => "0505",
        '°' => "0718271607",
        '²' => "0718270525",
        '³' => "082817261505",
        _ => "0208383202",
    }
}

/// Returns the points of each stroke, with y up from the baseline.
fn pen_paths(character: char) -> Vec<Vec<Vec2>> {
    let digit = |byte: u8| f32::from(byte - b'0');
    let point = |pair: &[u8]| Vec2::new(digit(pair[0]), digit(pair[1]) - 2.0);
    let path = |stroke: &str| stroke.as_bytes().chunks_exact(2).map(point).collect();
    strokes(character).split_whitespace().map(path).collect()
}

/// Width of a character without the gap after it.
fn width(character: char) -> f32 {
    let points = pen_paths(character).into_iter().flatten();
    if character == ' ' { 1.5 } else { points.map(|point| point.x).fold(0.0, f32::max) }
}

/// Width of a text with capitals `height` pixels high, in pixels.
pub(crate) fn text_width(text: &str, height: f32) -> f32 {
    let units: f32 = text.chars().map(|character| width(character) + LETTER_GAP).sum();
    (units - LETTER_GAP).max(0.0) * height / CAPITAL_HEIGHT
}

/// Draws a text with its baseline starting at `start`; parts outside the image are cut off.
pub(crate) fn draw_text(image: &mut Image, text: &str, start: Vec2, height: f32, colour: [u8; 3]) {
    let scale = height / CAPITAL_HEIGHT;
    let mut x = start.x;
    for character in text.chars() {
        let place = |point: Vec2| Vec2::new(x + point.x * scale, start.y - point.y * scale);
        let paths: Vec<Vec<Vec2>> = pen_paths(character)
            .iter()
            .map(|path| path.iter().map(|p| place(*p)).collect())
            .collect();
        draw_paths(image, &paths, PEN_WIDTH * scale / 2.0, colour);
        x += (width(character) + LETTER_GAP) * scale;
    }
}

/// Blends the colour over the pixels by their distance from the nearest stroke.
fn draw_paths(image: &mut Image, paths: &[Vec<Vec2>], radius: f32, colour: [u8; 3]) {
    let points = || paths.iter().flatten().copied();
    let reach = Vec2::splat(radius + 1.0);
    let low = points().fold(Vec2::INFINITY, Vec2::min) - reach;
    let high = points().fold(Vec2::NEG_INFINITY, Vec2::max) + reach;
    for y in low.y.max(0.0) as u32..(high.y.max(0.0) as u32).min(image.height()) {
        for x in low.x.max(0.0) as u32..(high.x.max(0.0) as u32).min(image.width()) {
            let centre = Vec2::new(x as f32 + 0.5, y as f32 + 0.5);
            let cover = (radius + 0.5 - distance(centre, paths)).clamp(0.0, 1.0);
            blend(image, x, y, colour, cover);
        }
    }
}

fn distance(point: Vec2, paths: &[Vec<Vec2>]) -> f32 {
    let segments = paths.iter().flat_map(|path| path.windows(2));
    segments.map(|pair| segment_distance(point, pair[0], pair[1])).fold(f32::INFINITY, f32::min)
}

fn segment_distance(point: Vec2, a: Vec2, b: Vec2) -> f32 {
    let along = (point - a).dot(b - a) / (b - a).length_squared().max(1e-12);
    point.distance(a.lerp(b, along.clamp(0.0, 1.0)))
}

fn blend(image: &mut Image, x: u32, y: u32, colour: [u8; 3], cover: f32) {
    let old = image.pixel(x, y);
    let mix = |k: usize| f32::from(old[k]) + (f32::from(colour[k]) - f32::from(old[k])) * cover;
    image.set_pixel(x, y, [0, 1, 2].map(|k| mix(k).round() as u8));
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every stroke of every character has at least two points and is on the grid.
    #[test]
    fn every_stroke_has_two_points_on_the_grid() {
        for character in (' '..='~').chain("µσ−×·°²³€".chars()) {
            for path in pen_paths(character) {
                assert!(path.len() >= 2, "{character}");
                assert!(path.iter().all(|p| (0.0..=4.0).contains(&p.x)), "{character}");
            }
        }
    }

    /// Text that is partly or completely outside the image is clipped.
    #[test]
    fn text_outside_the_image_is_cut() {
        let mut image = Image::new(20, 10);
        for start in [Vec2::new(-30.0, 5.0), Vec2::new(15.0, 12.0), Vec2::new(500.0, 500.0)] {
            draw_text(&mut image, "von Mises (kPa)", start, 8.0, [255; 3]);
        }
        assert!(image.pixels().iter().any(|pixel| *pixel != [0; 3]));
    }
}

//! A scene with randomly changed text is either parsed or refused with an error.

use pliant_io::scene::{Scene, catalogue};

use crate::random::{cases, for_cases};

/// Pieces of text that are likely to cause trouble.
const PIECES: [&str; 14] = [
    "nan",
    "-inf",
    "1e999",
    "-1",
    "0",
    "9223372036854775807",
    "\"\"",
    "[",
    "]",
    "{ }",
    "\"",
    "\n",
    "é𝔼",
    "[[body]]\nname = \"x\"\n",
];

/// The text with some characters replaced by a piece.
fn mutated(text: &str, start: f64, length: usize, piece: &str) -> String {
    let characters: Vec<char> = text.chars().collect();
    let start = (start * characters.len() as f64) as usize;
    let end = (start + length).min(characters.len());
    let keep = |range: &[char]| range.iter().collect::<String>();
    keep(&characters[..start]) + piece + &keep(&characters[end..])
}

/// Parsing a scene with one to three random changes never panics, and every error has a problem to show.
#[test]
fn a_mutated_scene_never_panics() {
    let scenes = catalogue::all();
    for_cases(cases(10_000), &mut |random| {
        let mut text = scenes[random.below(scenes.len())].text.to_owned();
        for _ in 0..1 + random.below(3) {
            let piece = PIECES[random.below(PIECES.len())];
            text = mutated(&text, random.within(0.0, 1.0), random.below(12), piece);
        }
        if let Err(error) = Scene::parse("mutant", &text) {
            assert!(!error.problems().is_empty());
            assert!(!error.render(true).is_empty());
        }
    });
}

//! Whatever is done to the text of a scene, reading it ends in a scene or in an error.

use pliant_io::scene::{Scene, catalogue};
use proptest::prelude::*;

/// Pieces that are likely to hurt.
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

/// Text with a stretch of characters replaced.
fn mutated(text: &str, start: f64, length: usize, piece: &str) -> String {
    let characters: Vec<char> = text.chars().collect();
    let start = (start * characters.len() as f64) as usize;
    let end = (start + length).min(characters.len());
    let keep = |range: &[char]| range.iter().collect::<String>();
    keep(&characters[..start]) + piece + &keep(&characters[end..])
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 10_000, failure_persistence: None, ..Default::default() })]

    #[test]
    fn a_mutated_scene_never_panics(
        scene in 0..catalogue::all().len(),
        edits in prop::collection::vec((0.0..1.0, 0..12_usize, 0..PIECES.len()), 1..4),
    ) {
        let mut text = catalogue::all()[scene].text.to_owned();
        for (start, length, piece) in edits {
            text = mutated(&text, start, length, PIECES[piece]);
        }
        if let Err(error) = Scene::parse("mutant", &text) {
            prop_assert!(!error.problems().is_empty());
            prop_assert!(!error.render(true).is_empty());
        }
    }
}

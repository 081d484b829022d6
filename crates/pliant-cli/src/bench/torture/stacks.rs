//! Towers, a house of cards, and a wall that a ball hits.

use super::bars::Bars;
use super::case::{Case, DEFAULT_STEPPER, IMPLICIT_STEPPERS};
use super::pyramids::standing;
use super::scene_text::{DENSITY, EDGE, Matter, RIGID, SceneText, box_mesh};

/// Gap above each cube of a tower, in m.
const GAP: f64 = 0.002;

/// All towers, houses and walls.
pub(super) fn cases() -> Vec<Case> {
    let stiff = [RIGID, Matter::Rigid(1e9), Matter::Soft(1e7), Matter::Soft(1e9)];
    let towers = stiff.map(|matter| tower(10, matter));
    let houses = [RIGID, Matter::Soft(1e9)].map(card_house);
    let walls = [RIGID, Matter::Soft(1e7)].map(wall);
    towers.into_iter().chain([tower(20, RIGID)]).chain(houses).chain(walls).collect()
}

fn tower(count: usize, matter: Matter) -> Case {
    let cube = |scene: SceneText, level: usize| {
        let low = [0.0, GAP + (EDGE + GAP) * level as f64, 0.0];
        scene.cube(&format!("cube-{level}"), low, matter)
    };
    Case {
        name: format!("tower-{count} {}", matter.name()),
        text: (0..count).fold(SceneText::default(), cube).ground(0.5).finish(),
        steppers: matter.steppers(),
        bars: standing(count, count as f64 * GAP, matter),
        short: matter == RIGID,
        rapier: (matter == RIGID).then(|| format!("tower {count} {GAP}")),
        ..Case::default()
    }
}

/// Thickness and height of a card, in m, its angle from upright, in degrees, and the gaps at the start, in m.
const CARD: [f64; 2] = [0.006, 0.4];
const LEAN_DEG: f64 = 20.0;
const CARD_GAP: f64 = 0.0005;

/// Two pairs of leaning cards, a flat card across them, and a pair on top.
fn card_house(matter: Matter) -> Case {
    let [thickness, height] = CARD;
    let (sin, cos) = LEAN_DEG.to_radians().sin_cos();
    // Half the extent of a leaning card along x and y.
    let extent = [thickness * cos + height * sin, thickness * sin + height * cos].map(|e| 0.5 * e);
    let apart = 2.0 * extent[0] + 0.01;
    let level = 2.0 * extent[1] + 2.0 * CARD_GAP;
    let deck = box_mesh([-0.25, level, 0.0], [0.5, thickness, 0.3], [1; 3]);
    let mut scene = SceneText::default();
    for (name, x, y) in
        [("left", -apart, 0.0), ("right", apart, 0.0), ("top", 0.0, level + thickness)]
    {
        scene = pair(scene, name, [x, y + CARD_GAP], extent, matter);
    }
    Case {
        name: format!("card-house {}", matter.name()),
        text: scene.body("deck", &deck, matter, DENSITY, GRIP).ground(0.9).finish(),
        steppers: if matter.is_rigid() { &DEFAULT_STEPPER } else { &IMPLICIT_STEPPERS },
        bars: Bars {
            settled: Some(5.0),
            shift: Some(0.02),
            drift: Some(0.004),
            asleep: Some(5.0),
            ..Bars::default()
        },
        ..Case::default()
    }
}

/// Friction of cards.
const GRIP: &str = "contact = { friction = 0.9 }";

/// Adds two cards that lean against each other above the point `[x, y]`.
fn pair(
    mut scene: SceneText,
    name: &str,
    [x, y]: [f64; 2],
    extent: [f64; 2],
    matter: Matter,
) -> SceneText {
    let [thickness, height] = CARD;
    let card = box_mesh([-0.5 * thickness, -0.5 * height, 0.0], [thickness, height, 0.3], [1; 3]);
    for (side, sign) in [("a", -1.0), ("b", 1.0)] {
        let place = [x + sign * (extent[0] + 0.5 * CARD_GAP), y + extent[1], 0.0];
        let angle = sign * LEAN_DEG;
        let more = format!(
            "transform = {{ rotate = {{ axis = [0, 0, 1], angle_deg = {angle:?} }}, translate = {place:?} }}\n{GRIP}"
        );
        scene = scene.body(&format!("{name}-{side}"), &card, matter, DENSITY, &more);
    }
    scene
}

/// A wall of five rows of four cubes, and a heavy ball at 15 m/s.
fn wall(matter: Matter) -> Case {
    let mut scene = SceneText::default();
    for row in 0..5 {
        for place in 0..4 {
            let shift = if row % 2 == 0 { 0.0 } else { 0.5 * EDGE };
            let along = shift + (EDGE + GAP) * place as f64;
            let low = [0.0, GAP + (EDGE + GAP) * row as f64, along];
            scene = scene.cube(&format!("brick-{row}-{place}"), low, matter);
        }
    }
    let ball = "ball = { centre = [-2, 0.8, 0.7], radius = 0.25 }";
    let scene = scene.body("ball", ball, RIGID, 8.0 * DENSITY, "velocity = [15, 1, 0]");
    Case {
        name: format!("wall {}", matter.name()),
        text: scene.ground(0.5).finish(),
        seconds: 6.0,
        steppers: matter.steppers(),
        bars: Bars { depth: Some(0.2 * EDGE), ..Bars::default() },
        ..Case::default()
    }
}

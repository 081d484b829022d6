//! Ropes and bodies like cloth.

use super::bars::Bars;
use super::case::Case;
use super::scene_text::{DENSITY, Matter, RIGID, SceneText, box_mesh};

const SOFT: Matter = Matter::Soft(1e6);

/// The bodies touch themselves.
const TOUCHES_ITSELF: &str = "contact = { friction = 0.5, self = true }";

/// All ropes and cloths.
pub(super) fn cases() -> Vec<Case> {
    let rope = |low: [f64; 3]| box_mesh(low, [2.0, 0.04, 0.04], [40, 1, 1]);
    let cloth = box_mesh([-0.5, 0.72, -0.5], [1.0, 0.02, 1.0], [12, 1, 12]);
    let rod =
        "[[obstacle]]\ncapsule = { from = [0.2, 0.5, -1], to = [0.2, 0.5, 1], radius = 0.08 }";
    let ball = "[[obstacle]]\nsphere = { centre = [0, 0.4, 0], radius = 0.3 }";
    let body_ball = "ball = { centre = [0, 0.4, 0], radius = 0.3 }";
    let piled = "transform = { rotate = { axis = [0, 0, 1], angle_deg = 89 } }\n";
    let text = SceneText::default;
    vec![
        slender(
            "rope over a rod",
            text().body("rope", &rope([-1.0, 0.62, 0.0]), SOFT, DENSITY, TOUCHES_ITSELF).text(rod),
        ),
        slender(
            "rope on end",
            text().body(
                "rope",
                &rope([0.05, 0.0, 0.0]),
                SOFT,
                DENSITY,
                &format!("{piled}{TOUCHES_ITSELF}"),
            ),
        ),
        slender(
            "cloth over an obstacle",
            text().body("cloth", &cloth, SOFT, DENSITY, TOUCHES_ITSELF).text(ball),
        ),
        slender(
            "cloth over a rigid ball",
            text().body("cloth", &cloth, SOFT, DENSITY, TOUCHES_ITSELF).body(
                "ball",
                body_ball,
                RIGID,
                DENSITY,
                "pin = [{ where = { sphere = { centre = [0, 0.4, 0], radius = 1 } } }]",
            ),
        ),
    ]
}

/// It falls, and is at rest after ten seconds.
fn slender(name: &str, scene: SceneText) -> Case {
    Case {
        name: name.to_owned(),
        text: scene.ground(0.5).finish(),
        seconds: 15.0,
        bars: Bars { settled: Some(10.0), drift: Some(0.01), depth: Some(0.02), ..Bars::default() },
        ..Case::default()
    }
}

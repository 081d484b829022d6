//! One body, squeezed, pulled and twisted.

use super::bars::Bars;
use super::case::Case;
use super::scene_text::{DENSITY, Matter, SceneText, box_mesh};

const SOFT: Matter = Matter::Soft(1e6);

/// Time of the prescribed motion and of the whole run, in s.
const MOTION: f64 = 2.0;
const SECONDS: f64 = 4.0;

/// All large strains.
pub(super) fn cases() -> Vec<Case> {
    let cube = box_mesh([0.0; 3], [0.3; 3], [3; 3]);
    let bar = box_mesh([0.0, -0.1, -0.1], [1.0, 0.2, 0.2], [10, 2, 2]);
    let held = |moves: &str| {
        format!(
            "pin = [{{ where = \"x-\" }}, {{ where = \"x+\", motion = [{{ {moves}, end = {MOTION:?} }}] }}]"
        )
    };
    vec![
        strain("squeeze to 5%", &cube, &held("translate = [-0.285, 0, 0]")),
        strain("pull by 10", &cube, &held("translate = [2.7, 0, 0]")),
        strain("twist by 4 turns", &bar, &held("rotate = { axis = [1, 0, 0], angle_deg = 1440 }")),
        between_plates(),
    ]
}

fn strain(name: &str, mesh: &str, pins: &str) -> Case {
    Case {
        name: name.to_owned(),
        text: SceneText::default().body("body", mesh, SOFT, DENSITY, pins).finish(),
        seconds: SECONDS,
        bars: Bars { quiet_from: MOTION, ..Bars::default() },
        short: true,
        ..Case::default()
    }
}

/// A cube on the ground, pressed to 5 % of its height by a plate that then moves away.
fn between_plates() -> Case {
    let plate = "[[obstacle]]\nplane = { point = [0, 0.3, 0], normal = [0, -1, 0] }\n\
        motion = [{ translate = [0, -0.285, 0], end = 2 }, { translate = [0, 1, 0], start = 2, end = 3 }]";
    let cube = box_mesh([0.0; 3], [0.3; 3], [3; 3]);
    Case {
        name: "squeeze to 5% between plates".to_owned(),
        text: SceneText::default()
            .body("body", &cube, SOFT, DENSITY, "")
            .ground(0.5)
            .text(plate)
            .finish(),
        seconds: 6.0,
        bars: Bars { quiet_from: 3.0, ..Bars::default() },
        ..Case::default()
    }
}

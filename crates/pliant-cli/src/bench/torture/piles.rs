//! Many bodies in a pit: poured in, and pressed.

use super::bars::Bars;
use super::case::{Case, DEFAULT_STEPPER, STEPPERS};
use super::scene_text::{DENSITY, Matter, RIGID, SceneText};

/// Half of the inner side of the pit, in m.
const HALF: f64 = 0.5;

const SOFT: Matter = Matter::Soft(1e6);
const XPBD: Matter = Matter::Xpbd(1e6);

/// All piles.
pub(super) fn cases() -> Vec<Case> {
    vec![
        poured("soft", &[(CUBE, SOFT), (BALL, SOFT), (RING, SOFT)]),
        poured("rigid", &[(CUBE, RIGID), (BALL, RIGID), (RING, RIGID)]),
        poured(
            "of all kinds",
            &[(CUBE, RIGID), (BALL, SOFT), (RING, SOFT), (CUBE, XPBD), (BALL, XPBD)],
        ),
        pressed(),
    ]
}

/// Bodies of about 0.2 m around the origin.
const CUBE: &str =
    "box = { origin = [-0.1, -0.1, -0.1], size = [0.2, 0.2, 0.2], cells = [1, 1, 1] }";
const BALL: &str = "ball = { radius = 0.11 }, degree = 1";
const RING: &str = "torus = { ring_radius = 0.09, tube_radius = 0.03, cells = 1, layers = 0, around = 8 }, degree = 1";

/// Ground and four walls.
fn pit(scene: SceneText) -> SceneText {
    let wall = |scene: SceneText, (x, z): (f64, f64)| {
        let [px, pz] = [-x * HALF, -z * HALF];
        scene.text(&format!(
            "[[obstacle]]\nplane = {{ point = [{px:?}, 0, {pz:?}], normal = [{x:?}, 0, {z:?}] }}\nfriction = 0.3"
        ))
    };
    [(1.0, 0.0), (-1.0, 0.0), (0.0, 1.0), (0.0, -1.0)].into_iter().fold(scene.ground(0.5), wall)
}

/// Layers of four bodies of each kind, dropped one after the other.
fn poured(name: &str, kinds: &[(&str, Matter)]) -> Case {
    let mut scene = SceneText::default();
    for (level, (mesh, matter)) in kinds.iter().enumerate() {
        let height = 0.3 + 0.6 * level as f64;
        let more = format!(
            "transform = {{ translate = [-0.2, {height:?}, -0.2] }}\n\
             copies = {{ count = [2, 2, 2], step = [0.4, 0.3, 0.4], jitter = 0.2, turn = true, seed = {level} }}"
        );
        scene = scene.body(&format!("kind-{level}"), mesh, *matter, DENSITY, &more);
    }
    let is_rigid = kinds.iter().all(|(_, matter)| matter.is_rigid());
    Case {
        name: format!("poured {name}"),
        text: pit(scene).finish(),
        steppers: if is_rigid { &DEFAULT_STEPPER } else { &STEPPERS },
        bars: Bars {
            settled: Some(15.0),
            drift: Some(0.002),
            depth: Some(0.02),
            asleep: Some(15.0),
            ..Bars::default()
        },
        ..Case::default()
    }
}

/// Soft cubes and balls in a pit, under a plate that moves down by 0.35 m in two seconds and up again.
fn pressed() -> Case {
    let more = |level: usize| {
        format!(
            "transform = {{ translate = [-0.36, {:?}, -0.36] }}\ncopies = {{ count = [4, 1, 4], step = [0.24, 1, 0.24] }}",
            0.12 + 0.24 * level as f64
        )
    };
    let press = "[[obstacle]]\nbox = { centre = [0, 1.05, 0], size = [0.99, 0.5, 0.99] }\n\
        motion = [{ translate = [0, -0.5, 0], start = 1, end = 3 }, { translate = [0, 1, 0], start = 4, end = 6 }]";
    let scene = SceneText::default().body("cube", CUBE, SOFT, DENSITY, &more(0)).body(
        "ball",
        BALL,
        SOFT,
        DENSITY,
        &more(1),
    );
    Case {
        name: "pressed pile".to_owned(),
        text: pit(scene).text(press).finish(),
        seconds: 15.0,
        bars: Bars { quiet_from: 6.0, settled: Some(12.0), drift: Some(0.002), ..Bars::default() },
        ..Case::default()
    }
}

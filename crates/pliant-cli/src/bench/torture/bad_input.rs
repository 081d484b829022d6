//! Scenes that no one should make. Each must end in a finite world.

use super::bars::Bars;
use super::case::{Case, IMPLICIT_STEPPERS};
use super::scene_text::{DENSITY, EDGE, Matter, RIGID, SceneText, box_mesh};

const SOFT: Matter = Matter::Soft(1e6);
const XPBD: Matter = Matter::Xpbd(1e6);

/// All scenes with bad input.
pub(super) fn cases() -> Vec<Case> {
    let scenes = [
        ("coincident soft", coincident(SOFT)),
        ("coincident rigid", coincident(RIGID)),
        ("coincident xpbd", coincident(XPBD)),
        ("flat skins", flat()),
        ("obstacles inside obstacles", nested_obstacles()),
        ("friction 0", friction(0.0)),
        ("friction 100", friction(100.0)),
        ("mass ratio 1e6 soft", mass_ratio(Matter::Soft(1e7))),
        ("mass ratio 1e6 rigid", mass_ratio(RIGID)),
        ("100 m/s soft", head_on(SOFT)),
        ("100 m/s rigid", head_on(RIGID)),
    ];
    let mut cases: Vec<Case> = scenes.into_iter().map(|(name, scene)| bad(name, scene)).collect();
    cases.push(Case { steppers: &IMPLICIT_STEPPERS, ..bad("thin skins", thin()) });
    cases
}

fn bad(name: &str, scene: SceneText) -> Case {
    Case {
        name: format!("bad-input {name}"),
        text: scene.ground(0.5).finish(),
        seconds: 3.0,
        rates: &[15, 30, 60, 120],
        bars: Bars { only_finite: true, ..Bars::default() },
        short: true,
        ..Case::default()
    }
}

/// Three cubes at the same place.
fn coincident(matter: Matter) -> SceneText {
    let cube =
        |scene: SceneText, k: usize| scene.cube(&format!("cube-{k}"), [0.0, 0.1, 0.0], matter);
    (0..3).fold(SceneText::default(), cube)
}

/// Two cubes that begin without any height, at the same place.
fn flat() -> SceneText {
    let flat = "start = { scale = [1, 0, 1] }";
    let mesh = |y: f64| box_mesh([0.0, y, 0.0], [EDGE; 3], [2; 3]);
    SceneText::default().body("lower", &mesh(0.0), SOFT, DENSITY, flat).body(
        "upper",
        &mesh(0.1),
        SOFT,
        DENSITY,
        flat,
    )
}

/// Sheets of a hundredth of a millimetre on each other.
fn thin() -> SceneText {
    let sheet = |y: f64| box_mesh([0.0, y, 0.0], [EDGE, 1e-5, EDGE], [3, 1, 3]);
    SceneText::default()
        .body("lower", &sheet(0.05), SOFT, DENSITY, "")
        .body("upper", &sheet(0.06), SOFT, DENSITY, "")
        .cube("cube", [0.0, 0.1, 0.0], SOFT)
}

/// A cube on a sphere in a box in the ground.
fn nested_obstacles() -> SceneText {
    SceneText::default()
        .cube("cube", [-0.15, 0.5, -0.15], SOFT)
        .text("[[obstacle]]\nbox = { centre = [0, 0.1, 0], size = [0.5, 0.6, 0.5] }")
        .text("[[obstacle]]\nsphere = { centre = [0, 0.15, 0], radius = 0.2 }")
        .text("[[obstacle]]\nsphere = { centre = [0, 0.15, 0], radius = 0.4 }")
}

/// Two cubes on each other with this coefficient, pushed sideways.
fn friction(coefficient: f64) -> SceneText {
    let contact = format!("contact = {{ friction = {coefficient:?} }}");
    let moving = format!("{contact}\nvelocity = [3, 0, 0]");
    let mesh = |y: f64| box_mesh([0.0, y, 0.0], [EDGE; 3], [1; 3]);
    SceneText::default()
        .body("lower", &mesh(0.002), SOFT, DENSITY, &contact)
        .body("upper", &mesh(EDGE + 0.004), SOFT, DENSITY, &moving)
        .text(&format!(
            "[[friction]]\nbetween = [\"lower\", \"upper\"]\ncoefficient = {coefficient:?}"
        ))
}

/// A cube on one that is a million times lighter.
fn mass_ratio(matter: Matter) -> SceneText {
    let mesh = |y: f64| box_mesh([0.0, y, 0.0], [EDGE; 3], [1; 3]);
    SceneText::default().body("light", &mesh(0.002), matter, 0.1, "").body(
        "heavy",
        &mesh(EDGE + 0.004),
        matter,
        1e5,
        "",
    )
}

/// Two cubes that meet at 200 m/s.
fn head_on(matter: Matter) -> SceneText {
    let mesh = |x: f64| box_mesh([x, 0.2, 0.01 * x], [EDGE; 3], [2; 3]);
    SceneText::default().body("left", &mesh(-2.0), matter, DENSITY, "velocity = [100, 0, 0]").body(
        "right",
        &mesh(2.0),
        matter,
        DENSITY,
        "velocity = [-100, 0, 0]",
    )
}

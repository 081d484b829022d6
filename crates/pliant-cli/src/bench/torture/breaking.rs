//! Bodies that break, and bodies that flow.

use super::bars::Bars;
use super::case::{Case, DEFAULT_STEPPER};
use super::scene_text::{DENSITY, RIGID, SceneText, box_mesh};

/// Materials that break at once, that flow before they break, and that only flow.
const BRITTLE: &str = "material = { young = 3e7, poisson = 0.22, density = 1500, law = \"corotated\", toughness = 1e5 }";
const DUCTILE: &str = "material = { young = 1e7, poisson = 0.3, density = 1500, law = \"corotated\", \
     plastic = { yield_stress = 5e4, hardening = 1e5 }, toughness = 2e5 }";
const CLAY: &str = "material = { young = 1e6, poisson = 0.4, density = 1500, law = \"corotated\", \
     plastic = { yield_stress = 5e3, hardening = 1e3 } }";

/// All scenes with fracture and plastic flow.
pub(super) fn cases() -> Vec<Case> {
    vec![
        broken("brittle pane", pane(BRITTLE)),
        broken("ductile pane", pane(DUCTILE)),
        broken("brittle cube dropped", dropped(BRITTLE)),
        broken("ductile cube dropped", dropped(DUCTILE)),
        clay_press(),
        clay_dropped(),
    ]
}

/// A table `[[body]]` with this material.
fn body(name: &str, mesh: &str, material: &str, more: &str) -> String {
    format!("[[body]]\nname = \"{name}\"\nmesh = {{ {mesh} }}\n{material}\n{more}")
}

/// A pane with a clamped foot, hit by a ball.
fn pane(material: &str) -> SceneText {
    let mesh = box_mesh([0.0, 0.0, -0.5], [0.05, 1.0, 1.0], [1, 8, 8]);
    let ball = "ball = { centre = [-0.5, 0.6, 0.03], radius = 0.1 }";
    SceneText::default().text(&body("pane", &mesh, material, "pin = [{ where = \"y-\" }]")).body(
        "ball",
        ball,
        RIGID,
        8.0 * DENSITY,
        "velocity = [20, 0, 0]",
    )
}

/// A cube that falls by two metres on its corner.
fn dropped(material: &str) -> SceneText {
    let mesh = box_mesh([-0.15; 3], [0.3; 3], [4; 3]);
    let turned =
        "transform = { rotate = { axis = [1, 0, 1], angle_deg = 40 }, translate = [0, 2.2, 0] }";
    SceneText::default().text(&body("cube", &mesh, material, turned))
}

fn broken(name: &str, scene: SceneText) -> Case {
    Case {
        name: name.to_owned(),
        text: scene.ground(0.5).finish(),
        seconds: 4.0,
        // Breakable bodies are always stepped by implicit Euler.
        steppers: &DEFAULT_STEPPER,
        bars: Bars { breaks: true, ..Bars::default() },
        ..Case::default()
    }
}

/// A cube of clay, pressed to a third of its height by a plate that then moves away.
fn clay_press() -> Case {
    let plate = "[[obstacle]]\nplane = { point = [0, 0.3, 0], normal = [0, -1, 0] }\n\
        motion = [{ translate = [0, -0.2, 0], end = 2 }, { translate = [0, 1, 0], start = 2, end = 3 }]";
    let mesh = box_mesh([0.0; 3], [0.3; 3], [4; 3]);
    let scene = SceneText::default().text(&body("clay", &mesh, CLAY, "")).text(plate);
    Case {
        name: "clay under a press".to_owned(),
        text: scene.ground(0.5).finish(),
        seconds: 8.0,
        bars: Bars { quiet_from: 3.0, settled: Some(6.0), drift: Some(0.003), ..Bars::default() },
        ..Case::default()
    }
}

/// Three balls of clay that fall on each other.
fn clay_dropped() -> Case {
    let ball = "ball = { centre = [0, 0.5, 0], radius = 0.15 }, degree = 1";
    let copies = "copies = { count = [1, 3, 1], step = [0.05, 0.6, 0.03], jitter = 0.1 }";
    Case {
        name: "clay balls dropped".to_owned(),
        text: SceneText::default().text(&body("clay", ball, CLAY, copies)).ground(0.5).finish(),
        seconds: 8.0,
        bars: Bars { settled: Some(6.0), drift: Some(0.003), depth: Some(0.03), ..Bars::default() },
        ..Case::default()
    }
}

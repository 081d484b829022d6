//! A rigid ball that flies against a sheet.

use super::bars::{Barrier, Bars};
use super::case::{Case, DEFAULT_STEPPER};
use super::scene_text::{DENSITY, Matter, SceneText, box_mesh};

/// Speeds of the ball, in m/s.
const SPEEDS: [u32; 3] = [50, 100, 200];

/// Steps per second.
const RATES: [u32; 5] = [15, 30, 60, 120, 240];

/// Thickness of the sheet, in m. It measures 1 × 1 m, and is centred at the origin across x.
const THICKNESS: f64 = 0.02;

/// Radius of the ball and distance of its centre from the sheet at the start, in m.
const RADIUS: f64 = 0.05;
const DISTANCE: f64 = 1.03;

/// Simulated time, in s.
const SECONDS: f64 = 0.5;

/// The kinds of sheets.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Sheet {
    /// Soft, with a clamped border.
    Soft,
    /// A rigid body that is free.
    Free,
    /// A rigid body that is held.
    Held,
    /// A box obstacle.
    Obstacle,
}

/// All bullets.
pub(super) fn cases() -> Vec<Case> {
    let of_sheet = |sheet| SPEEDS.map(|speed| bullet(speed, sheet));
    [Sheet::Soft, Sheet::Free, Sheet::Held, Sheet::Obstacle]
        .into_iter()
        .flat_map(of_sheet)
        .collect()
}

fn bullet(speed: u32, sheet: Sheet) -> Case {
    let (name, barrier) = match sheet {
        Sheet::Soft => ("soft sheet", Barrier::Body),
        Sheet::Free => ("free sheet", Barrier::Body),
        Sheet::Held => ("held sheet", Barrier::Body),
        Sheet::Obstacle => ("obstacle sheet", Barrier::Obstacle),
    };
    Case {
        name: format!("bullet-{speed} {name}"),
        world: "gravity = [0, 0, 0]",
        text: text(speed, sheet),
        seconds: SECONDS,
        steppers: &DEFAULT_STEPPER,
        rates: &RATES,
        bars: Bars { barrier: Some(barrier), ..Bars::default() },
        short: true,
        rapier: (sheet == Sheet::Held).then(|| format!("bullet {speed}")),
    }
}

fn text(speed: u32, sheet: Sheet) -> String {
    let ball = format!("ball = {{ centre = [{:?}, 0, 0], radius = {RADIUS:?} }}", -DISTANCE);
    let flies = format!("velocity = [{speed}, 0, 0]");
    let scene = SceneText::default();
    let scene = scene.body("ball", &ball, Matter::Rigid, DENSITY, &flies);
    let low = [-0.5 * THICKNESS, -0.5, -0.5];
    let size = [THICKNESS, 1.0, 1.0];
    match sheet {
        Sheet::Soft => {
            let pins = ["y-", "y+", "z-", "z+"].map(|side| format!("{{ where = \"{side}\" }}"));
            let pins = format!("pin = [{}]", pins.join(", "));
            let mesh = box_mesh(low, size, [1, 8, 8]);
            scene.body("sheet", &mesh, Matter::Soft(1e7), DENSITY, &pins)
        }
        Sheet::Free => {
            scene.body("sheet", &box_mesh(low, size, [1; 3]), Matter::Rigid, DENSITY, "")
        }
        Sheet::Held => {
            let mesh = box_mesh(low, size, [1; 3]);
            scene.body("sheet", &mesh, Matter::Rigid, DENSITY, "pin = [{ where = \"x-\" }]")
        }
        Sheet::Obstacle => {
            scene.text(&format!("[[obstacle]]\nbox = {{ centre = [0, 0, 0], size = {size:?} }}"))
        }
    }
    .finish()
}

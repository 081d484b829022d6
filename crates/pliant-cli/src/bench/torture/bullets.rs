//! A rigid ball that flies against a sheet.

use super::barrier::Barrier;
use super::bars::Bars;
use super::case::{Case, DEFAULT_STEPPER};
use super::scene_text::{DENSITY, Matter, RIGID, SceneText, box_mesh};

/// Speeds of the ball, in m/s.
const SPEEDS: [u32; 3] = [50, 100, 200];

/// Steps per second.
const RATES: [u32; 5] = [15, 30, 60, 120, 240];

/// Thickness of the sheet, in m. It measures 1 × 1 m, and is centred at the origin across x.
const THICKNESS: f64 = 0.02;

/// Position of the ball at the start, in m. It does not hit the middle of the sheet, where its nodes are.
const START: [f64; 3] = [-0.5, 0.031, 0.017];

/// Simulated time, in s.
const SECONDS: f64 = 0.3;

/// A ball and a sheet.
#[derive(Debug, Clone, Copy)]
struct Shot {
    name: &'static str,
    /// Radius of the ball, in m, and its density, in kg/m³.
    ball: (f64, f64),
    sheet: Sheet,
    /// The word for its sheet in the program with Rapier.
    in_rapier: Option<&'static str>,
}

/// The kinds of sheets.
#[derive(Debug, Clone, Copy)]
enum Sheet {
    /// A body with this number of cells along its sides.
    Body { matter: Matter, cells: usize, pins: &'static str },
    /// A box obstacle.
    Obstacle,
}

/// A small ball like wood, a small one of steel, and a large one of steel.
const LIGHT: (f64, f64) = (0.05, DENSITY);
const HEAVY: (f64, f64) = (0.05, 8.0 * DENSITY);
const LARGE: (f64, f64) = (0.1, 8.0 * DENSITY);

const SOFT: Matter = Matter::Soft(1e6);
const CLAMPED: &str =
    "pin = [{ where = \"y-\" }, { where = \"y+\" }, { where = \"z-\" }, { where = \"z+\" }]";

const SHOTS: [Shot; 6] = [
    Shot {
        name: "light soft sheet",
        ball: LIGHT,
        sheet: Sheet::Body { matter: SOFT, cells: 20, pins: CLAMPED },
        in_rapier: None,
    },
    Shot {
        name: "large soft sheet",
        ball: LARGE,
        sheet: Sheet::Body { matter: SOFT, cells: 10, pins: CLAMPED },
        in_rapier: None,
    },
    Shot {
        name: "heavy free soft sheet",
        ball: HEAVY,
        sheet: Sheet::Body { matter: SOFT, cells: 10, pins: "" },
        in_rapier: None,
    },
    Shot {
        name: "heavy free rigid sheet",
        ball: HEAVY,
        sheet: Sheet::Body { matter: RIGID, cells: 1, pins: "" },
        in_rapier: Some("free"),
    },
    Shot {
        name: "heavy held rigid sheet",
        ball: HEAVY,
        sheet: Sheet::Body { matter: RIGID, cells: 1, pins: "pin = [{ where = \"x-\" }]" },
        in_rapier: Some("held"),
    },
    Shot { name: "heavy obstacle", ball: HEAVY, sheet: Sheet::Obstacle, in_rapier: None },
];

/// All bullets.
pub(super) fn cases() -> Vec<Case> {
    SHOTS.iter().flat_map(|shot| SPEEDS.map(|speed| bullet(speed, shot))).collect()
}

fn bullet(speed: u32, shot: &Shot) -> Case {
    let barrier = match shot.sheet {
        Sheet::Body { .. } => Barrier::Body,
        Sheet::Obstacle => Barrier::Obstacle,
    };
    Case {
        name: format!("bullet-{speed} {}", shot.name),
        world: "gravity = [0, 0, 0]",
        text: text(speed, shot),
        seconds: SECONDS,
        steppers: &DEFAULT_STEPPER,
        rates: &RATES,
        bars: Bars { barrier: Some(barrier), ..Bars::default() },
        short: speed == 200 && shot.ball.0 < LARGE.0 && !is_fine(shot.sheet),
        rapier: shot.in_rapier.map(|sheet| format!("bullet {speed} {sheet}")),
    }
}

/// True for sheets of so many cells that their runs are slow.
fn is_fine(sheet: Sheet) -> bool {
    matches!(sheet, Sheet::Body { cells, .. } if cells > 10)
}

fn text(speed: u32, shot: &Shot) -> String {
    let (radius, density) = shot.ball;
    let ball = format!("ball = {{ centre = {START:?}, radius = {radius:?} }}");
    let flies = format!("velocity = [{speed}, 0, 0]");
    let scene = SceneText::default().body("ball", &ball, RIGID, density, &flies);
    let (low, size) = ([-0.5 * THICKNESS, -0.5, -0.5], [THICKNESS, 1.0, 1.0]);
    let scene = match shot.sheet {
        Sheet::Body { matter, cells, pins } => {
            scene.body("sheet", &box_mesh(low, size, [1, cells, cells]), matter, DENSITY, pins)
        }
        Sheet::Obstacle => {
            scene.text(&format!("[[obstacle]]\nbox = {{ centre = [0, 0, 0], size = {size:?} }}"))
        }
    };
    scene.finish()
}

//! Two cubes on the ground that begin inside each other.

use super::bars::Bars;
use super::case::{Case, DEFAULT_STEPPER, STEPPERS};
use super::scene_text::{DENSITY, EDGE, Matter, RIGID, SceneText, box_mesh};

/// Shares of an edge that is inside the other cube, in per cent.
const PERCENT: [u32; 4] = [10, 30, 50, 80];

/// Cells along an edge of both cubes.
const CELLS: [usize; 2] = [1, 3];

const SOFT: Matter = Matter::Soft(1e6);
const XPBD: Matter = Matter::Xpbd(1e6);

/// The pairs, with their names. XPBD is also one of the steppers of the soft pair.
const PAIRS: [(&str, [Matter; 2]); 6] = [
    ("soft", [SOFT, SOFT]),
    ("rigid", [RIGID, RIGID]),
    ("xpbd", [XPBD, XPBD]),
    ("soft-rigid", [SOFT, RIGID]),
    ("soft-xpbd", [SOFT, XPBD]),
    ("xpbd-rigid", [XPBD, RIGID]),
];

/// All overlaps.
pub(super) fn cases() -> Vec<Case> {
    let of_pair = |pair| CELLS.map(|cells| PERCENT.map(|percent| overlap(percent, cells, pair)));
    PAIRS.iter().flat_map(of_pair).flatten().collect()
}

fn overlap(percent: u32, cells: usize, (name, pair): &(&str, [Matter; 2])) -> Case {
    let has_stepper = pair.contains(&SOFT) && !pair.contains(&XPBD);
    Case {
        name: format!("overlap-{percent}% {name} cells-{cells}"),
        text: text(f64::from(percent) / 100.0, cells, *pair),
        seconds: 4.0,
        steppers: if has_stepper { &STEPPERS } else { &DEFAULT_STEPPER },
        bars: Bars { apart: Some([2.0, 0.01 * EDGE]), ..Bars::default() },
        short: percent == 30,
        ..Case::default()
    }
}

fn text(share: f64, cells: usize, [left, right]: [Matter; 2]) -> String {
    let cube = |x: f64| box_mesh([x, 0.0, 0.0], [EDGE; 3], [cells; 3]);
    SceneText::default()
        .body("left", &cube(0.0), left, DENSITY, "")
        .body("right", &cube((1.0 - share) * EDGE), right, DENSITY, "")
        .ground(0.5)
        .finish()
}

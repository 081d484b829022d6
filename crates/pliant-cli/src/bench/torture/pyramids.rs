//! Pyramids of cubes, one cell a side.

use super::bars::Bars;
use super::case::{Case, DEFAULT_STEPPER};
use super::scene_text::{DENSITY, EDGE, Matter, RIGID, SceneText};

/// Layers of the pyramids: 3, 6, 15 and 55 cubes.
const LAYERS: [usize; 4] = [2, 3, 5, 10];

/// The largest pyramid that runs with all steppers.
const ALL_STEPPERS: usize = 5;

/// The gaps at the start.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Gaps {
    /// 20 mm beside and 2 mm below each cube.
    Open,
    /// None: faces coincide.
    Flush,
}

/// All pyramids.
pub(super) fn cases() -> Vec<Case> {
    let rigid = [RIGID, Matter::Rigid(1e9)];
    let soft = [Matter::Soft(1e6), Matter::Soft(1e7), Matter::Soft(1e9)];
    let flush = [RIGID, Matter::Soft(1e6)];
    let open = rigid.into_iter().chain(soft).map(|matter| (matter, Gaps::Open));
    let kinds: Vec<_> = open.chain(flush.map(|matter| (matter, Gaps::Flush))).collect();
    LAYERS
        .iter()
        .flat_map(|layers| kinds.iter().map(|(m, gaps)| pyramid(*layers, *m, *gaps)))
        .collect()
}

fn pyramid(layers: usize, matter: Matter, gaps: Gaps) -> Case {
    let count = layers * (layers + 1) / 2;
    let ([beside, above], word) = match gaps {
        Gaps::Open => ([0.02, 0.002], "gaps"),
        Gaps::Flush => ([0.0; 2], "flush"),
    };
    let is_large = layers > ALL_STEPPERS;
    Case {
        name: format!("pyramid-{count} {} {word}", matter.name()),
        text: text(layers, matter, [beside, above]),
        steppers: if is_large { &DEFAULT_STEPPER } else { matter.steppers() },
        bars: standing(layers, layers as f64 * above, matter),
        short: layers == 2,
        rapier: (matter == RIGID).then(|| format!("pyramid {layers} {beside} {above}")),
        ..Case::default()
    }
}

fn text(layers: usize, matter: Matter, [beside, above]: [f64; 2]) -> String {
    let mut scene = SceneText::default();
    for layer in 0..layers {
        let (across, up) = (EDGE + beside, EDGE + above);
        for place in 0..layers - layer {
            let x = (place as f64 + 0.5 * layer as f64) * across;
            let low = [x, above + up * layer as f64, 0.0];
            scene = scene.cube(&format!("cube-{layer}-{place}"), low, matter);
        }
    }
    scene.ground(0.5).finish()
}

/// The bars of a stack of cubes that must stand: it sleeps within 5 s, and no node moves by more than 1 % of an edge afterwards.
///
/// Centres may move by a tenth of an edge, by the height of all gaps, and by twice the compression ρ g H²/2E of a column of height H.
pub(super) fn standing(layers: usize, gaps: f64, matter: Matter) -> Bars {
    let height = layers as f64 * EDGE;
    let compression = match matter {
        Matter::Rigid(_) => 0.0,
        Matter::Soft(young) | Matter::Xpbd(young) => DENSITY * 9.81 * height * height / young,
    };
    Bars {
        settled: Some(5.0),
        shift: Some(0.1 * EDGE + gaps + compression),
        drift: Some(0.01 * EDGE),
        depth: Some(0.01 * EDGE + 0.1 * compression),
        asleep: Some(5.0),
        ..Bars::default()
    }
}

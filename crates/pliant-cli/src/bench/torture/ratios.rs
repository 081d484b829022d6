//! Heavy bodies on light ones.

use super::bars::Bars;
use super::case::Case;
use super::scene_text::{EDGE, Matter, RIGID, SceneText, box_mesh};

/// Masses of the upper body, if that of a lower body is one.
const RATIOS: [u32; 3] = [10, 100, 1000];

/// Density of the lower bodies, in kg/m³.
const LIGHT: f64 = 10.0;

const SOFT: Matter = Matter::Soft(1e7);

/// Much softer balls: the heaviest box presses them by a tenth or two.
const SOFT_BALL: Matter = Matter::Soft(1e5);

/// All ratios.
pub(super) fn cases() -> Vec<Case> {
    let of_ratio = |ratio| [cubes(ratio, RIGID), cubes(ratio, SOFT), balls(ratio)];
    RATIOS.into_iter().flat_map(of_ratio).collect()
}

/// They come to rest, and stay.
const BARS: Bars = Bars {
    quiet_from: 0.0,
    settled: Some(5.0),
    shift: Some(0.05),
    drift: Some(0.01 * EDGE),
    depth: Some(0.05 * EDGE),
    asleep: Some(5.0),
    apart: None,
    barrier: None,
    only_finite: false,
    breaks: false,
};

fn cubes(ratio: u32, matter: Matter) -> Case {
    let cube = |y: f64| box_mesh([0.0, y, 0.0], [EDGE; 3], [1; 3]);
    let text = SceneText::default()
        .body("light", &cube(0.002), matter, LIGHT, "")
        .body("heavy", &cube(EDGE + 0.004), matter, f64::from(ratio) * LIGHT, "")
        .ground(0.5)
        .finish();
    Case {
        name: format!("ratio-{ratio} cubes {}", matter.name()),
        text,
        seconds: 10.0,
        steppers: matter.steppers(),
        bars: BARS,
        short: ratio == 10,
        ..Case::default()
    }
}

/// A rigid box on four soft balls; the ratio is that of the box to one ball.
fn balls(ratio: u32) -> Case {
    const RADIUS: f64 = 0.1;
    let size = [0.5, 0.1, 0.5];
    let ball_mass = LIGHT * 4.0 / 3.0 * std::f64::consts::PI * RADIUS.powi(3);
    let density = f64::from(ratio) * ball_mass / size.iter().product::<f64>();
    let lid = box_mesh([-0.25, 2.0 * RADIUS + 0.004, -0.25], size, [1; 3]);
    let mut scene = SceneText::default().body("box", &lid, RIGID, density, "");
    for (place, [x, z]) in
        [[-0.12, -0.12], [0.12, -0.12], [-0.12, 0.12], [0.12, 0.12]].iter().enumerate()
    {
        let mesh = format!(
            "ball = {{ centre = [{x}, {}, {z}], radius = {RADIUS} }}, degree = 1",
            RADIUS + 0.002
        );
        scene = scene.body(&format!("ball-{place}"), &mesh, SOFT_BALL, LIGHT, "");
    }
    Case {
        name: format!("ratio-{ratio} box on soft balls"),
        text: scene.ground(0.5).finish(),
        seconds: 10.0,
        // The balls may roll a little, and then sleep.
        bars: Bars { shift: Some(0.3), ..BARS },
        ..Case::default()
    }
}

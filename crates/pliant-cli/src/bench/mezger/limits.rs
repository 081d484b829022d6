//! Worst-case frame times: many cells, and fast random dragging.

use std::fmt::Write as _;

use anyhow::Result;
use glam::DVec3;
use pliant::body::{Action, Motion, Pin, Ramp};
use pliant::solver::{LinearSolver, MethodConfig};
use pliant_kernels::math::SplitMix;

use crate::bench::Progress;

use super::drag::{Drag, mean, rank};

/// Number of threads.
const THREADS: usize = 2;

/// 1,500 cells at 25 Hz with every solver, in the worst case.
pub(super) fn large(progress: Progress<'_>) -> Result<String> {
    let drag = Drag::open("head-1500-20k")?;
    let mut text = format!(
        "### {} quadratic tetrahedra, {} vertices, {THREADS} threads\n\n\
         The head of a bear is moved back and forth; the Cholesky solver assembles and factors a matrix in every \
         frame (published: 300 cells in 40 ms on one core). Times of a frame in ms.\n\n\
         | solver | mean | median | 99th percentile | longest |\n|---|---|---|---|---|\n",
        drag.cells(),
        drag.vertices()
    );
    for solver in [LinearSolver::Cholesky, LinearSolver::MatrixFree, LinearSolver::Multigrid] {
        progress(solver.name());
        let mut drag = drag.lazy(0.0);
        drag.method = MethodConfig { solver, ..drag.method };
        let frames = drag.frames_on(THREADS)?;
        let ranks = [0.5, 0.99, 1.0].map(|share| rank(&frames, share));
        let [median, late, longest] = ranks;
        let mean = mean(frames.iter(), |frame| frame.total);
        let name = solver.name();
        writeln!(text, "| {name} | {mean:.2} | {median:.2} | {late:.2} | {longest:.2} |")?;
    }
    Ok(text)
}

/// Late frames against median frames while the moving pins are dragged quickly to random positions.
pub(super) fn random_dragging(progress: Progress<'_>) -> Result<String> {
    let mut text = String::from(
        "### A violent session\n\n\
         The hand is moved quickly to a random place within 0.15 m along every axis, each time in 0.12 s, eight \
         times; then it rests for 0.4 s, and so on. Lazy corotation, one thread; times of a frame in ms.\n\n\
         | scene | median | 99th percentile | longest | 99th percentile/median |\n|---|---|---|---|---|\n",
    );
    for scene in ["arm-146-20k", "arm-229-20k"] {
        progress(scene);
        let drag = Drag::open(scene)?;
        let duration = drag.frames as f64 * drag.config.dt;
        let frames = drag.with_pins(|pins| drag_randomly(pins, duration))?.frames_on(1)?;
        let [median, late, longest] = [0.5, 0.99, 1.0].map(|share| rank(&frames, share));
        let ratio = late / median;
        writeln!(text, "| {scene} | {median:.3} | {late:.3} | {longest:.3} | {ratio:.2} |")?;
    }
    Ok(text)
}

/// Replaces the motion of moving pins by fast random translations.
fn drag_randomly(pins: &mut [Pin], duration: f64) {
    const DRAG_DURATION: f64 = 0.12;
    const PAUSE_DURATION: f64 = 0.4;
    let mut random = SplitMix::new(8);
    let mut coordinate = || 0.15 * random.signed_unit();
    let (mut ramps, mut start, mut at) = (Vec::new(), 0.0, DVec3::ZERO);
    while start < duration {
        for _ in 0..8 {
            let to = DVec3::new(coordinate(), coordinate(), coordinate());
            ramps.push(Ramp {
                start,
                end: start + DRAG_DURATION,
                action: Action::Translate(to - at),
            });
            (start, at) = (start + DRAG_DURATION, to);
        }
        start += PAUSE_DURATION;
    }
    for pin in pins.iter_mut().filter(|pin| !pin.motion.ramps.is_empty()) {
        pin.motion = Motion { ramps: ramps.clone() };
    }
}

//! Table 1, row by row.

use std::fmt::Write as _;

use anyhow::Result;
use glam::DVec3;

use crate::bench::Progress;

use super::drag::{Drag, Frame, mean};

/// A row: our scene, and the published times in ms: matrix, factorisation, solve, surface, total.
struct Row {
    scene: &'static str,
    paper: &'static str,
    published: [f64; 5],
}

const fn row(scene: &'static str, paper: &'static str, published: [f64; 5]) -> Row {
    Row { scene, paper, published }
}

const ROWS: [Row; 7] = [
    row("arm-146-20k", "Arm 20k, 146", [10.1, 3.9, 2.5, 1.9, 18.4]),
    row("arm-146-60k", "Arm 60k, 146", [10.1, 3.9, 2.5, 5.3, 21.8]),
    row("arm-229-20k", "Arm 20k, 229", [16.6, 6.1, 3.5, 1.7, 27.9]),
    row("arm-229-60k", "Arm 60k, 229", [16.6, 6.1, 3.5, 5.6, 31.8]),
    row("dragon-20k", "Dragon 20k, 173", [12.6, 3.3, 2.7, 1.9, 20.6]),
    row("dragon-50k", "Dragon 50k, 173", [12.6, 3.3, 2.7, 4.4, 23.0]),
    row("dragon-100k", "Dragon 100k, 173", [12.6, 3.3, 2.7, 8.7, 27.4]),
];

/// The frames of a row.
struct Timed {
    row: &'static Row,
    drag: Drag,
    /// Plastic and elastic material, with the matrix factored in every frame.
    plastic: Vec<Frame>,
    elastic: Vec<Frame>,
    /// Lazy corotation, and the largest displacement error it causes at a node, in m.
    lazy: Vec<Frame>,
    astray: f64,
}

/// The worst case, lazy corotation, and the cost of plastic flow.
pub(super) fn tables(progress: Progress<'_>) -> Result<String> {
    let mut rows = Vec::new();
    for row in &ROWS {
        progress(row.scene);
        let drag = Drag::open(row.scene)?;
        let plastic = drag.lazy(0.0).frames_on(1)?;
        let elastic = drag.elastic()?.lazy(0.0).frames_on(1)?;
        let lazy = drag.lazy(0.1).frames_on(1)?;
        let astray = max_distance(&drag.lazy(0.0).motion()?, &drag.lazy(0.1).motion()?);
        rows.push(Timed { row, drag, plastic, elastic, lazy, astray });
    }
    Ok([worst(&rows)?, lazy(&rows)?, flow(&rows)?].join("\n"))
}

/// Frames in which the matrix was factored; without lazy corotation these are all frames with motion.
fn factored(frames: &[Frame]) -> impl Iterator<Item = &Frame> {
    frames.iter().filter(|frame| frame.factored)
}

fn worst(rows: &[Timed]) -> Result<String> {
    let mut text = String::from(
        "## Table 1 of Mezger et al. 2007\n\n\
         An arm of a man of clay is moved up and down, the head of a dragon from side to side: BDF2 with steps of 40 \
         ms, direct solver, a rotation at each of four points of a cell, consistent mass, a hardening material, a \
         new factor in every frame, one thread. Mean time of a frame in ms, each frame the fastest of five runs; \
         below it the published time.\n\n\
         | surface, cells | vertices | cells | unknowns | matrix | factorisation | solve | flow | surface | total | times faster |\n\
         |---|---|---|---|---|---|---|---|---|---|---|\n",
    );
    for Timed { row, drag, plastic, .. } in rows {
        let of = |part: fn(&Frame) -> f64| mean(factored(plastic), part);
        let unknowns = plastic.iter().map(|frame| 3 * frame.unknowns).max().unwrap_or_default();
        let [matrix, factor, solve, surface, whole] = row.published;
        let total = of(|frame| frame.total);
        writeln!(
            text,
            "| {} | {} | {} | {unknowns} | {:.3} | {:.3} | {:.3} | {:.3} | {:.3} | {total:.3} | {:.1} |\n\
             | published | | | | {matrix} | {factor} | {solve} | | {surface} | {whole} | |",
            row.paper,
            drag.vertices(),
            drag.cells(),
            of(|frame| frame.matrix),
            of(|frame| frame.factor),
            of(|frame| frame.solve),
            of(|frame| frame.flow),
            of(|frame| frame.surface),
            whole / total
        )?;
    }
    Ok(text)
}

/// The largest distance between the same nodes of two motions.
fn max_distance(one: &[Vec<DVec3>], other: &[Vec<DVec3>]) -> f64 {
    let nodes = one.iter().flatten().zip(other.iter().flatten());
    nodes.map(|(a, b)| a.distance(*b)).fold(0.0, f64::max)
}

fn lazy(rows: &[Timed]) -> Result<String> {
    let mut text = String::from(
        "### Lazy corotation\n\n\
         The same drags, with a new factor only where a rotation has changed by 0.1: mean over all frames in ms, and \
         the largest distance of a node, in any frame, from its position with a new factor in every frame.\n\n\
         | surface, cells | frames with a new factor | matrix | factorisation | solve | flow | surface | total | of the worst case | times faster than published | largest distance |\n\
         |---|---|---|---|---|---|---|---|---|---|---|\n",
    );
    for Timed { row, plastic, lazy, astray, .. } in rows {
        let of = |part: fn(&Frame) -> f64| mean(lazy.iter(), part);
        let share = 100.0 * factored(lazy).count() as f64 / lazy.len().max(1) as f64;
        let (total, whole) =
            (of(|frame| frame.total), mean(factored(plastic), |frame| frame.total));
        writeln!(
            text,
            "| {} | {share:.0} % | {:.3} | {:.3} | {:.3} | {:.3} | {:.3} | {total:.3} | {:.0} % | {:.1} | {:.2} mm |",
            row.paper,
            of(|frame| frame.matrix),
            of(|frame| frame.factor),
            of(|frame| frame.solve),
            of(|frame| frame.flow),
            of(|frame| frame.surface),
            100.0 * total / whole,
            row.published[4] / total,
            1e3 * astray
        )?;
    }
    Ok(text)
}

fn flow(rows: &[Timed]) -> Result<String> {
    let mut text = String::from(
        "### Cost of plastic flow\n\nThe worst case again, with the same material without plastic flow.\n\n\
         | surface, cells | elastic: matrix | factorisation | solve | total | plastic: total | extra time |\n\
         |---|---|---|---|---|---|---|\n",
    );
    for Timed { row, plastic, elastic, .. } in rows {
        let of = |part: fn(&Frame) -> f64| mean(factored(elastic), part);
        let (total, flowing) =
            (of(|frame| frame.total), mean(factored(plastic), |frame| frame.total));
        writeln!(
            text,
            "| {} | {:.3} | {:.3} | {:.3} | {total:.3} | {flowing:.3} | {:.0} % |",
            row.paper,
            of(|frame| frame.matrix),
            of(|frame| frame.factor),
            of(|frame| frame.solve),
            100.0 * (flowing / total - 1.0)
        )?;
    }
    Ok(text)
}

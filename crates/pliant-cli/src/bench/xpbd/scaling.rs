//! Figure 8 of Saillant et al. 2024: time and memory against the number of nodes.

use std::fmt::Write as _;
use std::path::Path;

use anyhow::Result;
use pliant::body::Motion;
use pliant::internals::CellConstraints;
use pliant::material::LawKind;
use pliant::mesh::generate::Split;
use pliant_kernels::lanes::Width;

use super::bar::{Setup, as_published, xpbd};
use crate::bench::Progress;
use crate::bench::plot::{self, Curve, Line, Plot};

/// The picture, written to the current folder.
const PICTURE: &str = "xpbd-scaling.svg";

/// Cells along a side of the cube, by degree: up to some 10,000 nodes as published, and to 200,000.
const SIZES: [(usize, &str, [usize; 6]); 3] = [
    (1, "P1", [6, 10, 15, 21, 36, 58]),
    (2, "P2", [3, 5, 7, 10, 18, 29]),
    (3, "P3", [2, 3, 5, 7, 12, 19]),
];

/// Number of timed frames after a first one; fewer for large bodies.
const FRAMES: usize = 5;

/// Measures a cube on its base under gravity, with 50 substeps, for every degree and size.
pub(in crate::bench) fn tables(progress: Progress<'_>) -> Result<String> {
    let mut text = format!(
        "A unit cube fixed at its base under gravity, E = 1 MPa, ν = 0.49, 1000 kg/m³, 50 substeps of one sweep, six \
         tetrahedra per box, {} threads (Saillant et al. 2024, Figure 8). Memory is that of the constraints and the \
         moving points. The chart is in `{PICTURE}`.\n\n\
         | cells | number | nodes | ms a frame | µs a node | MB | bytes a node |\n|---|---|---|---|---|---|---|\n",
        rayon::current_num_threads()
    );
    let (mut times, mut memories) = (Vec::new(), Vec::new());
    for (degree, name, sizes) in SIZES {
        let (mut time, mut memory) = (Vec::new(), Vec::new());
        for side in sizes {
            progress(&format!("{name}, {side} boxes along a side"));
            let (nodes, cells, ms, megabytes) = measure(degree, side)?;
            writeln!(
                text,
                "| {name} | {cells} | {nodes} | {ms:.2} | {:.2} | {megabytes:.2} | {:.0} |",
                1e3 * ms / nodes as f64,
                1e6 * megabytes / nodes as f64
            )?;
            time.push([nodes as f64, ms]);
            memory.push([nodes as f64, megabytes]);
        }
        let colour = degree - 1;
        times.push(Curve { name, colour, line: Line::Solid, points: time });
        memories.push(Curve { name, colour, line: Line::Solid, points: memory });
    }
    let plots = [
        Plot { title: "time of a frame, ms", x: "nodes", curves: times },
        Plot { title: "memory, MB", x: "nodes", curves: memories },
    ];
    plot::write(Path::new(PICTURE), &plots)?;
    Ok(text)
}

fn measure(degree: usize, side: usize) -> Result<(usize, usize, f64, f64)> {
    let setup = Setup {
        size: [1.0; 3],
        cells: [side; 3],
        split: Split::Tet6,
        degree,
        refine: 0,
        material: as_published(LawKind::RestStable, 1e6, 0.49, 1000.0),
        gravity: 9.8,
        pins: vec![("y-", Motion::default())],
        method: xpbd(50),
        damping: 0.0,
    };
    let mut run = setup.build()?;
    let (nodes, cells) = run.size()?;
    run.step();
    run.frames.clear();
    let frames = if nodes > 50_000 { 2 } else { FRAMES };
    (0..frames).for_each(|_| run.step());
    let fastest = run.frames.iter().copied().fold(f64::INFINITY, f64::min);
    let constraints = CellConstraints::new(run.body()?.model(), Width::default());
    // Positions with inverse masses, positions at the start of the substep, and the state.
    let points = nodes * (32 + 24 + 48);
    Ok((nodes, cells, fastest, 1e-6 * (constraints.bytes() + points) as f64))
}

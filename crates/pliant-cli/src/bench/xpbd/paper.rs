//! The tables and figures of Saillant et al. 2024.

use std::fmt::Write as _;

use anyhow::Result;
use glam::{DVec3, IVec3};
use pliant::body::{Action, Motion, Ramp};
use pliant::material::LawKind;
use pliant::mesh::generate::Split;
use pliant::solver::{MethodConfig, Projection};
use std::collections::BTreeMap;

use super::bar::{Run, Setup, as_published, xpbd};
use crate::bench::Progress;

/// Displacement of the tip, in m, in a reference like that of the paper: 64 × 16 × 16 linear hexahedra under symplectic
/// Euler with steps of 5.6e-5 s. Made by `pliant run saillant/reference-bending`.
const REFERENCE: DVec3 = DVec3::new(-1.1641, -2.7813, 0.0);

/// Displacement of the tip in the converged solution of the same law (NGSolve), in m.
const CONVERGED: DVec3 = DVec3::new(-1.1692, -2.787, 0.0);

/// A row of Table 1.
struct Bar {
    name: &'static str,
    degree: usize,
    cells: [usize; 3],
    refine: u32,
    /// Published error, in m, and time of a frame, in ms.
    published: (f64, f64),
}

const BARS: [Bar; 5] = [
    Bar { name: "p1", degree: 1, cells: [16, 4, 4], refine: 0, published: (0.39, 43.8) },
    Bar { name: "p1-fine", degree: 1, cells: [16, 4, 4], refine: 1, published: (0.18, 346.0) },
    Bar { name: "p1-finest", degree: 1, cells: [16, 4, 4], refine: 2, published: (0.056, 3055.0) },
    Bar { name: "p2", degree: 2, cells: [8, 2, 2], refine: 0, published: (0.008, 24.8) },
    Bar { name: "p3", degree: 3, cells: [4, 2, 2], refine: 0, published: (0.0077, 29.4) },
];

/// Number of frames after which a damped bar is at rest.
const FRAMES_TO_REST: usize = 480;

/// Table 1, Figure 9, and Figures 2 and 3 (drift off the axis).
pub(in crate::bench) fn tables(progress: Progress<'_>) -> Result<String> {
    let mut text = format!(
        "Saillant et al. 2024 on {} threads, frames of 1/60 s, velocity decay of 2/s to bring bodies to rest.\n\n",
        rayon::current_num_threads()
    );
    bending(&mut text, progress)?;
    stable_constraint(&mut text, progress)?;
    drift(&mut text, progress)?;
    Ok(text)
}

fn bar(degree: usize, cells: [usize; 3], young: f64, method: MethodConfig) -> Setup {
    Setup {
        size: [4.0, 1.0, 1.0],
        cells,
        split: Split::Tet5,
        degree,
        refine: 0,
        material: as_published(LawKind::RestStable, young, 0.35, 1000.0),
        gravity: 9.8,
        pins: vec![("x-", Motion::default())],
        method,
        damping: 2.0,
    }
}

/// Table 1: the tip of the bar under its own weight.
fn bending(text: &mut String, progress: Progress<'_>) -> Result<()> {
    const TIP: DVec3 = DVec3::new(4.0, 0.5, 0.5);
    write!(
        text,
        "### Table 1: bending\n\n\
         The scenes `saillant/bending-*`, 50 substeps of one sweep. Errors are distances of the tip, in m: from a \
         reference like that of the paper ({:.4}, {:.4}), from the equilibrium of the same mesh, and from the \
         converged solution; `mesh alone` is the distance of that equilibrium from the converged solution. So `from \
         its mesh` is the error of the sweeps, and `mesh alone` that of the cells.\n\n\
         | cells | nodes | number | tip x | tip y | from the reference | published | from its mesh | mesh alone | from the converged | residual | ms a frame | published | published/ours |\n\
         |---|---|---|---|---|---|---|---|---|---|---|---|---|---|\n",
        REFERENCE.x, REFERENCE.y
    )?;
    for Bar { name, degree, cells, refine, published } in BARS {
        progress(name);
        let run = Setup { refine, ..bar(degree, cells, 1e6, xpbd(50)) }.run(FRAMES_TO_REST)?;
        let (tip, (nodes, count)) = (run.moved(TIP)?, run.size()?);
        progress(&format!("{name}, equilibrium"));
        let balanced = run.balanced()?.moved(TIP)?;
        let [error, mesh, alone, off] = [
            tip.distance(REFERENCE),
            tip.distance(balanced),
            balanced.distance(CONVERGED),
            tip.distance(CONVERGED),
        ];
        let ((their_error, their_ms), ms) = (published, run.median());
        writeln!(
            text,
            "| {name} | {nodes} | {count} | {:.4} | {:.4} | {error:.4} | {their_error} | {mesh:.4} | {alone:.4} | {off:.4} | {:.1e} | {ms:.2} | {their_ms} | {:.1} |",
            tip.x,
            tip.y,
            run.residual,
            their_ms / ms
        )?;
    }
    text.push('\n');
    Ok(())
}

/// Figure 9: the rest-stable constraint against that of Macklin & Müller.
fn stable_constraint(text: &mut String, progress: Progress<'_>) -> Result<()> {
    const TIP: DVec3 = DVec3::new(3.0, 0.5, 0.5);
    let setup = |law, cells, method| Setup {
        size: [3.0, 1.0, 1.0],
        cells,
        split: Split::Tet5,
        degree: 2,
        refine: 0,
        material: as_published(law, 1e5, 0.49, 100.0),
        gravity: 9.8,
        pins: vec![("x-", Motion::default())],
        method,
        damping: 2.0,
    };
    text.push_str(
        "### Figure 9: rest-stable constraints\n\n\
         Quadratic tetrahedra, 3 × 1 × 1 m, E = 0.1 MPa, ν = 0.49, 100 kg/m³ (the paper does not give its mesh). The \
         same law in two splits, with the constraints solved one after the other, as published, and both together. \
         Distance of the tip from the equilibrium of the same mesh, in percent of its length.\n\n\
         | cells | substeps | rest-stable, separate | Macklin & Müller, separate | rest-stable, together | Macklin & Müller, together |\n\
         |---|---|---|---|---|---|\n",
    );
    for cells in [[6, 2, 2], [12, 4, 4]] {
        let mut rest: Option<DVec3> = None;
        for substeps in [100, 50, 20] {
            write!(text, "| {} | {substeps} |", 5 * cells.iter().product::<usize>())?;
            for projection in [Projection::Separate, Projection::Together] {
                for law in [LawKind::RestStable, LawKind::MacklinMuller] {
                    progress(&format!("Figure 9, {law}, {cells:?}, {substeps}"));
                    let method = MethodConfig { projection, ..xpbd(substeps) };
                    let run = setup(law, cells, method).run(FRAMES_TO_REST)?;
                    let at = match rest {
                        Some(at) => at,
                        None => run.balanced()?.moved(TIP)?,
                    };
                    rest = Some(at);
                    let off = run.moved(TIP)?.distance(at) / at.length();
                    write!(text, " {:.2} % |", 100.0 * off)?;
                }
            }
            text.push('\n');
        }
    }
    text.push('\n');
    Ok(())
}

/// A translation during the first second.
fn pull(by: DVec3) -> Motion {
    Motion { ramps: vec![Ramp { start: 0.0, end: 1.0, action: Action::Translate(by) }] }
}

/// Figures 2 and 3: asymmetric meshes under tension and compression.
fn drift(text: &mut String, progress: Progress<'_>) -> Result<()> {
    text.push_str(
        "### Figures 2 and 3: asymmetry\n\n\
         Biased meshes (six tetrahedra per box) of nearly incompressible bodies: a bar of 3 × 1 × 1 m pulled to \
         twice its length at ν = 0.499, a unit cube compressed by a third at ν = 0.4999, E = 0.1 MPa. The load is \
         symmetric about the middle planes; `asymmetry` is the largest distance between the displacement of a node \
         and that of its mirror image, in percent of the width. It is due to the bias of the mesh.\n\n\
         | test | cells | nodes | number | substeps | asymmetry |\n|---|---|---|---|---|---|\n",
    );
    let (left, right) = (pull(-1.5 * DVec3::X), pull(1.5 * DVec3::X));
    let tension = |degree, cells| Setup {
        size: [3.0, 1.0, 1.0],
        cells,
        split: Split::Tet6,
        degree,
        refine: 0,
        material: as_published(LawKind::RestStable, 1e5, 0.499, 100.0),
        gravity: 0.0,
        pins: vec![("x-", left.clone()), ("x+", right.clone())],
        method: xpbd(40),
        damping: 2.0,
    };
    let down = pull(-DVec3::Y / 3.0);
    let compression = |degree, cells| Setup {
        size: [1.0; 3],
        material: as_published(LawKind::RestStable, 1e5, 0.4999, 1000.0),
        pins: vec![("y-", Motion::default()), ("y+", down.clone())],
        method: xpbd(50),
        ..tension(degree, cells)
    };
    let cases = [
        ("tension", "P1", tension(1, [12, 6, 6])),
        ("tension", "P2", tension(2, [6, 3, 3])),
        ("tension", "P3", tension(3, [4, 2, 2])),
        ("compression", "P1", compression(1, [12, 12, 12])),
        ("compression", "P2", compression(2, [6, 6, 6])),
        ("compression", "P3", compression(3, [4, 4, 4])),
    ];
    for (test, name, setup) in cases {
        progress(&format!("{test} {name}"));
        let run = setup.run(FRAMES_TO_REST / 2)?;
        let ((nodes, cells), off) = (run.size()?, asymmetry(&run, setup.size)?);
        let substeps = setup.method.substeps.unwrap_or(1);
        writeln!(
            text,
            "| {test} | {name} | {nodes} | {cells} | {substeps} | {:.2} % |",
            100.0 * off
        )?;
    }
    text.push('\n');
    Ok(())
}

/// Largest difference between the displacements of nodes and of their mirror images in the middle plane normal to z.
fn asymmetry(run: &Run, size: [f64; 3]) -> Result<f64> {
    let body = run.body()?;
    let rest = &body.model().mesh().nodes;
    let key = |x: DVec3| (1e6 * x).round().as_ivec3();
    let places: BTreeMap<[i32; 3], usize> =
        rest.iter().enumerate().map(|(node, x)| (IVec3::to_array(&key(*x)), node)).collect();
    let mut most = 0.0_f64;
    for (node, x) in rest.iter().enumerate() {
        let image = DVec3::new(x.x, x.y, size[2] - x.z);
        if let Some(&other) = places.get(&key(image).to_array()) {
            let moved = body.state.x[node] - *x;
            let mirrored = (body.state.x[other] - rest[other]) * DVec3::new(1.0, 1.0, -1.0);
            most = most.max(moved.distance(mirrored));
        }
    }
    Ok(most)
}

/// Distance of a hanging bar from its equilibrium, by stiffness and substeps.
pub(in crate::bench) fn substeps(progress: Progress<'_>) -> Result<String> {
    const TIP: DVec3 = DVec3::new(4.0, 0.5, 0.5);
    const COUNTS: [u32; 6] = [5, 10, 20, 50, 100, 200];
    let mut text = String::from(
        "The bar of Table 1 with its weight in proportion to its stiffness, so that its equilibrium is always the \
         same: how much lower it hangs than the equilibrium of its mesh, in percent of the deflection, for several \
         numbers of substeps in a frame of 1/60 s.\n\n\
         | cells | E/ρ, m²/s² | 200 | 100 | 50 | 20 | 10 | 5 |\n|---|---|---|---|---|---|---|---|\n",
    );
    let meshes =
        [("P1, 1280", 1, [16, 4, 4]), ("P2, 160", 2, [8, 2, 2]), ("P2, 1280", 2, [16, 4, 4])];
    for (name, degree, cells) in meshes {
        for young in [1e6, 1e7, 1e8] {
            write!(text, "| {name} | {:.0} |", young / 1e3)?;
            let setup = |substeps: u32| Setup {
                gravity: 9.8e-6 * young,
                ..bar(degree, cells, young, xpbd(substeps))
            };
            let mut rest: Option<DVec3> = None;
            for count in COUNTS.into_iter().rev() {
                progress(&format!("{name}, {young:e} Pa, {count} substeps"));
                let run = setup(count).run(FRAMES_TO_REST)?;
                let at = match rest {
                    Some(at) => at,
                    None => run.balanced()?.moved(TIP)?,
                };
                rest = Some(at);
                let lower = 100.0 * (at.y - run.moved(TIP)?.y) / at.length();
                write!(text, " {lower:.1} |")?;
            }
            text.push('\n');
        }
    }
    Ok(text)
}

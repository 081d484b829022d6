//! The quality of curved cells: scaled Jacobian and dihedral angles within their bounds, on every surface.

use crate::common;

use common::{CURVED, CurvedMesh, FIGURES, counted, heavy, shared};
use pliant::geometry::Surface;
use pliant_mesher::gallery::{Figure, random_shape};
use pliant_mesher::tets::{TetReport, tetrahedra};
use rayon::prelude::*;

/// A line about a mesh, for the reader of a failed or heavy run.
fn line(name: &str, degree: usize, report: &TetReport) -> String {
    let quality = report.curved_quality;
    let [low, high] = quality.dihedral_angles.map(f64::to_degrees);
    format!(
        "{name} {degree}: {} cells, scaled Jacobian {:.3}, angles {low:.2} to {high:.2}, distance {:.4e} to {:.4e} ({:.1} times), held back {}",
        report.cells,
        quality.scaled_jacobian,
        report.straight.mean,
        report.curved.mean,
        report.straight.mean / report.curved.mean,
        report.held_back
    )
}

/// Meshes a surface at a degree, and checks the bounds.
fn check(name: &str, surface: &Surface, count: usize, degree: usize) -> Option<TetReport> {
    let report = tetrahedra(surface, &counted(count, degree)).ok()?.report;
    check_report(name, degree, &report);
    Some(report)
}

fn check_report(name: &str, degree: usize, report: &TetReport) {
    let line = line(name, degree, report);
    println!("{line}");
    let quality = report.curved_quality;
    let [low, high] = quality.dihedral_angles.map(f64::to_degrees);
    // The bounds that the mesher states. The cosines of both runs are rounded alike.
    assert!(quality.scaled_jacobian >= 0.1, "{line}");
    assert!(low >= 5.0 - 1e-6 && high <= 170.0 + 1e-6, "{line}");
}

/// The ball, the bear, and a round and a sharp figure of the gallery (all in a heavy run) have curved cells within the
/// bounds.
#[test]
fn curved_cells_of_figures_are_within_their_bounds() {
    for CurvedMesh { name, degree, made } in &*CURVED {
        check_report(name, *degree, &made.report);
    }
    let some = [Figure::LetterC, Figure::Box];
    let filled = FIGURES.iter().filter(|(_, surface)| !surface.triangles.is_empty());
    for (figure, surface) in filled.filter(|(figure, _)| heavy() || some.contains(figure)) {
        for degree in [2, 3] {
            check(figure.name(), surface, 500, degree).expect("a figure");
        }
    }
}

/// So have random unions of limbs and blobs with few cells.
#[test]
fn curved_cells_of_random_shapes_are_within_their_bounds() {
    let count = common::cases(80) as u64;
    (0..count).into_par_iter().for_each(|seed| {
        check("random", &random_shape(seed), 120, 2 + seed as usize % 2);
    });
}

/// So have well-known surfaces. Skipped without the shared meshes.
#[test]
fn curved_cells_of_shared_surfaces_are_within_their_bounds() {
    let names = ["suzanne.obj", "bunny.obj", "spot.obj", "fandisk.obj"];
    for name in &names[..if heavy() { 4 } else { 1 }] {
        let Some(surface) = shared(name) else { continue };
        for degree in [2, 3] {
            check(name, &surface, 500, degree).expect("a sound surface");
        }
    }
}

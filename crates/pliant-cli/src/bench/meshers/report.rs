//! The rows of the table, and what they say about Pliant.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use pliant::geometry::Surface;
use serde::Serialize;

use super::measured::Measured;

/// The smallest distance in the picture, in %: smaller ones are drawn there.
const SMALLEST: f64 = 1e-3;

/// A mesher on a surface.
#[derive(Debug, Serialize)]
pub(super) struct Row {
    pub(super) surface: String,
    triangles: usize,
    pub(super) mesher: &'static str,
    measured: Option<Measured>,
    /// Why there is no mesh.
    failure: Option<String>,
}

impl Row {
    pub(super) fn new(
        name: &str,
        surface: &Surface,
        mesher: &'static str,
        result: Result<Measured, String>,
    ) -> Self {
        let (surface, triangles) = (name.to_owned(), surface.triangles.len());
        let (measured, failure) = match result {
            Ok(measured) => (Some(measured), None),
            Err(failure) => (None, Some(failure)),
        };
        Self { surface, triangles, mesher, measured, failure }
    }

    pub(super) fn to_markdown(&self) -> String {
        let Self { surface, triangles, mesher, measured, failure } = self;
        let Some(measured) = measured else {
            let failure = failure.as_deref().unwrap_or_default().replace('|', "/");
            return format!("| {surface} | {triangles} | {mesher} | {failure} | | | | | |\n");
        };
        let Measured { cells, angles_deg: [low, high], pieces, seconds, .. } = measured;
        format!(
            "| {surface} | {triangles} | {mesher} | {cells} | {low:.1} to {high:.1} | {:.2} | {:.2} | {pieces} | {seconds:.2} |\n",
            measured.surface_to_cells_percent, measured.cells_to_surface_percent
        )
    }

    /// The point of the picture: time in s, and largest distance in %.
    pub(super) fn point(&self) -> Option<[f64; 2]> {
        let measured = self.measured.as_ref()?;
        Some([measured.seconds, measured.farthest().max(SMALLEST)])
    }
}

/// The head of the table.
pub(super) fn head(count: usize) -> String {
    format!(
        "fTetWild is asked for edges of about {count} cells, the others for as many cells as it made. Angles are dihedral angles \
         between the corners of cells. Distances are the largest ones between the surface and the boundary of the cells (curved \
         for degree 2) at dense samples, in % of the diagonal. Time is processor time on one thread.\n\n\
         | surface | triangles | mesher | cells | angles (°) | surface to cells | cells to surface | pieces | time (s) |\n\
         |---|---|---|---|---|---|---|---|---|\n"
    )
}

/// Compares each row of Pliant with every other mesher: on how many surfaces it is at most as far away, and the ratio
/// of times.
pub(super) fn comparison(rows: &[Row]) -> String {
    let mut text = "\n".to_owned();
    let mut of_mesher: BTreeMap<&str, BTreeMap<&str, &Measured>> = BTreeMap::new();
    for row in rows {
        if let Some(measured) = &row.measured {
            of_mesher.entry(row.mesher).or_default().insert(&row.surface, measured);
        }
    }
    let is_ours = |name: &&&str| name.starts_with("Pliant");
    for ours in of_mesher.keys().filter(is_ours) {
        for theirs in of_mesher.keys().filter(|name| !is_ours(name)) {
            let pairs: Vec<_> = of_mesher[ours]
                .iter()
                .filter_map(|(surface, a)| Some((*a, *of_mesher[theirs].get(surface)?)))
                .collect();
            if pairs.is_empty() {
                continue;
            }
            let closer = pairs.iter().filter(|(a, b)| a.farthest() <= b.farthest()).count();
            let mut faster: Vec<f64> = pairs.iter().map(|(a, b)| b.seconds / a.seconds).collect();
            faster.sort_by(f64::total_cmp);
            let _ = writeln!(
                text,
                "- {ours} beside {theirs}: at most as far from the surface on {closer} of {}; {:.1} times as fast in the median, {:.1} at least",
                pairs.len(),
                faster[faster.len() / 2],
                faster[0]
            );
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(surface: &str, mesher: &'static str, farthest: f64, seconds: f64) -> Row {
        let measured = Measured {
            cells: 10,
            angles_deg: [20.0, 120.0],
            surface_to_cells_percent: farthest,
            cells_to_surface_percent: 0.1,
            pieces: 1,
            seconds,
        };
        Row::new(surface, &Surface::default(), mesher, Ok(measured))
    }

    /// Pairs on the same surface are counted; a surface that one of them failed on is not.
    #[test]
    fn the_comparison_counts_surfaces_of_both() {
        let rows = [
            row("a", "Pliant", 1.0, 1.0),
            row("a", "Other", 2.0, 10.0),
            row("b", "Pliant", 2.0, 1.0),
            row("b", "Other", 1.0, 4.0),
            row("c", "Pliant", 2.0, 1.0),
            Row::new("c", &Surface::default(), "Other", Err("no | memory".to_owned())),
        ];
        let text = comparison(&rows);
        assert!(text.contains("Pliant beside Other: at most as far from the surface on 1 of 2"));
        assert!(text.contains("10.0 times as fast in the median, 4.0 at least"), "{text}");
        assert!(rows[5].to_markdown().contains("no / memory"));
        assert_eq!(rows[5].point(), None);
    }
}

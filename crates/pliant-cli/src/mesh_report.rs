//! The report of `pliant mesh`.

use std::fmt::Write as _;

use pliant::mesh::{Mesh, QualitySummary};
use serde::Serialize;

use crate::cell_counts::CellCounts;

/// Cells, groups, size, quality and validity of a mesh.
#[derive(Debug, Serialize)]
pub(crate) struct MeshReport {
    pub(crate) file: String,
    pub(crate) format: String,
    pub(crate) notes: Vec<String>,
    pub(crate) cells: CellCounts,
    pub(crate) nodes: usize,
    pub(crate) regions: Vec<Group>,
    pub(crate) node_sets: Vec<Group>,
    pub(crate) bounds: [[f64; 3]; 2],
    pub(crate) volume: f64,
    pub(crate) quality: Option<Quality>,
    pub(crate) valid: bool,
    pub(crate) invalid_cells: Vec<InvalidCell>,
    pub(crate) duplicate_cells: Vec<[usize; 2]>,
}

/// A region or node set.
#[derive(Debug, Serialize)]
pub(crate) struct Group {
    pub(crate) name: String,
    pub(crate) count: usize,
}

/// Shape quality of the cells; 1 is best.
#[derive(Debug, Serialize)]
pub(crate) struct Quality {
    pub(crate) smallest_mean_ratio: f64,
    pub(crate) average_mean_ratio: f64,
    pub(crate) worst_cell: usize,
    pub(crate) smallest_jacobian_ratio: f64,
    pub(crate) dihedral_angles_deg: Option<[f64; 2]>,
    pub(crate) edge_lengths: [f64; 2],
    /// The number of cells whose mean ratio is in each tenth from 0 to 1.
    pub(crate) mean_ratio_histogram: [usize; 10],
}

/// A cell that is degenerate or inverted somewhere.
#[derive(Debug, Serialize)]
pub(crate) struct InvalidCell {
    pub(crate) cell: usize,
    pub(crate) kind: &'static str,
    pub(crate) how: &'static str,
    pub(crate) smallest_det: f64,
}

impl MeshReport {
    /// Makes the report on a mesh; `file`, `format` and `notes` describe its source.
    pub(crate) fn new(file: String, format: String, notes: Vec<String>, mesh: &Mesh) -> Self {
        let (low, high) = mesh.bounds();
        let regions = mesh.regions.iter();
        let sets = mesh.node_sets.iter();
        let invalid_cells = invalid_cells(mesh);
        let duplicate_cells = mesh.duplicate_cells();
        Self {
            file,
            format,
            notes,
            cells: CellCounts::of(mesh),
            nodes: mesh.nodes.len(),
            regions: regions.map(|region| group(&region.name, region.cells.len())).collect(),
            node_sets: sets.map(|set| group(&set.name, set.nodes.len())).collect(),
            bounds: [low.to_array(), high.to_array()],
            volume: mesh.volume(),
            quality: mesh.quality().map(|summary| Quality::new(summary, mesh)),
            valid: invalid_cells.is_empty() && duplicate_cells.is_empty(),
            invalid_cells,
            duplicate_cells,
        }
    }

    /// The report as text.
    pub(crate) fn to_text(&self) -> String {
        let mut text = format!("{} ({})\n", self.file, self.format);
        line(&mut text, "cells", &self.cells.to_string());
        line(&mut text, "nodes", &self.nodes.to_string());
        for Group { name, count } in &self.regions {
            line(&mut text, "region", &format!("{name}, {count} cells"));
        }
        for Group { name, count } in &self.node_sets {
            line(&mut text, "node set", &format!("{name}, {count} nodes"));
        }
        let [low, high] = self.bounds;
        line(&mut text, "bounds", &format!("{low:?} to {high:?} m"));
        line(&mut text, "volume", &format!("{:.9e} m³", self.volume));
        if let Some(quality) = &self.quality {
            quality.describe(&mut text);
        }
        for note in &self.notes {
            line(&mut text, "note", note);
        }
        self.describe_validity(&mut text);
        text
    }

    fn describe_validity(&self, text: &mut String) {
        /// Largest number of invalid cells listed in the text; `--json` lists all.
        const MAX_LISTED: usize = 12;
        for InvalidCell { cell, kind, how, smallest_det } in
            self.invalid_cells.iter().take(MAX_LISTED)
        {
            line(
                text,
                "invalid",
                &format!("cell {cell} ({kind}) is {how}: det J {smallest_det:.3e}"),
            );
        }
        if let more @ 1.. = self.invalid_cells.len().saturating_sub(MAX_LISTED) {
            line(text, "invalid", &format!("and {more} more; --json names them all"));
        }
        for [first, second] in &self.duplicate_cells {
            line(text, "invalid", &format!("cells {first} and {second} have the same corners"));
        }
        line(text, "valid", if self.valid { "every cell, proved" } else { "no" });
    }
}

impl Quality {
    /// The number of cells in each tenth of mean ratios.
    pub(crate) fn histogram(&self) -> String {
        let counts = self.mean_ratio_histogram.iter().enumerate().filter(|(_, count)| **count > 0);
        let told: Vec<String> = counts.map(|(k, count)| format!("{count} from 0.{k}")).collect();
        told.join(", ")
    }

    fn describe(&self, text: &mut String) {
        let Self { smallest_mean_ratio, average_mean_ratio, worst_cell, .. } = self;
        let shape = format!(
            "mean ratio {average_mean_ratio:.3} on average, {smallest_mean_ratio:.3} at worst (cell {worst_cell})"
        );
        line(text, "quality", &shape);
        if let Some([low, high]) = self.dihedral_angles_deg {
            line(text, "dihedral angles", &format!("{low:.1} to {high:.1} degrees"));
        }
        let [short, long] = self.edge_lengths;
        line(text, "edges", &format!("{short:.4e} to {long:.4e} m"));
    }
}

impl Quality {
    fn new(summary: QualitySummary, mesh: &Mesh) -> Self {
        let mut mean_ratio_histogram = [0; 10];
        for quality in mesh.qualities() {
            // The cast saturates: a ratio below 0 is in the first tenth.
            mean_ratio_histogram[((10.0 * quality.mean_ratio) as usize).min(9)] += 1;
        }
        Self {
            smallest_mean_ratio: summary.smallest_mean_ratio,
            average_mean_ratio: summary.average_mean_ratio,
            worst_cell: summary.worst_cell,
            smallest_jacobian_ratio: summary.smallest_jacobian_ratio,
            dihedral_angles_deg: summary.dihedral_angles.map(|range| range.map(f64::to_degrees)),
            edge_lengths: summary.edge_lengths,
            mean_ratio_histogram,
        }
    }
}

fn group(name: &str, count: usize) -> Group {
    Group { name: name.to_owned(), count }
}

fn invalid_cells(mesh: &Mesh) -> Vec<InvalidCell> {
    let invalid = mesh.invalid_cells().into_iter();
    invalid
        .map(|(cell, validity)| InvalidCell {
            cell,
            kind: mesh.cell(cell).0.name(),
            how: validity.status.name(),
            smallest_det: validity.smallest_det,
        })
        .collect()
}

fn line(text: &mut String, label: &str, value: &str) {
    let _ = writeln!(text, "  {label:16} {value}");
}

//! The report on a mesh made from a surface.

use std::fmt::Write as _;

use pliant::geometry::Surface;
use pliant_mesher::open_edges;
use pliant_mesher::tets::{Distances, TetReport};
use pliant_mesher::voxels::VoxelReport;
use serde::Serialize;

use crate::mesh_report::MeshReport;

/// The report of the mesher.
#[derive(Debug)]
pub(crate) enum MesherReport {
    Voxels(VoxelReport),
    Tetrahedra(Box<TetReport>),
}

/// Figures of the surface and the mesh, and the distance between them.
#[derive(Debug, Serialize)]
pub(crate) struct SurfaceReport {
    surface: InputSurface,
    method: &'static str,
    /// Time to make the mesh, in s.
    seconds: f64,
    /// Volume of the material over the volume enclosed by the surface; `None` if the surface is open.
    volume_ratio: Option<f64>,
    voxels: Option<VoxelSummary>,
    tetrahedra: Option<TetSummary>,
    mesh: MeshReport,
}

#[derive(Debug, Serialize)]
struct InputSurface {
    vertices: usize,
    triangles: usize,
    lines: usize,
    open_edges: usize,
    volume: f64,
}

#[derive(Debug, Serialize)]
struct VoxelSummary {
    cell_size: f64,
    leaf_size: f64,
    boundary_leaves: usize,
    inside_leaves: usize,
    parts: usize,
    cells_sharing_a_place: usize,
    volume: f64,
}

#[derive(Debug, Serialize)]
struct TetSummary {
    size: f64,
    pieces: usize,
    dihedral_angles_deg: [f64; 2],
    straight_distance: [f64; 2],
    curved_distance: [f64; 2],
    over_holes: f64,
    held_back: usize,
    on_sharp_edges: usize,
    sheet_triangles: usize,
    sheet_thickness: Option<f64>,
    vertices_outside: usize,
}

impl SurfaceReport {
    pub(crate) fn new(
        surface: &Surface,
        made: &MesherReport,
        mesh: MeshReport,
        seconds: f64,
    ) -> Self {
        let surface = InputSurface {
            vertices: surface.vertices.len(),
            triangles: surface.triangles.len(),
            lines: surface.lines.len(),
            open_edges: open_edges(surface).len(),
            volume: surface.volume(),
        };
        let (method, voxels, tetrahedra) = match made {
            MesherReport::Voxels(report) => ("voxels", Some(VoxelSummary::from(report)), None),
            MesherReport::Tetrahedra(report) => ("tets", None, Some(TetSummary::from(&**report))),
        };
        let volume = voxels.as_ref().map_or(mesh.volume, |voxels| voxels.volume);
        let closed = surface.open_edges == 0 && surface.volume > 0.0;
        let volume_ratio = closed.then(|| volume / surface.volume);
        Self { surface, method, seconds, volume_ratio, voxels, tetrahedra, mesh }
    }

    /// The report as text.
    pub(crate) fn to_text(&self) -> String {
        let mut text = self.mesh.to_text();
        let InputSurface { vertices, triangles, lines, open_edges, .. } = self.surface;
        let open =
            if open_edges == 0 { "closed".to_owned() } else { format!("{open_edges} open edges") };
        let lines = if lines == 0 { String::new() } else { format!(", {lines} lines") };
        line(
            &mut text,
            "surface",
            &format!("{vertices} vertices, {triangles} triangles{lines}, {open}"),
        );
        if let Some(ratio) = self.volume_ratio {
            line(&mut text, "volume", &format!("{:.2} % of the surface's", 100.0 * ratio));
        }
        if let Some(voxels) = &self.voxels {
            voxels.describe(&mut text);
        }
        if let Some(tetrahedra) = &self.tetrahedra {
            tetrahedra.describe(&mut text);
        }
        line(&mut text, "made in", &format!("{:.3} s", self.seconds));
        text
    }
}

impl VoxelSummary {
    fn describe(&self, text: &mut String) {
        line(
            text,
            "cells of",
            &format!("{:.4e} m, leaves of {:.4e} m", self.cell_size, self.leaf_size),
        );
        let leaves =
            format!("{} on the boundary, {} inside", self.boundary_leaves, self.inside_leaves);
        line(text, "leaves", &leaves);
        line(text, "parts", &self.parts.to_string());
        if self.cells_sharing_a_place > 0 {
            let shared = format!(
                "{} cells overlap another cell: they hold separate pieces of material",
                self.cells_sharing_a_place
            );
            line(text, "pieces", &shared);
        }
    }
}

impl TetSummary {
    fn describe(&self, text: &mut String) {
        line(text, "edges about", &format!("{:.4e} m", self.size));
        let [low, high] = self.dihedral_angles_deg;
        line(text, "straight angles", &format!("{low:.1} to {high:.1} degrees"));
        let distance =
            |[mean, most]: [f64; 2]| format!("{mean:.3e} m on average, {most:.3e} m at most");
        line(
            text,
            "straight sides",
            &format!("{} from the surface", distance(self.straight_distance)),
        );
        line(text, "curved sides", &format!("{} from the surface", distance(self.curved_distance)));
        if self.pieces > 1 {
            line(text, "pieces", &self.pieces.to_string());
        }
        if self.over_holes > 0.0 {
            line(text, "over holes", &format!("{:.1} % of the boundary", 100.0 * self.over_holes));
        }
        if let Some(thickness) = self.sheet_thickness {
            let sheets = format!(
                "{} triangles enclose no volume and are made {thickness:.3e} m thick",
                self.sheet_triangles
            );
            line(text, "sheets", &sheets);
        }
        if self.held_back > 0 {
            let held = format!(
                "{} control points do not reach the surface, so that no cell is inverted",
                self.held_back
            );
            line(text, "held back", &held);
        }
    }
}

impl From<&VoxelReport> for VoxelSummary {
    fn from(report: &VoxelReport) -> Self {
        Self {
            cell_size: report.cell_size,
            leaf_size: report.leaf_size,
            boundary_leaves: report.boundary_leaf_count,
            inside_leaves: report.inside_leaf_count,
            parts: report.part_count,
            cells_sharing_a_place: report.shared_place_count,
            volume: report.volume,
        }
    }
}

impl From<&TetReport> for TetSummary {
    fn from(report: &TetReport) -> Self {
        let distance = |distance: Distances| [distance.mean, distance.largest];
        Self {
            size: report.size,
            pieces: report.pieces,
            dihedral_angles_deg: report.dihedral_angles.map(f64::to_degrees),
            straight_distance: distance(report.straight),
            curved_distance: distance(report.curved),
            over_holes: report.over_holes,
            held_back: report.held_back,
            on_sharp_edges: report.on_sharp_edges,
            sheet_triangles: report.sheet_triangles,
            sheet_thickness: report.sheet_thickness,
            vertices_outside: report.vertices_outside,
        }
    }
}

fn line(text: &mut String, label: &str, value: &str) {
    let _ = writeln!(text, "  {label:16} {value}");
}

//! The report on a mesh made from a surface.

use std::fmt::Write as _;

use pliant::geometry::Surface;
use pliant_mesher::open_edges;
use pliant_mesher::tets::{Distances, Farthest, TetReport, ThinPart, Topology};
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
    cells: usize,
    asked_cells: Option<usize>,
    diagonal: f64,
    within: Option<f64>,
    surface_to_mesh: FarPoint,
    mesh_to_surface: FarPoint,
    lost_parts: Vec<PartSummary>,
    thin_parts: Vec<PartSummary>,
    shortest_edge: f64,
    surface_topology: Option<TopologySummary>,
    topology: Option<TopologySummary>,
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

/// The farthest point of a surface from another.
#[derive(Debug, Serialize)]
struct FarPoint {
    distance: f64,
    at: [f64; 3],
}

/// A part of the surface.
#[derive(Debug, Serialize)]
struct PartSummary {
    at: [f64; 3],
    /// `None` if it is a face of the cells that lies too far out.
    thickness: Option<f64>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
struct TopologySummary {
    shells: usize,
    handles: usize,
}

impl SurfaceReport {
    /// What a user should know before using the mesh.
    pub(crate) fn warnings(&self) -> Vec<String> {
        self.tetrahedra.as_ref().map_or(Vec::new(), TetSummary::warnings)
    }

    pub(crate) fn new(
        surface: &Surface,
        made: &MesherReport,
        mesh: MeshReport,
        seconds: f64,
    ) -> Self {
        let (low, high) = surface.bounds();
        let diagonal = (high - low).length();
        let surface = InputSurface {
            vertices: surface.vertices.len(),
            triangles: surface.triangles.len(),
            lines: surface.lines.len(),
            open_edges: open_edges(surface).len(),
            volume: surface.volume(),
        };
        let (method, voxels, tetrahedra) = match made {
            MesherReport::Voxels(report) => ("voxels", Some(VoxelSummary::from(report)), None),
            MesherReport::Tetrahedra(report) => {
                ("tets", None, Some(TetSummary::new(report, diagonal)))
            }
        };
        let volume = voxels.as_ref().map_or(mesh.volume, |voxels| voxels.volume);
        let closed = surface.open_edges == 0 && surface.volume > 0.0;
        let volume_ratio = closed.then(|| volume / surface.volume);
        Self { surface, method, seconds, volume_ratio, voxels, tetrahedra, mesh }
    }

    /// The report as text.
    pub(crate) fn to_text(&self) -> String {
        let mut text = self.mesh.to_text();
        if let Some(quality) = &self.mesh.quality {
            line(&mut text, "mean ratios", &quality.histogram());
        }
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
    /// Lost parts, a changed connectivity, and more cells than asked for.
    fn warnings(&self) -> Vec<String> {
        let mut warnings = Vec::new();
        if let Some(asked) = self.asked_cells
            && self.cells as f64 > 1.25 * asked as f64
        {
            let reason = match self.thin_parts.len() {
                0 => "to follow the surface".to_owned(),
                1 => "since 1 part is too thin for larger ones".to_owned(),
                count => format!("since {count} parts are too thin for larger ones"),
            };
            warnings.push(format!(
                "asked for {asked} cells, made {}, {reason}; --within 10% needs fewer, and so does --method voxels",
                self.cells
            ));
        }
        let off = self.within.filter(|within| {
            self.surface_to_mesh.distance.max(self.mesh_to_surface.distance) > *within
        });
        if let Some(within) = off {
            let parts = match self.lost_parts.len() {
                0 => String::new(),
                1 => ": 1 part of the surface is lost".to_owned(),
                count => format!(": {count} parts of the surface are lost"),
            };
            warnings.push(format!(
                "the cells are not within {within:.3e} m of the surface everywhere{parts}; ask for more cells, or try --method voxels"
            ));
        }
        if let (Some(surface), Some(mesh)) = (self.surface_topology, self.topology)
            && surface != mesh
        {
            warnings.push(format!(
                "the surface has {}, its cells have {}: gaps were closed, or parts cut",
                surface.describe(),
                mesh.describe()
            ));
        }
        warnings
    }

    fn describe_envelope(&self, text: &mut String) {
        let far = |FarPoint { distance, at: [x, y, z] }: &FarPoint| {
            let share = 100.0 * distance / self.diagonal;
            format!("{distance:.3e} m, {share:.2} % of the diagonal, at ({x:.4}, {y:.4}, {z:.4})")
        };
        line(text, "surface to cells", &format!("at most {}", far(&self.surface_to_mesh)));
        line(text, "cells to surface", &format!("at most {}", far(&self.mesh_to_surface)));
        match self.within {
            Some(within) => {
                let share = 100.0 * within / self.diagonal;
                line(text, "limit", &format!("{within:.3e} m, {share:.2} % of the diagonal"));
            }
            None => line(text, "limit", "none"),
        }
        if let Some(asked) = self.asked_cells {
            line(text, "asked for", &format!("{asked} cells"));
        }
        let thickness = |part: &PartSummary| part.thickness;
        let thinnest = self.thin_parts.iter().filter_map(thickness).fold(f64::INFINITY, f64::min);
        if thinnest.is_finite() {
            let count = self.thin_parts.len();
            let parts = if count == 1 { "part has" } else { "parts have" };
            line(
                text,
                "thin parts",
                &format!(
                    "{count} {parts} finer cells, the thinnest {thinnest:.3e} m; shortest edge {:.3e} m",
                    self.shortest_edge
                ),
            );
        }
        for PartSummary { at: [x, y, z], .. } in &self.lost_parts {
            line(text, "lost", &format!("near ({x:.4}, {y:.4}, {z:.4})"));
        }
        let told = |topology: &Option<TopologySummary>| {
            topology.map_or("unknown: open, or parts touch".to_owned(), |found| found.describe())
        };
        let (surface, cells) = (told(&self.surface_topology), told(&self.topology));
        line(text, "connectivity", &format!("surface {surface}; cells {cells}"));
    }

    fn describe(&self, text: &mut String) {
        self.describe_envelope(text);
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

impl TopologySummary {
    fn describe(self) -> String {
        let Self { shells, handles } = self;
        let number = |count: usize, one: &str, many: &str| {
            if count == 1 { format!("1 {one}") } else { format!("{count} {many}") }
        };
        let shells = number(shells, "closed surface", "closed surfaces");
        format!("{shells} with {}", number(handles, "handle", "handles"))
    }
}

impl From<Topology> for TopologySummary {
    fn from(Topology { shells, handles }: Topology) -> Self {
        Self { shells, handles }
    }
}

impl From<Farthest> for FarPoint {
    fn from(Farthest { distance, at }: Farthest) -> Self {
        Self { distance, at: at.to_array() }
    }
}

impl From<&ThinPart> for PartSummary {
    fn from(part: &ThinPart) -> Self {
        let thickness = part.thickness.is_finite().then_some(part.thickness);
        Self { at: part.at.to_array(), thickness }
    }
}

impl TetSummary {
    fn new(report: &TetReport, diagonal: f64) -> Self {
        let distance = |distance: Distances| [distance.mean, distance.largest];
        Self {
            size: report.size,
            cells: report.cells,
            asked_cells: report.asked_cells,
            diagonal,
            within: report.within,
            surface_to_mesh: report.surface_to_mesh.into(),
            mesh_to_surface: report.mesh_to_surface.into(),
            lost_parts: report.lost_parts.iter().map(PartSummary::from).collect(),
            thin_parts: report.thin_parts.iter().map(PartSummary::from).collect(),
            shortest_edge: report.shortest_edge,
            surface_topology: report.surface_topology.map(TopologySummary::from),
            topology: report.topology.map(TopologySummary::from),
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

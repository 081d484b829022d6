//! `pliant mesh` on a surface: makes a simulation mesh from it.

use std::path::Path;
use std::time::Instant;

use anyhow::Result;
use glam::DVec3;
use pliant::body::Skin;
use pliant::geometry::Surface;
use pliant::mesh::Mesh;
use pliant_io::picture::{Colour, Paint, Picture, PictureConfig, SceneView, SurfaceView};
use pliant_io::surface::{is_surface_extension, read_surface, write_obj};
use pliant_io::write_mesh;
use pliant_mesher::choose::Misfit;
use pliant_mesher::gallery::Figure;
use pliant_mesher::open_edges;
use pliant_mesher::tets::{
    Grading, Sheets, Size, SizeRule, SizeSource, TetConfig, TetError, Tetrahedra, tetrahedra_with,
};
use pliant_mesher::voxels::{CellSize, InsideRule, VoxelConfig, voxelize};

use crate::args::{FinerPaint, MeshArgs, MeshMethod};
use crate::failure::BadInput;
use crate::mesh_report::MeshReport;
use crate::progress::spinner;
use crate::surface_report::{MesherReport, SurfaceReport};
use crate::terminal::{print, warn};

/// Largest difference of the red, green and blue of a painted vertex from the requested colour.
const PAINT_TOLERANCE: f32 = 0.02;

/// Edge length of the figures of the gallery, in m.
const DEFAULT_EDGE: f64 = 0.02;

/// True if `file` names a surface: a surface file, or a figure of the gallery if no such file exists.
pub(crate) fn is_surface(file: &Path) -> bool {
    let extension = file.extension().map(|extension| extension.to_string_lossy());
    extension.is_some_and(|extension| is_surface_extension(&extension)) || figure(file).is_some()
}

fn figure(file: &Path) -> Option<Figure> {
    let name = file.to_str().filter(|_| !file.exists())?;
    Figure::from_name(name)
}

/// Reads a surface file, or makes the surface of a figure of the gallery.
pub(crate) fn surface_of(file: &Path) -> Result<Surface> {
    Ok(match figure(file) {
        Some(figure) => figure.surface(DEFAULT_EDGE),
        None => read_surface(file)?,
    })
}

/// Makes a mesh from a surface, reports on it, and writes the requested files.
pub(crate) fn mesh_surface(args: &MeshArgs) -> Result<()> {
    check(args)?;
    let surface = surface_of(&args.file)?;
    let wait = spinner();
    wait.set_message("making the mesh");
    let begin = Instant::now();
    let made = make(&surface, args);
    let seconds = begin.elapsed().as_secs_f64();
    wait.finish_and_clear();
    let (mesh, made, notes) = made.map_err(|error| with_open_edges(error, &surface, args))?;
    let name = args.file.display().to_string();
    let mesh_report = MeshReport::new(name, "made for the surface".to_owned(), notes, &mesh);
    let report = SurfaceReport::new(&surface, &made, mesh_report, seconds);
    let mut text = match args.json {
        true => format!("{}\n", serde_json::to_string(&report)?),
        false => report.to_text(),
    };
    report.warnings().iter().for_each(|text| warn(text));
    if let Some(output) = &args.output {
        write_mesh(output, &mesh)?;
        report_written(output, args, &mut text);
    }
    if let Some(path) = &args.picture {
        let lost = lost_triangles(&surface, &made);
        draw_with(path, &mesh, &lost)?;
        report_written(path, args, &mut text);
    }
    print(&text)
}

fn report_written(path: &Path, args: &MeshArgs, text: &mut String) {
    if !args.json {
        *text += &format!("wrote {}\n", path.display());
    }
}

/// Rejects options that do not apply to the method, and those for mesh files.
fn check(args: &MeshArgs) -> Result<()> {
    let MeshArgs {
        method,
        cells,
        depth,
        leaves,
        thickness,
        curved,
        finer,
        within,
        degree,
        refine,
        ..
    } = args;
    let wrong = match method.unwrap_or(MeshMethod::Tets) {
        MeshMethod::Voxels if cells.is_some() => {
            Some("--cells is for --method tets; give --depth or --size")
        }
        MeshMethod::Voxels if curved.is_some() => Some("--curved is for --method tets"),
        MeshMethod::Voxels if !finer.is_empty() => Some("--finer is for --method tets"),
        MeshMethod::Voxels if within.is_some() => Some("--within is for --method tets"),
        MeshMethod::Voxels if thickness.is_some() => Some("--thickness is for --method tets"),
        MeshMethod::Voxels if *degree == Some(3) => Some("voxels have degree 1 or 2"),
        MeshMethod::Tets if depth.is_some() => {
            Some("--depth is for --method voxels; give --cells or --size")
        }
        MeshMethod::Tets if leaves.is_some() => Some("--leaves is for --method voxels"),
        _ if *refine > 0 => Some("--refine is for mesh files; give a smaller size"),
        _ => None,
    };
    wrong.map_or(Ok(()), |what| Err(BadInput(what.to_owned()).into()))
}

/// An error of either mesher.
type Failure = Box<dyn std::error::Error + Send + Sync>;

/// A mesh, the report of its mesher, and notes for the user.
type Made = (Mesh, MesherReport, Vec<String>);

fn make(surface: &Surface, args: &MeshArgs) -> Result<Made, Failure> {
    match args.method.unwrap_or(MeshMethod::Tets) {
        MeshMethod::Voxels => voxels(surface, args),
        MeshMethod::Tets => {
            let rules: Vec<SizeRule<'_>> = args.finer.iter().map(finer_rule).collect();
            let made = tetrahedra_with(surface, &tet_config(args), &rules)?;
            let notes = if args.method.is_none() { misfit(surface, &made) } else { Vec::new() };
            Ok((made.mesh, MesherReport::Tetrahedra(Box::new(made.report)), notes))
        }
    }
}

/// The reason why voxels would serve better, if there is one that the report does not tell.
fn misfit(surface: &Surface, made: &Tetrahedra) -> Vec<String> {
    let is_untold = |misfit: &Misfit| !matches!(misfit, Misfit::TooMany { .. });
    let misfit = Misfit::of(surface, made).err().filter(is_untold);
    let offer = |misfit| format!("{misfit}; voxels keep every part: `--method voxels`");
    misfit.map(offer).into_iter().collect()
}

fn voxels(surface: &Surface, args: &MeshArgs) -> Result<Made, Failure> {
    let default = VoxelConfig::default();
    let size = match (args.size, args.depth) {
        (Some(length), _) => CellSize::Length(length),
        (None, Some(depth)) => CellSize::Depth(u32::from(depth)),
        (None, None) => default.size,
    };
    let inside = args.inside.map_or(default.inside, InsideRule::from);
    let degree = usize::from(args.degree.unwrap_or(1));
    let leaf_depth = args.leaves.map(u32::from);
    let config = VoxelConfig { size, leaf_depth, degree, inside, ..default };
    let made = voxelize(surface, &config)?;
    Ok((made.mesh, MesherReport::Voxels(made.report), Vec::new()))
}

fn tet_config(args: &MeshArgs) -> TetConfig {
    let default = TetConfig::default();
    let size = match (args.size, args.cells) {
        (Some(length), _) => Size::Length(length),
        (None, Some(cells)) => Size::CellCount(cells as usize),
        (None, None) => default.size,
    };
    let degree = args.degree.map_or(default.degree, usize::from);
    let sheets = args.thickness.map_or(default.sheets, Sheets::Thick);
    let curved = args.curved.unwrap_or(default.grading.curved);
    let within = args.within.unwrap_or(default.within);
    TetConfig {
        size,
        degree,
        sheets,
        within,
        grading: Grading { curved, ..default.grading },
        ..default
    }
}

fn finer_rule(paint: &FinerPaint) -> SizeRule<'static> {
    let FinerPaint { colour, length } = *paint;
    let colour = colour.map(|byte| f32::from(byte) / 255.0);
    SizeRule { size: length, source: SizeSource::Painted { colour, tolerance: PAINT_TOLERANCE } }
}

/// Adds the file name to an error. If the surface encloses no volume, also writes its open edges to a file.
fn with_open_edges(error: Failure, surface: &Surface, args: &MeshArgs) -> anyhow::Error {
    let mut message = format!("{}: {error}", args.file.display());
    let is_open = matches!(error.downcast_ref(), Some(TetError::EnclosesNothing { .. }));
    if is_open {
        let lines = open_edges(surface);
        let stem = args.file.file_stem().unwrap_or_default().to_string_lossy();
        let path = std::path::PathBuf::from(format!("{stem}-open-edges.obj"));
        let edges = Surface { lines, ..Surface::new(surface.vertices.clone(), Vec::new()) };
        message += &match write_obj(&path, &edges) {
            Ok(()) => format!("\nwrote the open edges to {}", path.display()),
            Err(error) => format!("\nthe open edges could not be written: {error}"),
        };
    }
    BadInput(message).into()
}

/// The triangles of the surface at the parts that the cells do not hold.
fn lost_triangles(surface: &Surface, made: &MesherReport) -> Surface {
    let MesherReport::Tetrahedra(report) = made else { return Surface::default() };
    let Some(within) = report.within else { return Surface::default() };
    // As far as the points of one part lie apart.
    let reach = 4.0 * within;
    let is_lost = |[a, b, c]: [DVec3; 3]| {
        let middle = (a + b + c) / 3.0;
        report.lost_parts.iter().any(|part| part.at.distance(middle) < reach)
    };
    let triangles = surface.triangles.iter().zip(surface.corners());
    let triangles = triangles.filter(|(_, corners)| is_lost(*corners)).map(|(t, _)| *t).collect();
    Surface::new(surface.vertices.clone(), triangles)
}

/// Draws the boundary of the mesh with the edges of its cells.
pub(crate) fn draw(path: &Path, mesh: &Mesh) -> Result<()> {
    draw_with(path, mesh, &Surface::default())
}

/// The same, with lost parts of the surface in magenta.
fn draw_with(path: &Path, mesh: &Mesh, lost: &Surface) -> Result<()> {
    const LOST: [u8; 3] = [0xe6, 0x00, 0xe6];
    let skin = Skin::of_mesh(mesh, Skin::subdivisions_for(mesh));
    let mut vertices = Vec::new();
    skin.interpolate(&mesh.nodes, &mut vertices);
    let drawn: Vec<DVec3> = lost.corners().flatten().chain(vertices.iter().copied()).collect();
    let picture = Picture::new(&PictureConfig::default(), drawn.iter().copied())?;
    let at = |edge: &Vec<u32>| edge.iter().map(|vertex| vertices[*vertex as usize]).collect();
    let lines: Vec<Vec<_>> = skin.edges().iter().map(at).collect();
    let paint = |colour| Paint::Plain(Colour::from_srgb(colour));
    let cells = SurfaceView {
        vertices: &vertices,
        triangles: skin.triangles(),
        paint: paint([0xd9, 0x5f, 0x43]),
    };
    let lost =
        SurfaceView { vertices: &lost.vertices, triangles: &lost.triangles, paint: paint(LOST) };
    let mut surfaces = vec![cells];
    if !lost.triangles.is_empty() {
        surfaces.push(lost);
    }
    let lines = lines.iter().map(Vec::as_slice).collect();
    let image = picture.render(&SceneView { surfaces, lines, legend: None });
    Ok(image.write_png(path)?)
}

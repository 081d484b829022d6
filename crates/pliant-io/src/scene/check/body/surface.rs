//! Checks of surfaces to make bodies from.

use std::path::PathBuf;

use pliant_mesher::gallery::Figure;
use pliant_mesher::tets::{Grading, Sheets, Size, TetConfig, Within};
use pliant_mesher::voxels::{CellSize, InsideRule, VoxelConfig};
use toml::Spanned;

use crate::scene::check::problems::Problems;
use crate::scene::check::selection::selection;
use crate::scene::file::mesh::{FinerFile, MeshFile, TetrahedraFile, VoxelsFile};
use crate::scene::plan::surface::{FinerPlan, Mesher, Stiffness, SurfacePlan, SurfaceSource};
use crate::scene::problem::fault::Fault;

/// Default edge length of a figure, in m.
const DEFAULT_EDGE: f64 = 0.02;

/// Number of cells of a surface without a mesher: that of tetrahedra without a size.
const DEFAULT_CELLS: usize = 500;

/// Checks `surface` or `figure`, and `voxels` or `tetrahedra`; without either, the mesher chooses.
pub(crate) fn surface(
    file: &MeshFile,
    degree: Option<usize>,
    problems: &mut Problems,
) -> Option<SurfacePlan> {
    let source = source(file, problems);
    let mesher = match (&file.voxels, &file.tetrahedra) {
        (Some(_), Some(tetrahedra)) => {
            let choices = "`voxels`, `tetrahedra`";
            let fault = Fault::NotExactlyOne { what: "a mesher", count: 2, choices };
            problems.add(tetrahedra.span(), fault);
            None
        }
        (None, Some(file)) => tetrahedra(file, degree, problems),
        (Some(voxel_file), None) => voxels(voxel_file, degree, file, problems),
        (None, None) => Some(Mesher::Automatic { cells: DEFAULT_CELLS, degree }),
    };
    Some(SurfacePlan { source: source?, mesher: mesher? })
}

fn source(file: &MeshFile, problems: &mut Problems) -> Option<SurfaceSource> {
    if let Some(path) = &file.surface {
        if let Some(edge) = &file.edge {
            let when = "on a surface from a file, whose triangles are given";
            problems.add(edge.span(), Fault::NoEffect { key: "edge", when });
        }
        return Some(SurfaceSource::File(PathBuf::from(path.get_ref())));
    }
    let word = file.figure.as_ref()?;
    let figures = Figure::ALL.map(|figure| (figure.name(), figure));
    let figure = problems.choice("figure", word, &figures);
    let edge = problems.positive_or("edge", &file.edge, DEFAULT_EDGE);
    Some(SurfaceSource::Figure(figure?, edge?))
}

fn voxels(
    file: &Spanned<VoxelsFile>,
    degree: Option<usize>,
    mesh: &MeshFile,
    problems: &mut Problems,
) -> Option<Mesher> {
    let default = VoxelConfig::default();
    let VoxelsFile { depth, length, leaves, inside, fill, stiffness } = file.get_ref();
    if let (Some(3), Some(degree)) = (degree, &mesh.degree) {
        let expected = "1 or 2 for voxels";
        problems.add(degree.span(), Fault::OutOfRange { key: "degree", value: 3.0, expected });
        return None;
    }
    let levels = "a whole number from 0 to 15";
    let mut level = |key, number: &Option<Spanned<i64>>| match number {
        Some(number) => problems.whole(key, number, 0..16, levels).map(Some),
        None => Some(None),
    };
    let (depth_level, leaf_depth) = (level("depth", depth), level("leaves", leaves));
    if let (Some(_), Some(length)) = (depth, length) {
        let fault = Fault::NotExactlyOne { what: "a size", count: 2, choices: "`depth`, `length`" };
        problems.add(length.span(), fault);
        return None;
    }
    let size = match length {
        Some(length) => CellSize::Length(problems.positive("length", length)?),
        None => depth_level?.map_or(default.size, CellSize::Depth),
    };
    let insides = [
        ("auto", InsideRule::Auto),
        ("flood", InsideRule::Flood),
        ("winding", InsideRule::Winding),
    ];
    let inside = inside
        .as_ref()
        .map_or(Some(default.inside), |word| problems.choice("inside", word, &insides));
    let fill = fill.as_ref().map_or(Some(default.boundary_fill), |fill| {
        let part = "a number above 0 and at most 1";
        problems.number("fill", fill, part, |value| value > 0.0 && value <= 1.0)
    });
    let choices = Stiffness::ALL.map(|choice| (choice.name(), choice));
    let stiffness = stiffness
        .as_ref()
        .map_or(Some(Stiffness::default()), |word| problems.choice("stiffness", word, &choices));
    let config = VoxelConfig {
        size,
        leaf_depth: leaf_depth?,
        degree: degree.unwrap_or(default.degree),
        inside: inside?,
        boundary_fill: fill?,
        ..default
    };
    Some(Mesher::Voxels { config, stiffness: stiffness? })
}

fn tetrahedra(
    file: &Spanned<TetrahedraFile>,
    degree: Option<usize>,
    problems: &mut Problems,
) -> Option<Mesher> {
    let default = TetConfig::default();
    let TetrahedraFile { cells, length, within, inside, curved, thickness, finer } = file.get_ref();
    let size = match (cells, length) {
        (Some(_), Some(length)) => {
            let fault =
                Fault::NotExactlyOne { what: "a size", count: 2, choices: "`cells`, `length`" };
            problems.add(length.span(), fault);
            None
        }
        (Some(cells), None) => problems
            .whole("cells", cells, 1..10_000_000, "a whole number from 1 to 9999999")
            .map(|cells| Size::CellCount(cells as usize)),
        (None, Some(length)) => problems.positive("length", length).map(Size::Length),
        (None, None) => Some(default.size),
    };
    let within = match within {
        None => Some(default.within),
        Some(word) => {
            let within = Within::parsed(word.get_ref());
            if within.is_none() {
                let text = word.get_ref().clone();
                problems.add(word.span(), Fault::NotADistance { key: "within", text });
            }
            within
        }
    };
    let mut halvings = |key, number: &Option<Spanned<i64>>, default: u8| match number {
        Some(number) => {
            problems.whole(key, number, 0..7, "a whole number from 0 to 6").map(|n| n as u8)
        }
        None => Some(default),
    };
    let inside = halvings("inside", inside, default.grading.inside);
    let curved = halvings("curved", curved, default.grading.curved);
    let sheets = thickness.as_ref().map_or(Some(default.sheets), |thickness| {
        problems.positive("thickness", thickness).map(Sheets::Thick)
    });
    let finer: Vec<_> = finer.iter().map(|file| finer_plan(file, size, problems)).collect();
    let finer = finer.into_iter().collect::<Option<_>>();
    let config = TetConfig {
        size: size?,
        degree: degree.unwrap_or(default.degree),
        grading: Grading { inside: inside?, curved: curved? },
        sheets: sheets?,
        within: within?,
        ..default
    };
    Some(Mesher::Tetrahedra { config, finer: finer? })
}

/// Checks a place with smaller cells; its size must be below `length` if that is given.
fn finer_plan(
    file: &FinerFile,
    elsewhere: Option<Size>,
    problems: &mut Problems,
) -> Option<FinerPlan> {
    let FinerFile { selector, size: length } = file;
    let selection = selection(selector, problems);
    let size = problems.positive("size", length)?;
    if let Some(Size::Length(elsewhere)) = elsewhere
        && size >= elsewhere
    {
        let when = "where it is not below `length`, the length of cells elsewhere";
        problems.add(length.span(), Fault::NoEffect { key: "size", when });
        return None;
    }
    Some(FinerPlan { selection: selection?, size })
}

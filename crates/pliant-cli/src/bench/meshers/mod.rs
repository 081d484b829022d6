//! Pliant beside other tetrahedral meshers, on surfaces that enclose a volume.
//!
//! Every mesher is asked for about as many cells as fTetWild makes: its envelope and its simplification decide how few
//! cells it can do with.

mod entrant;
mod measured;
mod report;

use std::path::{Path, PathBuf};

use anyhow::Result;
use pliant::geometry::Surface;
use pliant_io::surface::{read_surface, write_obj};
use pliant_mesher::gallery::Figure;

use super::Progress;
use super::plot::{self, Curve, Line, Plot};
use super::test_surfaces::{FILES, FOLDER};
use crate::args::BenchArgs;
use crate::failure::BadInput;
use crate::terminal::print;
use entrant::{Entrant, Task};
use report::Row;

/// Default number of cells.
const CELLS: u32 = 5000;

/// Edge length of the figures, in m: half of that of 5,000 cells in a ball.
const FIGURE_EDGE: f64 = 0.03;

/// The picture, written to the current folder.
const PICTURE: &str = "meshers.svg";

/// Figures that enclose no volume, or not with all of their triangles.
const HOLLOW: [Figure; 3] = [Figure::Shirt, Figure::Rope, Figure::Dragon];

/// Runs all meshers on all surfaces and prints their rows, then writes the picture.
pub(super) fn table(args: &BenchArgs, progress: Progress<'_>) -> Result<()> {
    let count = args.cells.unwrap_or(CELLS) as usize;
    let folder = WorkFolder::new()?;
    let mut rows: Vec<Row> = Vec::new();
    if !args.json {
        print(&report::head(count))?;
    }
    for (name, surface) in surfaces(args)? {
        let path = folder.0.join("surface.obj");
        write_obj(&path, &Surface::new(surface.vertices.clone(), surface.triangles.clone()))?;
        let mut task = Task { surface: &surface, path: &path, folder: &folder.0, count };
        for entrant in &Entrant::ALL {
            progress(&format!("{name}, {}", entrant.name));
            let result = entrant.run(&task);
            if let (true, Ok(measured)) = (entrant.leads, &result) {
                task.count = measured.cells;
            }
            let row = Row::new(&name, &surface, entrant.name, result);
            if !args.json {
                print(&row.to_markdown())?;
            }
            rows.push(row);
        }
    }
    if rows.iter().any(|row| row.point().is_some()) {
        plot::write_with_legend(Path::new(PICTURE), &[picture(&rows)])?;
    }
    if args.json {
        return print(&format!("{}\n", serde_json::to_string(&rows)?));
    }
    print(&report::comparison(&rows))?;
    if std::env::var_os(FOLDER).is_none() {
        let files = FILES.join(", ");
        print(&format!("\n{files} were skipped: {FOLDER} is not set to a folder.\n"))?;
    }
    print(&format!("\nThe picture is in `{PICTURE}`.\n"))
}

/// The surfaces whose names contain the text of `--only`.
fn surfaces(args: &BenchArgs) -> Result<Vec<(String, Surface)>> {
    let only = args.only.as_deref().unwrap_or_default();
    let figures = Figure::ALL.into_iter().filter(|figure| !HOLLOW.contains(figure));
    let figures = figures.filter(|figure| figure.name().contains(only));
    let mut surfaces: Vec<_> =
        figures.map(|figure| (figure.name().to_owned(), figure.surface(FIGURE_EDGE))).collect();
    if let Some(folder) = std::env::var_os(FOLDER).map(PathBuf::from) {
        for file in FILES.into_iter().filter(|file| file.contains(only)) {
            surfaces.push((file.to_owned(), read_surface(&folder.join(file))?));
        }
    }
    if surfaces.is_empty() {
        return Err(BadInput(format!("no surface has `{only}` in its name")).into());
    }
    Ok(surfaces)
}

/// The largest distance of every mesh over its time, a colour for each mesher.
fn picture(rows: &[Row]) -> Plot {
    let curve = |(colour, entrant): (usize, &Entrant)| {
        let own = rows.iter().filter(|row| row.mesher == entrant.name);
        let points = own.filter_map(Row::point).collect();
        Curve { name: entrant.name, colour, line: Line::None, points }
    };
    Plot {
        title: "largest distance, % of the diagonal",
        x: "s of processor time",
        curves: Entrant::ALL.iter().enumerate().map(curve).collect(),
    }
}

/// A folder for the files of the meshers, which is removed at the end.
struct WorkFolder(PathBuf);

impl WorkFolder {
    fn new() -> Result<Self> {
        let folder = std::env::temp_dir().join(format!("pliant-meshers-{}", std::process::id()));
        std::fs::create_dir_all(&folder)?;
        Ok(Self(folder))
    }
}

impl Drop for WorkFolder {
    fn drop(&mut self) {
        // What cannot be removed is left to the system, which empties the folder.
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

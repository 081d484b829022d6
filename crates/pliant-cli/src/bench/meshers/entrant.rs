//! A mesher with its settings, and its search for the wished number of cells.

use std::path::Path;

use cpu_time::ThreadTime;
use glam::DVec3;
use pliant::element::Kind;
use pliant::geometry::Surface;
use pliant::mesh::{Block, Mesh};
use pliant_mesher::tets::{Size, TetConfig, tetrahedra};
use rayon::ThreadPoolBuilder;

use super::measured::Measured;
use crate::bench::peers;

/// The most runs of another mesher on a surface, to come near the number of cells.
const MOST_RUNS: usize = 3;

/// The difference of the number of cells at which the search ends.
const NEAR: f64 = 0.1;

/// A mesher.
pub(super) struct Entrant {
    pub(super) name: &'static str,
    /// True if the others are asked for as many cells as it makes. It runs once.
    pub(super) leads: bool,
    program: Program,
}

enum Program {
    /// Tetrahedra of this degree.
    Pliant(usize),
    /// A mesher of the script for other meshers.
    Peer(&'static str),
}

/// A surface to fill with about `count` cells.
pub(super) struct Task<'a> {
    pub(super) surface: &'a Surface,
    /// A file of its triangles.
    pub(super) path: &'a Path,
    /// A folder for the meshes.
    pub(super) folder: &'a Path,
    pub(super) count: usize,
}

impl Entrant {
    /// All meshers; the one that leads is first.
    pub(super) const ALL: [Self; 5] = [
        Self { name: "fTetWild", leads: true, program: Program::Peer("ftetwild") },
        Self { name: "Pliant, degree 1", leads: false, program: Program::Pliant(1) },
        Self { name: "Pliant, degree 2", leads: false, program: Program::Pliant(2) },
        Self { name: "TetGen", leads: false, program: Program::Peer("tetgen") },
        Self { name: "Gmsh", leads: false, program: Program::Peer("gmsh") },
    ];

    /// Fills the surface, and measures the mesh. An error is the reason in words.
    pub(super) fn run(&self, task: &Task<'_>) -> Result<Measured, String> {
        match self.program {
            Program::Pliant(degree) => pliant(task, degree),
            Program::Peer(name) => peer(task, name, if self.leads { 1 } else { MOST_RUNS }),
        }
    }
}

/// Meshes on one thread, as the others do.
fn pliant(task: &Task<'_>, degree: usize) -> Result<Measured, String> {
    let config = TetConfig { size: Size::CellCount(task.count), degree, ..TetConfig::default() };
    let pool =
        ThreadPoolBuilder::new().num_threads(1).build().map_err(|error| error.to_string())?;
    let (made, seconds) = pool.install(|| {
        let begin = ThreadTime::now();
        (tetrahedra(task.surface, &config), begin.elapsed().as_secs_f64())
    });
    let made = made.map_err(|error| error.to_string())?;
    Measured::new(task.surface, &made.mesh, seconds)
}

/// Runs another mesher with edges that are corrected until the number of cells is right.
fn peer(task: &Task<'_>, name: &str, most_runs: usize) -> Result<Measured, String> {
    let (low, high) = task.surface.bounds();
    let diagonal = (high - low).length();
    // A regular tetrahedron with edge a has the volume a³ / (6 √2).
    let cell_volume = task.surface.volume().abs() / task.count.max(1) as f64;
    let mut edge = (6.0 * 2f64.sqrt() * cell_volume).cbrt() / diagonal;
    let mut best: Result<(Mesh, f64), String> = Err("it was not run".to_owned());
    let off = |mesh: &Mesh| (mesh.cell_count() as f64 / task.count as f64).ln().abs();
    for _ in 0..most_runs {
        let out = task.folder.join("cells.txt");
        let (path, text) = (task.path.display().to_string(), edge.to_string());
        let made = peers::run_mesher(&[name, &path, &text, &out.display().to_string()])
            .and_then(|seconds| Ok((read_cells(&out)?, seconds)));
        let Ok((mesh, seconds)) = made else {
            best = best.or(made);
            break;
        };
        edge *= (mesh.cell_count() as f64 / task.count as f64).cbrt();
        let distance = off(&mesh);
        if best.as_ref().map_or(true, |(best, _)| distance < off(best)) {
            best = Ok((mesh, seconds));
        } else {
            break;
        }
        if distance < NEAR {
            break;
        }
    }
    let (mesh, seconds) = best?;
    Measured::new(task.surface, &mesh, seconds)
}

/// Reads the nodes and cells that the script has written.
fn read_cells(path: &Path) -> Result<Mesh, String> {
    let text = std::fs::read_to_string(path).map_err(|error| error.to_string())?;
    let (mut nodes, mut cells) = (Vec::new(), Vec::new());
    for line in text.lines() {
        let wrong = || format!("it wrote {line:?}");
        let mut words = line.split(' ');
        match words.next() {
            Some("v") => {
                let point: Option<Vec<f64>> = words.map(|word| word.parse().ok()).collect();
                let point = point.filter(|point| point.len() == 3).ok_or_else(wrong)?;
                nodes.push(DVec3::from_slice(&point));
            }
            Some("t") => {
                let cell: Option<Vec<u32>> = words.map(|word| word.parse().ok()).collect();
                cells.extend(cell.filter(|cell| cell.len() == 4).ok_or_else(wrong)?);
            }
            _ => return Err(wrong()),
        }
    }
    Mesh::new(nodes, vec![Block { kind: Kind::Tet4, nodes: cells }])
        .map_err(|error| error.to_string())
}
